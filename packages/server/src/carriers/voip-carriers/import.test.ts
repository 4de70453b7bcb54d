import {
  AUTH_NEEDS_BOTH,
  api,
  CARRIER_IMPORT_MAX_ROWS,
  CARRIER_NAME_TAKEN,
  FQDN_OUTBOUND_ONLY,
  GATEWAY_ADDRESS,
  GATEWAY_TAKEN,
  type ImportProgress,
  STATIC_IP_NEEDS_INBOUND,
} from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { recordStatements } from '../../../test/statements.ts'

const recorded = recordStatements()
let t: TestApp
beforeAll(async () => {
  t = await testApp({ APPLY_JAMBONZ_DB_LIMITS: '1' }, undefined, recorded.tracing)
  const hook = { url: 'https://example.com/x' }
  await t.as('a1')(api.applications.create, {
    body: { name: 'Front', call_hook: hook, call_status_hook: hook },
  })
})
afterAll(() => t.close())

async function run(who: string, csv: string, query = '') {
  const { statusCode, body } = await t.request(who, 'POST', `/VoipCarriers/Import${query}`, csv)
  if (statusCode !== 200) return { statusCode }
  const last = JSON.parse(body.trim().split('\n').at(-1)!) as ImportProgress
  return 'verdict' in last ? last.verdict : last
}
const problemsOf = async (who: string, csv: string) => {
  const verdict = await run(who, csv)
  return 'problems' in verdict ? verdict.problems : verdict
}
const carrierNamed = async (who: string, name: string) => {
  const { data } = await t.as(who)(api.voipCarriers.list, { query: { page: 1, filter: name } })
  return t.as(who)(api.voipCarriers.view, { params: data[0]! })
}

const HEAD = 'name,account,gateway,netmask,port,inbound,outbound'
const file = (...lines: string[]) => `${[HEAD, ...lines].join('\n')}\n`

describe('a file of carriers', () => {
  const csv = [
    'name,account,trunk_type,tech_prefix,application,register_username,register_password,register_sip_realm,gateway,netmask,port,protocol,inbound,outbound',
    "North,a1,static_ip,'+777,Front,,,,10.20.0.0,24,,,1,0",
    'South,,reg,,,trunk,CANARY-register,sip.example.com,sip.example.com,,,tls,,true',
    'North,a1,,,,,,,10.30.0.1,,5080,,1,1',
    'north,A1,static_ip,+777,,,,,10.30.0.1,,5081,,0,1',
  ].join('\n')

  it('adds each with its gateways, in one transaction', async () => {
    const dry = await run('sp1', csv, '?dry_run=1')
    expect(dry).toEqual({ rows: 4, added: 4, bad_rows: 0, problems: [] })
    expect((await t.request('sp1', 'GET', '/VoipCarriers')).json()).toEqual([])
    expect(await run('sp1', csv)).toEqual(dry)

    expect(await carrierNamed('sp1', 'North')).toMatchObject({
      account_sid: t.sids.a1,
      service_provider_sid: t.sids.sp1,
      tech_prefix: '+777',
      trunk_type: 'static_ip',
      is_active: 1,
      sip_gateways: [
        { ipv4: '10.20.0.0', netmask: 24, port: 5060, inbound: 1, outbound: 0, protocol: 'udp' },
        { ipv4: '10.30.0.1', netmask: 32, port: 5080, inbound: 1, outbound: 1 },
        { ipv4: '10.30.0.1', netmask: 32, port: 5081, inbound: 0, outbound: 1 },
      ],
      smpp_gateways: [],
    })
    expect(await carrierNamed('sp1', 'South')).toMatchObject({
      account_sid: null,
      service_provider_sid: t.sids.sp1,
      register_password: 'CANARY-register',
      sip_gateways: [{ ipv4: 'sip.example.com', port: null, protocol: 'tls', outbound: 1 }],
    })
  })

  it('is not taken twice, since an import only adds', async () => {
    expect(await problemsOf('sp1', csv)).toEqual([
      { line: 2, column: 'name', message: CARRIER_NAME_TAKEN },
      { line: 3, column: 'name', message: CARRIER_NAME_TAKEN },
    ])
  })

  it('has an entry for each carrier in the audit log, with its gateways and no password', async () => {
    const { data } = await t.as('sp1')(api.audit.list, {
      query: { page: 1, action: 'create', kind: 'voip_carrier' },
    })
    expect(data.map((e) => [e.name, e.account_sid]).sort()).toEqual([
      ['North', t.sids.a1],
      ['South', null],
    ])
    const log = JSON.stringify(await t.db.selectFrom('switchroom_audit').selectAll().execute())
    expect(log).toContain('10.30.0.1')
    const exported = (await t.request('sp1', 'GET', '/VoipCarriers/Export')).body
    const refused = await run(
      'sp1',
      'name,register_username,register_password,gateway\nx,a b,CANARY-x,nowhere\n',
    )
    const told = [log, exported, JSON.stringify(refused), t.lines.join()].join()
    expect(told).not.toContain('CANARY')
  })

  it('can be imported elsewhere as it was exported', async () => {
    const exported = (await t.request('sp1', 'GET', '/VoipCarriers/Export?filter=North')).body
    const lines = exported.trim().split('\r\n')
    expect(lines).toHaveLength(4)
    await t.as('sp2')(api.accounts.create, { body: { name: 'a1' } })
    const { data } = await t.as('sp2')(api.accounts.list, { query: { page: 1, filter: 'a1' } })
    const hook = { url: 'https://example.com/x' }
    const { account_sid } = data[0]!
    await t.as('sp2')(api.applications.create, {
      body: { name: 'Front', call_hook: hook, call_status_hook: hook, account_sid },
    })
    expect(await run('sp2', exported)).toMatchObject({ added: 3, bad_rows: 0 })
    const own = async (who: string) => {
      const carrier = await carrierNamed(who, 'North')
      const { name, tech_prefix, dtmf_type } = carrier
      const gateways = carrier.sip_gateways.map(
        ({ sip_gateway_sid: _, voip_carrier_sid: __, ...g }) => g,
      )
      return { name, tech_prefix, dtmf_type, gateways }
    }
    expect(await own('sp2')).toEqual(await own('sp1'))
    // carriers of another provider are not in the file, nor any that an account cannot see
    expect((await t.request('b1', 'GET', '/VoipCarriers/Export')).body).not.toContain('North')
    expect((await t.request('a2', 'GET', '/VoipCarriers/Export')).body).not.toContain('North')
  })

  it('costs a few statements per batch when exported', async () => {
    const statements = await recorded.during(() => t.request('sp1', 'GET', '/VoipCarriers/Export'))
    expect(statements.filter((s) => /sip_gateways|applications/.test(s)).length).toBeLessThan(4)
  })
})

it('refuses what a carrier that is saved alone could not be, and names line and column', async () => {
  const cells = `${HEAD},trunk_type,tech_prefix,inbound_auth_username,register_sip_realm`
  const csv = [
    cells,
    'One,a1,10.0.0.1,,,0,1,,,,',
    'Two,a1,sip.example.com,,,1,1,,,,',
    'Three,a1,10.0.0.1,24,,0,1,,,,',
    'Four,a1,10.0.0,,,1,1,,,,',
    'Five,a1,10.0.0.5,,,0,1,auth,,jane,',
    'Six,a1,10.0.0.6,,,1,1,,,,',
    'Six,a1,10.0.0.6,,5060,1,1,,,,',
    'Six,a1,10.0.0.6,,5060,0,1,,,,',
    'Seven,a1,10.0.0.7,,,1,1,,12,,',
    'Eight,a1,10.0.0.8,,,1,1,static_ip,123,,',
    'Eight,a1,10.0.0.9,,,1,1,auth,,,',
    'Nine,a1,10.0.0.9,,99999,1,1,,,,',
    'Nine,a1,10.0.0.10,,,0,1,,,,',
    'Ten,b1,10.0.0.9,,,1,1,,,,',
    'Eleven,a1,,,,,,,,,',
    'Twelve,a1,10.0.0.9,,,1,1,,,,sip:example.com',
    ',a1,10.0.0.9,,,1,1,,,,',
  ].join('\n')
  expect(await problemsOf('sp1', csv)).toEqual([
    { line: 2, column: 'gateway', message: STATIC_IP_NEEDS_INBOUND },
    { line: 3, column: 'gateway', message: FQDN_OUTBOUND_ONLY },
    { line: 4, column: 'netmask', message: 'An outbound-only gateway must have netmask 32' },
    { line: 5, column: 'gateway', message: GATEWAY_ADDRESS },
    { line: 6, column: 'inbound_auth_password', message: AUTH_NEEDS_BOTH },
    { line: 8, column: 'gateway', message: GATEWAY_TAKEN },
    { line: 9, column: 'gateway', message: GATEWAY_TAKEN },
    { line: 10, column: 'tech_prefix', message: 'Tech prefix must have at least 3 characters' },
    { line: 12, column: 'trunk_type', message: 'Differs from line 11 of the same carrier' },
    { line: 13, column: 'port', message: 'Port can be at most 65535' },
    { line: 15, column: 'account', message: 'No such account' },
    { line: 16, column: 'gateway', message: STATIC_IP_NEEDS_INBOUND },
    {
      line: 17,
      column: 'register_sip_realm',
      message: 'SIP realm must be a domain name or IP address without spaces or a sip: prefix',
    },
    { line: 18, column: 'name', message: 'Enter the name' },
  ])
})

describe('whose carriers', () => {
  it('are the caller’s own, or of accounts that it sees', async () => {
    expect(await run('a1', file('Own,,10.1.0.1,,,1,1'))).toMatchObject({ added: 1 })
    expect(await carrierNamed('a1', 'Own')).toMatchObject({ account_sid: t.sids.a1 })
    for (const account of ['a2', 'b1', t.sids.b1])
      expect(await problemsOf('a1', file(`New,${account},10.1.0.1,,,1,1`))).toEqual([
        { line: 2, column: 'account', message: 'No such account' },
      ])
    expect(await run('sp1-viewer', file('New,,10.1.0.1,,,1,1'))).toEqual({ statusCode: 403 })
    const foreign = `?service_provider_sid=${t.sids.sp2}`
    expect(await run('sp1', file('New,,10.1.0.1,,,1,1'), foreign)).toEqual({ statusCode: 404 })
  })

  it('are one, by the account’s name and its sid', async () => {
    const csv = file('Twice,a1,10.1.0.1,,,1,1', `Twice,${t.sids.a1},10.1.0.2,,,1,1`)
    expect(await problemsOf('sp1', csv)).toEqual([
      { line: 3, column: 'name', message: 'Duplicate of the carrier in line 2' },
    ])
  })

  it('need a provider that an administrator names', async () => {
    const csv = file('Given,,10.1.0.1,,,1,1')
    expect(await problemsOf('admin', csv)).toEqual([
      { line: 2, column: 'account', message: 'Enter the account' },
    ])
    const query = `?service_provider_sid=${t.sids.sp2}`
    expect(await run('admin', csv, query)).toMatchObject({ added: 1 })
    expect(await carrierNamed('sp2', 'Given')).toMatchObject({ service_provider_sid: t.sids.sp2 })
  })

  it('have applications of their own account only', async () => {
    const csv = (account: string) =>
      `name,account,application,gateway,inbound\nWith,${account},Front,10.1.0.1,1\n`
    expect(await problemsOf('sp1', csv('a2'))).toEqual([
      { line: 2, column: 'application', message: 'No such application' },
    ])
    expect(await problemsOf('sp1', csv(''))).toEqual([
      {
        line: 2,
        column: 'application',
        message: 'Only a carrier of an account can have an application',
      },
    ])
  })

  it('are limited in number with their gateways', async () => {
    const carriers = Array.from({ length: 10 }, (_, i) => `Many ${i},,10.2.0.${i},,,1,1`)
    expect(await run('a2', file(...carriers, 'Many 10,,10.2.0.10,,,1,1'))).toEqual({
      msg: 'An account can have at most 10. This one has 0, and this would add 11.',
    })
    const gateways = Array.from({ length: 151 }, (_, i) => `Wide,,10.3.0.${i},,,1,1`)
    expect(await run('a2', file(...gateways))).toEqual({
      msg: 'An account can have at most 150. This one has 0, and this would add 151.',
    })
    expect(await run('a2', file(...carriers))).toMatchObject({ added: 10 })
  })

  it('are bounded in one file', async () => {
    const lines = Array.from({ length: CARRIER_IMPORT_MAX_ROWS + 1 }, () => 'x,,10.0.0.1,,,1,1')
    expect(await problemsOf('sp1', file(...lines))).toEqual([
      { line: CARRIER_IMPORT_MAX_ROWS + 2, message: 'At most 2,000 rows in one file' },
    ])
  })
})

it('takes a large file of many gateways per carrier', async () => {
  const lines = Array.from(
    { length: CARRIER_IMPORT_MAX_ROWS },
    (_, i) => `Large ${i % 200},a1,10.${9 + Math.floor(i / 256)}.0.${i % 256},,,1,1`,
  )
  expect(await run('sp1', file(...lines))).toMatchObject({ added: CARRIER_IMPORT_MAX_ROWS })
  expect((await carrierNamed('sp1', 'Large 199')).sip_gateways).toHaveLength(10)
}, 30_000)

it('is closed to accounts where the operator keeps carriers to itself', async () => {
  const closed = await testApp({ JAMBONES_ADMIN_CARRIER: '1', DISABLE_DEFAULT_TRUNK_ROUTING: '1' })
  const send = (who: string, csv: string) =>
    closed.request(who, 'POST', '/VoipCarriers/Import', csv)
  expect((await send('a1', file('x,,10.0.0.1,,,1,1'))).statusCode).toBe(400)
  const routed = await send(
    'sp1',
    'name,account,application,gateway,inbound\nx,a1,Front,10.0.0.1,1\n',
  )
  expect(routed.body).toContain('"column":"application","message":"insufficient privileges"')
  await closed.close()
})
