import { webhookSecret } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { kinds, testDatabase } from '../../test/database.ts'
import { verifyPassword } from '../secrets/passwords.ts'
import { seedAdministrator } from './seed.ts'

describe.each(kinds)('the first rows on %s', (kind) => {
  let test: Awaited<ReturnType<typeof testDatabase>>
  let db: typeof test.db
  beforeEach(async () => {
    test = await testDatabase(kind)
    db = test.db
  })
  afterEach(() => test.close())

  const count = async (table: 'users' | 'api_keys' | 'webhooks' | 'applications') =>
    (await db.selectFrom(table).selectAll().execute()).length

  it('are a provider, an account, templates and settings, without credentials', async () => {
    const accounts = await db
      .selectFrom('accounts')
      .innerJoin('service_providers', (join) =>
        join.onRef('service_providers.service_provider_sid', '=', 'accounts.service_provider_sid'),
      )
      .select([
        'account_sid',
        'accounts.name',
        'service_providers.name as provider',
        'webhook_secret',
      ])
      .execute()
    expect(accounts).toEqual([
      {
        account_sid: '9351f46a-678c-43f5-b8a6-d4eb58d131af',
        name: 'default account',
        provider: 'default service provider',
        webhook_secret: expect.stringMatching(/^wh_secret_[1-9a-zA-Z]{22}$/),
      },
    ])
    const gateways = await db
      .selectFrom('predefined_sip_gateways')
      .innerJoin('predefined_carriers as c', (join) =>
        join.onRef(
          'c.predefined_carrier_sid',
          '=',
          'predefined_sip_gateways.predefined_carrier_sid',
        ),
      )
      .select(['c.name', 'ipv4', 'netmask', 'inbound', 'outbound', 'port'])
      .execute()
    expect(gateways).toHaveLength(26)
    const twilio = gateways.filter((g) => g.name === 'Twilio')
    expect(twilio).toContainEqual({
      name: 'Twilio',
      ipv4: '168.86.128.0',
      netmask: 18,
      inbound: 1,
      outbound: 0,
      port: 5060,
    })
    expect(twilio.filter((g) => g.outbound)).toHaveLength(1)
    expect(await db.selectFrom('predefined_smpp_gateways').selectAll().execute()).toHaveLength(3)
    expect(await db.selectFrom('products').selectAll().execute()).toHaveLength(3)
    expect(await db.selectFrom('password_settings').selectAll().execute()).toEqual([
      { min_password_length: 8, require_digit: 0, require_special_character: 0 },
    ])
    expect(await db.selectFrom('schema_version').selectAll().execute()).toEqual([
      { version: '0.9.6' },
    ])
    for (const table of ['users', 'api_keys', 'webhooks', 'applications'] as const)
      expect(await count(table)).toBe(0)
  })

  it('get an administrator once', async () => {
    const seedWith = (password: string) => seedAdministrator(db, { password, forceChange: true })
    const given = await Promise.all([seedWith('one'), seedWith('two')])
    expect(given.filter(Boolean)).toHaveLength(1)
    const user = await db.selectFrom('users').selectAll().executeTakeFirstOrThrow()
    expect(user).toMatchObject({
      name: 'admin',
      email: 'admin@localhost',
      provider: 'local',
      email_validated: 1,
      force_change: 1,
      is_active: 1,
      account_sid: null,
      service_provider_sid: null,
    })
    const password = given[0] ? 'one' : 'two'
    expect(await verifyPassword(user.hashed_password!, password)).toBe(true)
    expect(await seedWith('three')).toBe(false)
    expect(await count('users')).toBe(1)
    const permissions = await db
      .selectFrom('user_permissions')
      .innerJoin('permissions', (join) =>
        join.onRef('permissions.permission_sid', '=', 'user_permissions.permission_sid'),
      )
      .select('name')
      .where('user_sid', '=', user.user_sid)
      .orderBy('name')
      .execute()
    expect(permissions.map((p) => p.name)).toEqual([
      'PROVISION_SERVICES',
      'PROVISION_USERS',
      'VIEW_ONLY',
    ])
  })
})

it('webhook secrets are unique', () => {
  const secrets = new Set(Array.from({ length: 1000 }, webhookSecret))
  expect(secrets.size).toBe(1000)
  for (const secret of secrets) expect(secret).toMatch(/^wh_secret_[1-9a-km-zA-HJ-NP-Z]{22}$/)
})
