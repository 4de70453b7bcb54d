import { randomUUID } from 'node:crypto'
import { api, type Endpoint } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { platform } from '../src/db/platform.ts'
import { PROOF, type TestApp, testApp } from './app.ts'
import { chosen } from './database.ts'
import { createSampleData, type SampleData } from './sample-data.ts'

/**
 * A successful update has taken effect. Each field of each resource is sent with
 * another value, alone: it must be stored, or be rejected by name.
 */
let t: TestApp
let samples: SampleData
beforeAll(async () => {
  t = await testApp()
  samples = await createSampleData(t)
})
afterAll(() => t.close())

/** The table of each resource, whose columns older clients may send. */
const TABLES = {
  accounts: 'accounts',
  serviceProviders: 'service_providers',
  users: 'users',
  applications: 'applications',
  // parts come before their replacement
  sipGateways: 'sip_gateways',
  smppGateways: 'smpp_gateways',
  voipCarriers: 'voip_carriers',
  phoneNumbers: 'phone_numbers',
  clients: 'clients',
  msTeamsTenants: 'ms_teams_tenants',
  lcrRoutes: 'lcr_routes',
  lcrCarrierSetEntries: 'lcr_carrier_set_entry',
  lcrs: 'lcr',
  googleCustomVoices: 'google_custom_voices',
} as const
type Resource = keyof typeof TABLES

/** Fields that change by themselves. */
const CHANGED_BY_SERVER = ['register_status', 'version', 'last_used']
/** Fields whose change ends the sessions of the callers here. Their own tests have them. */
const ENDS_SESSIONS: Partial<Record<Resource, string>> = { accounts: 'is_active' }
/** Write-only fields, which are checked in the row. */
const UNREADABLE = ['initial_password', 'password']
/** Test values for fields whose name or type does not suggest one. */
const EXAMPLES: Record<string, unknown> = {
  sip_realm: 'other.acme.example',
  root_domain: 'other.example.com',
  tenant_fqdn: 'other.example.com',
  email: 'other@example.com',
  number: '15550199',
  ipv4: '10.9.9.9',
  regex: '^49',
  priority: 7,
  netmask: 30,
  protocol: 'tls',
  port: 5099,
  record_format: 'wav',
  dtmf_type: 'tones',
  trunk_type: 'static_ip',
  outbound_sip_proxy: 'proxy.example.com',
  register_sip_realm: 'other.example.com',
  register_from_domain: 'other.example.com',
  tech_prefix: '9999',
  app_json: '[{"verb":"pause","length":1}]',
  env_vars: { token: 'other' },
  initial_password: 'another long one 1',
  speech_synthesis_language: 'en-GB',
  reported_usage: 'OFFLINE',
  default_carrier: undefined,
  sip_gateways: [{ ipv4: '10.9.9.8', inbound: 1, outbound: 1 }],
  smpp_gateways: [{ ipv4: '10.9.9.7', inbound: 1, outbound: 1 }],
}
const hook = { url: 'https://example.com/other', method: 'POST' }
const bucket = {
  vendor: 'aws_s3',
  region: 'us-east-1',
  access_key_id: 'k',
  secret_access_key: 's',
}
let count = 100

/** A value that differs from the stored one. */
function otherValue(key: string, is: unknown): unknown {
  count += 1
  if (key.endsWith('_hook')) return hook
  if (key === 'bucket_credential') return { ...bucket, name: `bucket-${count}` }
  if (key === 'routes')
    return [
      { regex: `^${count}`, lcr_carrier_set_entries: [{ voip_carrier_sid: samples.carrier }] },
    ]
  if (key === 'limits') return { voice_call_session: count }
  if (key in EXAMPLES) return EXAMPLES[key]
  if (key.endsWith('_sid')) return randomUUID()
  if (is === 0 || is === 1) return 1 - is
  if (typeof is === 'boolean') return !is
  if (typeof is === 'number') return is + 1
  return `x${randomUUID().slice(0, 8)}`
}

const shapeOf = (schema: unknown) =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
const plain = (v: unknown) => (typeof v === 'boolean' ? Number(v) : v)

describe.each(Object.entries(TABLES) as [Resource, string][])('%s', (name, table) => {
  const { view, update } = (api as unknown as Record<string, Record<string, Endpoint>>)[name]!
  const columns = Object.keys(platform[table as 'accounts'].columns)
  const members = [...new Set([...shapeOf(update!.body), ...shapeOf(view!.response), ...columns])]

  // a database converts a value the same for every caller
  it.each(chosen === 'mysql' ? ['admin'] : ['admin', 'sp1', 'a1'])('changed by %s', async (who) => {
    if (name === 'serviceProviders' && who === 'a1') return
    const [params] = samples.paramsOf(`${name}.update`)
    const path = view!.path.replace(/:(\w+)/g, (_, key: string) => params![key]!)
    const key = Object.values(params!)[name === 'accounts' ? 0 : -1 + Object.keys(params!).length]!
    const sid = name === 'voipCarriers' ? params!.voip_carrier_sid! : key
    const primary = platform[table as 'accounts'].keys.primary as string
    const rowOf = async () =>
      (await t.db
        .selectFrom(table as 'accounts')
        .selectAll()
        .where(primary as 'account_sid', '=', sid)
        .executeTakeFirstOrThrow()) as Record<string, unknown>
    const tried = members.filter((m) => !CHANGED_BY_SERVER.includes(m) && m !== ENDS_SESSIONS[name])
    const read = async () => ({
      before: (await t.request(who, 'GET', path)).json() as Record<string, unknown>,
      row: await rowOf(),
    })
    let known: Awaited<ReturnType<typeof read>> | undefined
    for (const member of tried) {
      // a refused field has changed nothing
      known ??= await read()
      const { before, row } = known
      const value = otherValue(member, before[member] ?? row[member])
      const proof = member === 'initial_password' && { proof: PROOF }
      const sent = await t.request(who, 'PUT', path, { [member]: value, ...proof })
      const label = `${name}.${member} = ${JSON.stringify(value)} by ${who}: ${sent.body}`
      if (sent.statusCode >= 400) {
        expect(sent.statusCode, label).toBeLessThan(500)
        const { issues, msg } = sent.json() as { issues: { path: unknown[] }[]; msg: string }
        const names = [...issues.flatMap((i) => i.path), msg].join(' ')
        // invalid owners and resources in use have the platform's own messages
        const owner = /^(account|service_provider)_sid$/.test(member)
        if (!owner) expect(names, label).toContain(member)
        continue
      }
      known = undefined
      const after = (await t.request(who, 'GET', path)).json() as Record<string, unknown>
      if (UNREADABLE.includes(member)) expect(await rowOf(), label).not.toEqual(row)
      else if (value !== undefined)
        expect([after[member], (await rowOf())[member]].map(plain), label).not.toEqual(
          [before[member], row[member]].map(plain),
        )
      // the next field starts from the same resource
      const back = await t.request('admin', 'PUT', path, { [member]: before[member] ?? null })
      expect([200, 201, 204, 400, 403, 422], back.body).toContain(back.statusCode)
    }
  })
})
