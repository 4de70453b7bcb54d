import { randomUUID } from 'node:crypto'
import { SIP_REALM_TAKEN } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { testDns } from '../../../test/stand-ins/dns.ts'

const ROOT = 'sip.example.com'
let t: TestApp
let dns: Awaited<ReturnType<typeof testDns>>

beforeEach(async () => {
  dns = await testDns('example.com')
  t = await testApp({ ENABLE_HOSTED_SYSTEM: '1', ...dns.environment })
  await t.db
    .updateTable('service_providers')
    .set({ root_domain: ROOT })
    .where('service_provider_sid', '=', t.sids.sp1)
    .execute()
  for (const [ipv4, port] of [
    ['198.51.100.1', 5060],
    ['198.51.100.1', 5070],
    ['198.51.100.2', 5060],
  ] as const)
    await t.db
      .insertInto('sbc_addresses')
      .values({ sbc_address_sid: randomUUID(), ipv4, port })
      .execute()
})
afterEach(async () => {
  await t.close()
  await dns.close()
})

const setRealm = (who: string, account: string, realm: string) =>
  t.request(who, 'POST', `/Accounts/${account}/SipRealms/${realm}`)
const realmOf = async (account_sid: string) =>
  (
    await t.db
      .selectFrom('accounts')
      .select('sip_realm')
      .where('account_sid', '=', account_sid)
      .executeTakeFirstOrThrow()
  ).sip_realm
const storedRealms = async () =>
  (await t.db.selectFrom('dns_records').selectAll().execute())
    .map((r) => [r.record_type, r.record_id])
    .sort()
const zoneRecords = () => dns.state.records.map((r) => [r.type, r.id]).sort()

describe('a realm', () => {
  it('is added to DNS, and its records are stored', async () => {
    expect((await setRealm('a1', t.sids.a1, `Acme.${ROOT}`)).statusCode).toBe(204)
    expect(await realmOf(t.sids.a1)).toBe(`acme.${ROOT}`)
    expect(dns.state.records.map((r) => [r.type, r.name, r.value, r.ttl])).toEqual([
      ['A', 'acme.sip', '198.51.100.1', 3600],
      ['A', 'acme.sip', '198.51.100.2', 3600],
      ['SRV', '_sip._udp.acme.sip', `acme.${ROOT}.`, 3600],
    ])
    expect(await storedRealms()).toEqual(zoneRecords())
  })

  it('replaces the old one, in DNS too', async () => {
    await setRealm('a1', t.sids.a1, `acme.${ROOT}`)
    expect((await setRealm('a1', t.sids.a1, `other.${ROOT}`)).statusCode).toBe(204)
    expect(dns.state.records.map((r) => r.name)).toEqual([
      'other.sip',
      'other.sip',
      '_sip._udp.other.sip',
    ])
    expect(await storedRealms()).toEqual(zoneRecords())
    // the name is free again
    expect((await setRealm('a2', t.sids.a2, `acme.${ROOT}`)).statusCode).toBe(204)
  })

  it('goes to one of several concurrent requests', async () => {
    const answers = await Promise.all([
      setRealm('a1', t.sids.a1, `acme.${ROOT}`),
      setRealm('a2', t.sids.a2, `ACME.${ROOT}`),
    ])
    expect(answers.map((a) => a.statusCode).sort()).toEqual([204, 422])
    const lost = answers.find((a) => a.statusCode === 422)!
    expect(lost.json().msg).toBe(SIP_REALM_TAKEN)
    expect(dns.state.records).toHaveLength(3)
    const realms = [await realmOf(t.sids.a1), await realmOf(t.sids.a2)]
    expect(realms.filter((r) => r === `acme.${ROOT}`)).toHaveLength(1)
  })

  it('is added once for concurrent requests of one account', async () => {
    const ask = () => setRealm('a1', t.sids.a1, `acme.${ROOT}`)
    const answers = await Promise.all([ask(), ask()])
    expect(answers.map((a) => a.statusCode)).toContain(204)
    for (const { statusCode } of answers) expect([204, 429]).toContain(statusCode)
    expect(await realmOf(t.sids.a1)).toBe(`acme.${ROOT}`)
    expect(dns.state.records).toHaveLength(3)
    expect(await storedRealms()).toEqual(zoneRecords())
  })

  it('is rejected when DNS already has that name', async () => {
    dns.state.records.push({ id: 1, name: 'portal.sip', type: 'CNAME', value: 'www.example.com.' })
    const answer = await setRealm('a1', t.sids.a1, `portal.${ROOT}`)
    expect([answer.statusCode, answer.json().msg]).toEqual([422, SIP_REALM_TAKEN])
    expect(await realmOf(t.sids.a1)).toBe(null)
  })

  it('stays unchanged when DNS fails halfway, and leaves no records', async () => {
    await setRealm('a1', t.sids.a1, `acme.${ROOT}`)
    const before = zoneRecords()
    dns.state.failsFrom = 4
    const answer = await setRealm('a1', t.sids.a1, `other.${ROOT}`)
    expect([answer.statusCode, answer.json().msg]).toEqual([
      502,
      `failure updating dns records for other.${ROOT}`,
    ])
    expect(await realmOf(t.sids.a1)).toBe(`acme.${ROOT}`)
    expect(zoneRecords()).toEqual(before)
    expect(await storedRealms()).toEqual(before)
  })

  it('stays unchanged when DNS is unreachable', async () => {
    dns.state.down = true
    expect((await setRealm('a1', t.sids.a1, `acme.${ROOT}`)).statusCode).toBe(502)
    expect(await realmOf(t.sids.a1)).toBe(null)
    expect(`${t.lines.join('\n')}`).not.toContain('canary')
  })

  it('without DNS records gets them when it is saved again', async () => {
    await t.db
      .updateTable('accounts')
      .set({ sip_realm: `acme.${ROOT}` })
      .where('account_sid', '=', t.sids.a1)
      .execute()
    dns.state.records.push({ id: 1, name: 'acme.sip', type: 'A', value: '198.51.100.1' })
    expect((await setRealm('a1', t.sids.a1, `acme.${ROOT}`)).statusCode).toBe(204)
    expect(dns.state.records).toHaveLength(3)
    expect(await storedRealms()).toEqual(zoneRecords())
  })

  it('of an account is one label below its provider’s domain', async () => {
    for (const realm of [
      'acme.example.org',
      `ab.${ROOT}`,
      `a.b.${ROOT}`,
      'acme.other.example.com',
      ROOT,
    ]) {
      const answer = await setRealm('a1', t.sids.a1, realm)
      expect([answer.statusCode, answer.json().msg], realm).toEqual([
        400,
        `invalid sip_realm: ${realm}`,
      ])
    }
    await t.db
      .updateTable('service_providers')
      .set({ root_domain: `east.${ROOT}` })
      .where('service_provider_sid', '=', t.sids.sp2)
      .execute()
    expect((await setRealm('a1', t.sids.a1, `east.${ROOT}`)).statusCode).toBe(422)
    expect(dns.state.records).toEqual([])
  })

  it('needs an SBC address to point to', async () => {
    await t.db.deleteFrom('sbc_addresses').execute()
    const answer = await setRealm('a1', t.sids.a1, `acme.${ROOT}`)
    expect([answer.statusCode, answer.json().msg]).toEqual([
      503,
      expect.stringMatching(/^This service has no address for SIP realms yet/),
    ])
  })

  it('is removed from DNS with its account', async () => {
    await setRealm('sp1', t.sids.a1, `acme.${ROOT}`)
    expect((await t.request('admin', 'DELETE', `/Accounts/${t.sids.a1}`, {})).statusCode).not.toBe(
      500,
    )
    await t.db.deleteFrom('api_keys').where('account_sid', '=', t.sids.a1).execute()
    const answer = await t.request('admin', 'DELETE', `/Accounts/${t.sids.a1}`, {})
    expect(answer.statusCode, answer.body).toBe(204)
    expect(dns.state.records).toEqual([])
  })

  it.each(['a2', 'b1', 'sp2', 'a1-viewer'])('cannot be set by %s', async (who) => {
    expect((await setRealm(who, t.sids.a1, `acme.${ROOT}`)).statusCode).toBe(403)
    expect(await realmOf(t.sids.a1)).toBe(null)
    expect(dns.state.records).toEqual([])
  })
})
