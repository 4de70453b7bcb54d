import { once } from 'node:events'
import { request } from 'node:http'
import type { PhoneNumberItem } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import type { Scope } from '../../http/scope.ts'
import * as numbers from './queries.ts'
import * as numberWrites from './writes.ts'

/** More than are read at once, and not a multiple. */
const NUMBERS = 1_203
const ODD = [
  'Ünïcødé 話 🙂',
  '"quoted" \\ and \\u0041',
  'tab\tline\nreturn\r\b\f\u0001\u001f\u007f',
  '\u2028\u2029</script>',
  "it's, {[]}",
  ' ',
]
const odd = (i: number) => ODD[i % ODD.length]!

let t: TestApp
beforeAll(async () => {
  t = await testApp({}, undefined, undefined, { ownApp: true })
  const { a1, b1, sp1 } = t.sids
  const hook = { webhook_sid: crypto.randomUUID(), url: 'https://example.com' }
  await t.db.insertInto('webhooks').values(hook).execute()
  const applications = ODD.map((name) => ({
    application_sid: crypto.randomUUID(),
    name,
    account_sid: a1,
    call_hook_sid: hook.webhook_sid,
    call_status_hook_sid: hook.webhook_sid,
  }))
  await t.db.insertInto('applications').values(applications).execute()
  const carriers = [...ODD, ...ODD].map((name) => ({
    voip_carrier_sid: crypto.randomUUID(),
    name,
    service_provider_sid: sp1,
  }))
  await t.db.insertInto('voip_carriers').values(carriers).execute()
  const rows = Array.from({ length: NUMBERS }, (_, i) => ({
    phone_number_sid: crypto.randomUUID(),
    // without a carrier the same number several times, so that a batch ends between equal ones
    number:
      i % 3 === 0
        ? String(4_420_000 + Math.floor(i / 30))
        : [`1508${i}*`, `^1508${i}\\d{7}$`, `*#06${i}#`, String(i)][i % 4]!,
    voip_carrier_sid: i % 3 === 0 ? null : carriers[i % 12]!.voip_carrier_sid,
    // databases compare sids in any case
    account_sid: [a1, a1.toUpperCase(), b1, null][i % 4]!,
    application_sid: i % 4 < 2 ? (applications[i % 7]?.application_sid ?? null) : null,
    service_provider_sid: i % 4 === 3 ? sp1 : null,
    description: i % 5 ? odd(i) : null,
  }))
  await numberWrites.insert(t.db, rows)
})
afterAll(() => t.close())

const names = async (table: 'accounts' | 'applications' | 'voip_carriers') => {
  const sid = {
    accounts: 'account_sid',
    applications: 'application_sid',
    voip_carriers: 'voip_carrier_sid',
  } as const
  const rows = await t.db
    .selectFrom(table)
    .select([`${sid[table]} as sid`, 'name'])
    .execute()
  const known = new Map(rows.map((row) => [row.sid, row.name]))
  return (of: string | null) => known.get(of?.toLowerCase() ?? '') ?? null
}

describe('all phone numbers in one answer', () => {
  it('are byte for byte what their rows say', async () => {
    const stored = await t.db
      .selectFrom('phone_numbers')
      .leftJoin(
        'switchroom_phone_numbers as ours',
        'ours.phone_number_sid',
        'phone_numbers.phone_number_sid',
      )
      .selectAll('phone_numbers')
      .select('ours.description')
      .orderBy('number')
      .orderBy('phone_numbers.phone_number_sid')
      .execute()
    const [account, application, carrier] = [
      await names('accounts'),
      await names('applications'),
      await names('voip_carriers'),
    ]
    const expected = stored.map(
      (row): PhoneNumberItem => ({
        phone_number_sid: row.phone_number_sid,
        number: row.number,
        voip_carrier_sid: row.voip_carrier_sid,
        account_sid: row.account_sid,
        application_sid: row.application_sid,
        service_provider_sid: row.service_provider_sid,
        description: row.description,
        account_name: account(row.account_sid),
        application_name: application(row.application_sid),
        voip_carrier_name: carrier(row.voip_carrier_sid),
        last_call_at: null,
        calls_7d: null,
        calls_counted_since: null,
      }),
    )
    expect(expected).toHaveLength(NUMBERS)
    expect((await t.request('admin', 'GET', '/PhoneNumbers')).body).toBe(JSON.stringify(expected))
  })

  it.each(['admin', 'sp1', 'sp2', 'a1', 'a2', 'b1', 'admin-viewer', 'sp1-viewer', 'a1-key'])(
    'are those of its pages for %s',
    async (who) => {
      const whole = await t.request(who, 'GET', '/PhoneNumbers')
      const page = await t.request(who, 'GET', '/PhoneNumbers?page=1&page_size=10000')
      expect(page.body).toBe(
        `{"data":${whole.body},"total":${whole.json().length},"page":1,"page_size":10000}`,
      )
    },
  )

  it.each(['admin', 'a1'])(
    'hold no connection while %s does not read on, or has left',
    async (who) => {
      const idle = async () => {
        await expect.poll(() => t.ctx.databaseUse).toMatchObject({ in_use: 0, waiting: 0 })
      }
      const scope =
        who === 'admin'
          ? { role: 'admin' }
          : { role: 'account', account_sid: t.sids.a1, service_provider_sid: t.sids.sp1 }
      const all = numbers
        .list(t.db, { view_only: false, force_change: false, ...scope } as Scope, {})
        .all(t.ctx.memory.listings)
      const rows = all[Symbol.asyncIterator]()
      expect((await rows.next()).value?.length).toBeGreaterThan(0)
      await idle()
      await rows.return?.()
      await idle()
    },
  )

  it('end when the client hangs up', async () => {
    const { hostname, port } = new URL(await t.app.listen({ port: 0, host: '127.0.0.1' }))
    const headers = { authorization: `Bearer ${t.bearer.admin}` }
    const asked = request({ hostname, port, path: '/v1/PhoneNumbers', headers }).end()
    const [answer] = await once(asked, 'response')
    answer.destroy()
    await expect.poll(() => t.ctx.databaseUse).toMatchObject({ in_use: 0, waiting: 0 })
    expect((await t.request('admin', 'GET', '/PhoneNumbers')).json()).toHaveLength(NUMBERS)
  })
})
