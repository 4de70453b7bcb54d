import { createSocket } from 'node:dgram'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api, type TrunkReport } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { callLine, send, storeKinds, type TestStore, testStore } from '../../../test/calls.ts'
import { type HepMessage, hep, sipText } from '../../../test/hep.ts'
import { memory } from '../../http/memory.ts'
import { StoreUnavailable } from '../../stores/kit/unavailable.ts'
import { embeddedCaptures } from '../../stores/sip/files/store.ts'

/** Secrets that must not reach the carrier's support staff. */
const CALLER = '15085550147'
const CALLED = '442079460958'
const OTHER = '33155501234'
const SECRETS = [
  '5085550147',
  '2079460958',
  '155501234',
  '5550147',
  '9460958',
  'Wilhelmina',
  'Canary GmbH',
  'canary-realm',
  'canary-header',
  'canary-digest',
  'canary-key',
  'canary-login',
  'canary-body',
  'canary-leg',
  'app-canary',
  'call-canary',
  'trace-canary',
  'south',
  'feature-server',
  '10.9.8.7',
  '10.9.8.8',
  '203.0.113.99',
]
const DAY = 86_400_000
const SBC: [string, number] = ['10.9.8.7', 5060]
const NORTH: [string, number] = ['203.0.113.7', 5060]
const SOUTH: [string, number] = ['203.0.113.99', 5060]
const FEATURE: [string, number] = ['10.9.8.8', 5060]

const SDP = [
  'v=0',
  'o=Wilhelmina 15085550147 2 IN IP4 198.51.100.1',
  's=Canary GmbH',
  'i=canary-body',
  'c=IN IP4 198.51.100.1',
  't=0 0',
  'm=audio 40000 RTP/AVP 0 101',
  'a=rtpmap:0 PCMU/8000',
  'a=rtpmap:101 telephone-event/8000',
  'a=fmtp:101 0-15',
  'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:canary-key',
  'a=ice-pwd:canary-key',
  'a=X-nat:canary-header',
  'a=sendrecv',
  '',
].join('\r\n')

const HEADERS = (account: string) => [
  `Contact: "Wilhelmina" <sip:canary-login@198.51.100.1:5060;transport=udp;ob=canary-header>;+sip.instance="<urn:uuid:canary-header>"`,
  `P-Asserted-Identity: "Wilhelmina" <sip:+${CALLER}@sip.canary-realm.example>, <tel:+${CALLER};ext=canary-header>`,
  `Remote-Party-ID: Wilhelmina <sip:${CALLER}@canary-realm.example>;party=calling;screen=yes;privacy=off`,
  `Diversion: <sip:+${OTHER};npdi;rn=+${CALLED}@canary-realm.example>;reason=unconditional;canary-header=1`,
  `History-Info: <sip:+${OTHER}@canary-realm.example?Reason=canary-header>;index=1`,
  `Authorization: Digest username="canary-login", realm="canary-realm", response="canary-digest"`,
  `Proxy-Authorization: Digest username="canary-login",`,
  ` response="canary-digest"`,
  `X-Account-Sid: ${account}`,
  'X-Application-Sid: app-canary-0001',
  'X-Canary: canary-header',
  'Identity: canary-header',
  'Subject: canary-header',
  'User-to-User: canary-header',
  'User-Agent: canary-header',
  'Reason: SIP;cause=480;text="canary-header"',
  `Warning: 399 canary-realm "${CALLER} canary-header"`,
  'Supported: 100rel, timer',
  'Max-Forwards: 70',
  'Content-Type: application/sdp',
]

/** Messages that the capture agent sees of a call that goes out over north, after south has refused it. */
function captured(account: string, call_id: string, at: number): HepMessage[] {
  const first = `INVITE sip:+${CALLED}@203.0.113.7;user=phone;x=canary-header SIP/2.0`
  const leg = `leg-${CALLED}-${at}@192.0.2.1`
  const ends = (from: [string, number], to: [string, number]) => ({ source: from, destination: to })
  const invite = (id: string, more: string[] = []) =>
    sipText(first, {
      call_id: id,
      branch: `z9hG4bK${CALLED}`,
      headers: [...HEADERS(account), ...more],
      body: SDP,
    })
      .replace(
        'From: <sip:1000@pbx>;tag=a',
        `From: "Wilhelmina" <sip:${CALLER}@canary-realm>;tag=a-${CALLER}`,
      )
      .replace('To: <sip:2000@pbx>', `To: Canary GmbH <sip:+${CALLED}@203.0.113.7>`)
  const answer = (id: string, text: string, more: string[] = []) =>
    sipText(`SIP/2.0 ${text}`, { call_id: id, branch: `z9hG4bK${CALLED}`, headers: more })
  const cid = [`X-CID: ${call_id}`]
  return [
    { text: invite(call_id), ...ends(FEATURE, SBC), at },
    {
      text: invite(`canary-leg-${at}`, cid),
      ...ends(SBC, SOUTH),
      at: at + 10,
      correlation: call_id,
    },
    { text: answer(`canary-leg-${at}`, '503 canary-header'), ...ends(SOUTH, SBC), at: at + 20 },
    { text: invite(leg, cid), ...ends(SBC, NORTH), at: at + 30, correlation: call_id },
    { text: invite(leg, cid), ...ends(SBC, NORTH), at: at + 530, correlation: call_id },
    {
      text: answer(leg, `486 Busy, ask ${CALLED} or jo@north.example`, [
        'Server: Northwind SBC 7.1',
        `Reason: Q.850;cause=17;text="User busy at ${CALLED}"`,
      ]),
      ...ends(NORTH, SBC),
      at: at + 600,
    },
    { text: answer(call_id, '486 canary-header'), ...ends(SBC, FEATURE), at: at + 610 },
  ]
}

describe.each(storeKinds)('the trunk report with call records in %s', (kind) => {
  let t: TestApp
  let calls: TestStore
  let folder: string
  let captures: ReturnType<typeof embeddedCaptures>
  let port: number
  let token: string
  let serial = 0

  type Group = {
    of?: 'a1' | 'a2' | 'b1'
    trunk?: string
    at: number
    count?: number
    /** Seconds that answered calls last. */
    talked?: number
    status?: number
    fields?: Record<string, string | number>
  }
  async function write(...groups: Group[]) {
    const lines = groups.flatMap(
      ({ of = 'a1', trunk = 'north', at, count = 1, talked, status = 486, fields }) =>
        Array.from({ length: count }, () => {
          serial++
          return callLine({
            ms: at,
            ns: serial,
            tags: {
              account_sid: t.sids[of],
              service_provider_sid: of === 'b1' ? t.sids.sp2 : t.sids.sp1,
              answered: String(talked !== undefined),
              direction: 'outbound',
              trunk,
              host: 'feature-server',
            },
            fields: {
              call_sid: `call-canary-${serial}`,
              application_sid: 'app-canary-0001',
              trace_id: `trace-canary-${serial}`,
              sip_callid: `sip-${serial}@feature-server`,
              sip_status: talked === undefined ? status : 200,
              termination_reason: 'Canary GmbH',
              from: CALLER,
              to: `+${CALLED}`,
              remote_host: '203.0.113.7',
              terminated_at: at + 5_000,
              ...(talked !== undefined && { answered_at: at + 2_000, duration: talked }),
              ...fields,
            },
          })
        }),
    )
    expect(await send(calls, lines.join('\n'))).toMatchObject({ status: 204 })
  }

  async function capture(messages: HepMessage[]) {
    const socket = createSocket('udp4')
    for (const message of messages)
      await new Promise<void>((done, fail) =>
        socket.send(hep(message), port, '127.0.0.1', (e) => (e ? fail(e) : done())),
      )
    socket.close()
  }

  const addCarrier = async (who: string, name: string, body: object = {}) => {
    const { sid } = await t.as(who)(api.voipCarriers.create, { body: { name, ...body } })
    return (
      await t.as(who)(api.trunkReportLinks.create, {
        params: { voip_carrier_sid: sid },
        body: { label: 'x', days: 1 },
      })
    ).token
  }
  const open = async (with_token: string, time_zone = 'UTC') => {
    t.ctx.memory = memory(t.ctx.databaseUse)
    return t.as('')(api.trunkReport.view, { body: { token: with_token, time_zone } })
  }
  const numbers = ({ total: { seconds_to_answer: _, ...total }, causes }: TrunkReport) => ({
    total,
    causes,
  })
  const today = Math.floor(Date.now() / DAY) * DAY

  beforeAll(async () => {
    t = await testApp({ SWITCHROOM_INGEST_HEP: '127.0.0.1:0' })
    calls = await testStore(kind, 60)
    folder = mkdtempSync(join(tmpdir(), 'switchroom-captures-'))
    captures = embeddedCaptures({
      folder,
      days: 30,
      max_bytes: 1e9,
      listen: { host: '127.0.0.1', port: 0 },
      key: undefined,
    })
    port = (await captures.open())!
    Object.assign(t.ctx.stores, { calls: calls.calls, captures })
    token = await addCarrier('a1', 'north', {
      sip_gateways: [{ ipv4: '203.0.113.0', netmask: 28, inbound: 1, outbound: 1 }],
    })
    await addCarrier('a1', 'south', {
      sip_gateways: [{ ipv4: '203.0.113.99', netmask: 32, inbound: 1, outbound: 1 }],
    })
    await write(
      { at: today - 30 * DAY, count: 3, talked: 90 },
      { at: today - 30 * DAY - 60_000, count: 2, talked: 30 },
      { at: today - 2 * DAY + 1, count: 4, status: 503 },
      { at: Date.now() - 10_000, count: 6, talked: 60 },
      { at: Date.now() - 9_000, status: 404 },
    )
  })
  afterAll(async () => {
    await t.close()
    await calls.close()
    await captures.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('has the last 30 full days and today', async () => {
    const report = await open(token)
    expect(report.days).toHaveLength(31)
    expect(report.days[0]).toEqual({
      date: new Date(today - 30 * DAY).toISOString().slice(0, 10),
      ...{ calls: 3, answered: 3, not_answered: 0, seconds: 270, seconds_to_answer: 2 },
    })
    expect(report.days[28]).toMatchObject({ calls: 4, answered: 0, not_answered: 4, seconds: 0 })
    expect(numbers(report)).toEqual({
      total: { calls: 14, answered: 9, not_answered: 5, seconds: 630 },
      causes: [
        { sip_status: 503, calls: 4 },
        { sip_status: 404, calls: 1 },
      ],
    })
    const shown = report.failed_calls.map((call) => call.sip_status)
    expect(shown).toEqual([503, 503, 503, 503, 404])
    expect(report.failed_calls[0]).toMatchObject({ from: '1xxxxxxxx47', to: '+44xxxxxxxx58' })
  })

  it('has the days of another time zone', async () => {
    // the day begins before the UTC day
    const report = await open(token, 'Asia/Kolkata')
    expect(report.time_zone).toBe('Asia/Kolkata')
    expect(report.days).toHaveLength(31)
    expect(report.days.reduce((sum, day) => sum + day.calls, 0)).toBe(report.total.calls)
    const answer = await t.request('', 'POST', '/TrunkReport', { token, time_zone: 'Mars/Base' })
    expect(answer.json().issues[0].path).toEqual(['time_zone'])
  })

  it('has no calls of others, whatever their carriers are called', async () => {
    const before = numbers(await open(token))
    const shared = await addCarrier('sp1', 'north')
    const foreign = await addCarrier('b1', 'north')
    const ownerless = await addCarrier('admin', 'north')
    await write(
      { of: 'a2', at: Date.now() - 8_000, count: 3, status: 603 },
      { of: 'b1', at: Date.now() - 8_000, count: 5, status: 608 },
      { at: Date.now() - 8_000, trunk: 'south', count: 7, status: 606 },
    )
    expect(numbers(await open(token))).toEqual(before)
    const causes = async (of: string) => {
      const report = await open(of)
      // and no call of theirs is shown
      expect(new Set(report.failed_calls.map((call) => call.sip_status))).toEqual(
        new Set(report.causes.map((cause) => cause.sip_status)),
      )
      return report.causes
    }
    expect(await causes(shared)).toEqual([{ sip_status: 603, calls: 3 }])
    expect(await causes(foreign)).toEqual([{ sip_status: 608, calls: 5 }])
    expect(await causes(ownerless)).toEqual([])
  })

  it('shows the SIP between SBC and carrier, and nothing of anybody', async () => {
    const at = Date.now() - 60_000
    await write({ at, status: 487 })
    await capture(captured(t.sids.a1, `sip-${serial}@feature-server`, at))
    const shown = async () =>
      (await open(token)).failed_calls.find((call) => call.sip_status === 487)?.ladder
    await expect.poll(shown, { interval: 300 }).toMatchObject({ messages: [{}, {}, {}] })
    const answer = await t.request('', 'POST', '/TrunkReport', { token })
    for (const canary of [...SECRETS, ...Object.values(t.sids)])
      expect(answer.body.toLowerCase(), canary).not.toContain(canary.toLowerCase())
    expect(answer.body).not.toMatch(/^(?:x-|(?:proxy-)?authorization)/im)

    const ladder = (await shown())!
    expect(ladder.parties).toEqual([
      { address: 'SBC', port: 5060 },
      { address: '203.0.113.7', port: 5060 },
    ])
    expect(ladder.legs).toEqual([{ call_id: expect.stringMatching(/^hidden-/), parent: null }])
    expect(ladder.messages.map(({ label, repeats }) => [label, repeats])).toEqual([
      ['INVITE', null],
      ['INVITE', 0],
      ['486 Busy, ask 44xxxxxxxx58 or user@hidden', null],
    ])
    const [invite, , busy] = ladder.messages
    expect(invite!.raw.split('\r\n')).toEqual([
      'INVITE sip:+44xxxxxxxx58@203.0.113.7;user=phone SIP/2.0',
      expect.stringMatching(/^Via: SIP\/2\.0\/UDP 192\.0\.2\.1:5060;branch=hidden-[\da-f]{12}$/),
      expect.stringMatching(/^From: <sip:1xxxxxxxx47@hidden\.invalid>;tag=hidden-[\da-f]{12}$/),
      'To: <sip:+44xxxxxxxx58@203.0.113.7>',
      `Call-ID: ${ladder.legs[0]!.call_id}`,
      'CSeq: 1 INVITE',
      'Contact: <sip:user@198.51.100.1:5060;transport=udp>',
      'P-Asserted-Identity: <sip:+1xxxxxxxx47@hidden.invalid>, <tel:+1xxxxxxxx47>',
      'Remote-Party-ID: <sip:1xxxxxxxx47@hidden.invalid>;party=calling;screen=yes;privacy=off',
      'Diversion: <sip:+33xxxxxxx34@hidden.invalid>;reason=unconditional',
      'History-Info: <sip:+33xxxxxxx34@hidden.invalid>;index=1',
      'Reason: SIP;cause=480',
      'Supported: 100rel, timer',
      'Max-Forwards: 70',
      'Content-Type: application/sdp',
      '(11 headers not shown)',
      '',
      'v=0',
      'o=- 0 0 IN IP4 198.51.100.1',
      's=-',
      'c=IN IP4 198.51.100.1',
      't=0 0',
      'm=audio 40000 RTP/AVP 0 101',
      'a=rtpmap:0 PCMU/8000',
      'a=rtpmap:101 telephone-event/8000',
      'a=fmtp:101 0-15',
      'a=sendrecv',
    ])
    expect(busy!.raw).toContain('Server: Northwind SBC 7.1')
    expect(busy!.raw).toContain('Reason: Q.850;cause=17;text="User busy at 44xxxxxxxx58"')
    expect(ladder.diagnosis.map((finding) => finding.text)).toContainEqual(
      expect.stringMatching(/^The called user is busy/),
    )
  })

  it('takes the address that was used for a carrier with a name', async () => {
    const named = await addCarrier('a1', 'named', {
      trunk_type: 'reg',
      requires_register: 1,
      register_username: 'canary-login',
      register_password: 'canary-key',
      register_sip_realm: 'north.example',
      sip_gateways: [{ ipv4: 'sip.north.example', inbound: 0, outbound: 1 }],
    })
    const at = Date.now() - 50_000
    await write({ at, trunk: 'named', status: 480, fields: { remote_host: '203.0.113.7:5060' } })
    await capture(captured(t.sids.a1, `sip-${serial}@feature-server`, at))
    await expect
      .poll(async () => (await open(named)).failed_calls[0]?.ladder?.messages.length, {
        interval: 300,
      })
      .toBe(3)
  })

  it('is shown without SIP while that cannot be read', async () => {
    const { find } = captures
    captures.find = () => Promise.reject(new StoreUnavailable('Homer is down'))
    const report = await open(token)
    captures.find = find
    expect(report).toMatchObject({ captures: 'unavailable', total: { answered: 9 } })
    expect(report.failed_calls.every((call) => call.ladder === null)).toBe(true)
  })

  it('is read once for everybody who opens it within two minutes', async () => {
    await open(token)
    const { memory: warm } = t.ctx
    const { list } = calls.calls
    calls.calls.list = () => Promise.reject(new Error('read again'))
    const again = await t.as('')(api.trunkReport.view, { body: { token } })
    calls.calls.list = list
    expect(t.ctx.memory).toBe(warm)
    expect(again.total.answered).toBe(9)
  })
})
