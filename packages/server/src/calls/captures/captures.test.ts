import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api, NO_CAPTURE, type SipLadder } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { callLine, send, type TestStore, testStore } from '../../../test/calls.ts'
import { type HepMessage, hep, sipText } from '../../../test/hep.ts'
import { StoreUnavailable } from '../../stores/kit/unavailable.ts'
import { embeddedCaptures } from '../../stores/sip/files/store.ts'

const TSHARK = process.env.TSHARK ?? '/usr/bin/tshark'
const AT = Date.now() - 3_600_000
const PROOF = 'c0ffee'.repeat(5)

let t: TestApp
let calls: TestStore
let folder: string
let captures: ReturnType<typeof embeddedCaptures>
let gateways: { a1: string; b1: string; shared: string }

const party = (host: number): [string, number] => [`192.0.2.${host}`, 5060]
const INVITE = 'INVITE sip:2000@pbx SIP/2.0'
const callerSid = randomUUID()

/** A call of some messages, with its owner in a display name. */
const callOf = (call_id: string, name: string): HepMessage[] => [
  {
    text: sipText(INVITE, {
      call_id,
      headers: [`Subject: ${name}`, `Authorization: Digest username="u", response="${PROOF}"`],
      body: 'v=0\r\nm=audio 4000 RTP/AVP 0\r\n',
    }),
    source: party(1),
    destination: party(2),
    at: AT,
  },
  {
    text: sipText('SIP/2.0 486 Busy Here', { call_id }),
    source: party(2),
    destination: party(1),
    at: AT + 1_234,
  },
  {
    text: sipText('ACK sip:2000@pbx SIP/2.0', { call_id, cseq: '1 ACK' }),
    source: party(1),
    destination: party(2),
    at: AT + 1_250,
  },
]
const registrationOf = (sid: string): HepMessage[] => [
  {
    text: sipText('REGISTER sip:carrier SIP/2.0', { call_id: sid, cseq: '1 REGISTER' }),
    source: ['2001:db8::1', 5060],
    destination: ['2001:db8::2', 5061],
    at: AT,
  },
  {
    text: sipText('SIP/2.0 403 Forbidden', { call_id: sid, cseq: '1 REGISTER' }),
    source: ['2001:db8::2', 5061],
    destination: ['2001:db8::1', 5060],
    at: AT + 20,
  },
]

beforeAll(async () => {
  t = await testApp()
  const { a1, b1, sp1, sp2 } = t.sids
  calls = await testStore('embedded')
  folder = mkdtempSync(join(tmpdir(), 'switchroom-captures-'))
  captures = embeddedCaptures({
    folder,
    days: 30,
    max_bytes: 1e9,
    listen: { host: '127.0.0.1', port: 0 },
    key: undefined,
  })
  const port = (await captures.open())!
  const carrier = async (owner: { account_sid?: string; service_provider_sid?: string }) => {
    const [voip_carrier_sid, sip_gateway_sid] = [randomUUID(), randomUUID()]
    await t.db
      .insertInto('voip_carriers')
      .values({ voip_carrier_sid, name: voip_carrier_sid, ...owner })
      .execute()
    await t.db
      .insertInto('sip_gateways')
      .values({
        sip_gateway_sid,
        voip_carrier_sid,
        ipv4: 'carrier.example',
        inbound: 0,
        outbound: 1,
      })
      .execute()
    return sip_gateway_sid
  }
  gateways = {
    a1: await carrier({ account_sid: a1, service_provider_sid: sp1 }),
    b1: await carrier({ account_sid: b1, service_provider_sid: sp2 }),
    shared: await carrier({ service_provider_sid: sp1 }),
  }
  const sent = [
    ...callOf('of-a1@pbx', 'a1'),
    ...callOf('of-b1@pbx', 'b1'),
    ...callOf('nobody@pbx', 'nobody'),
    // clocks that differ by ten minutes, and by more than clocks do
    ...callOf('drifted@pbx', 'drifted').map((m) => ({ ...m, at: AT + 600_000 })),
    ...callOf('far@pbx', 'far').map((m) => ({ ...m, at: AT - 7_200_000 })),
    // a call whose INVITE is lost, and more of another call with its Call-ID
    ...callOf('lost@pbx', 'lost').slice(1),
    { ...callOf('lost@pbx', 'reused')[1]!, at: AT + 600_000 },
    // an old call of another owner with the same Call-ID
    { ...callOf('of-a1@pbx', 'earlier')[0]!, at: AT - 3_600_000 },
    // a leg made for it, and one that claims to be its parent
    { ...callOf('below@pbx', 'below')[0]!, at: AT + 100 },
    // a call of another's Call-ID that claims to be made for one's own
    madeFor('of-b1@pbx', callOf('victim@pbx', 'victim')[0]!),
    // legs that a header, an agent and a record connect, and those of others who name the same call
    callOf('caller@pbx', 'caller')[0]!,
    madeFor('caller@pbx', callOf('b-leg@pbx', 'b-leg')[0]!),
    { ...callOf('c-leg@pbx.example', 'c-leg')[0]!, correlation: 'b-leg@pbx' },
    callOf('outbound@pbx', 'outbound')[0]!,
    madeFor('caller@pbx', callOf('of-thief@pbx', 'thief')[0]!),
    callOf('of-another-thief@pbx', 'another thief')[0]!,
    ...Object.values(gateways).flatMap(registrationOf),
    ...callOf(gateways.a1, 'a call with the id of a gateway'),
  ].map((m) => (String(m.text).includes('Subject: below') ? madeFor('of-a1@pbx', m) : m))
  const socket = createSocket('udp4')
  for (const one of sent)
    await new Promise<void>((done, fail) =>
      socket.send(hep(one), port, '127.0.0.1', (e) => (e ? fail(e) : done())),
    )
  socket.close()
  await vi.waitFor(
    async () => expect((await captures.ingested())!.messages.sip).toBe(sent.length),
    60_000,
  )
  const record = (
    account_sid: string,
    service_provider_sid: string,
    sip_callid: string,
    more: object = {},
  ) =>
    callLine({
      ms: AT,
      ns: 0,
      tags: { account_sid, service_provider_sid, direction: sip_callid },
      fields: { call_sid: randomUUID(), sip_callid, terminated_at: AT + 5_000, ...more },
    })
  const lines = [
    record(a1, sp1, 'of-a1@pbx'),
    record(b1, sp2, 'of-b1@pbx'),
    record(a1, sp1, 'drifted@pbx'),
    record(a1, sp1, 'far@pbx'),
    record(a1, sp1, 'lost@pbx'),
    record(a1, sp1, 'victim@pbx'),
    record(a1, sp1, 'caller@pbx', { call_sid: callerSid }),
    record(a1, sp1, 'outbound@pbx', { sip_parent_callid: 'c-leg@pbx.example' }),
    record(b1, sp2, 'of-thief@pbx'),
    record(b1, sp2, 'of-another-thief@pbx', { sip_parent_callid: 'caller@pbx' }),
  ]
  expect((await send(calls, lines.join('\n'))).status).toBe(204)
  Object.assign(t.ctx.stores, { calls: calls.calls, captures })
})
afterAll(async () => {
  await captures.close()
  await calls.close()
  await t.close()
  rmSync(folder, { recursive: true, force: true })
})
const madeFor = (call_id: string, m: HepMessage): HepMessage => ({
  ...m,
  text: String(m.text).replace('Subject: ', `X-CID: ${call_id}\r\nSubject: `),
})

type Owner = 'a1' | 'a2' | 'b1' | 'sp1' | 'sp2'
const ask = (who: string, owner: Owner, rest: string) => {
  const below = owner.startsWith('sp') ? 'ServiceProviders' : 'Accounts'
  return t.request(who, 'GET', `/${below}/${t.sids[owner]}/RecentCalls/${rest}`)
}
const sip = async (who: string, owner: Owner, id: string) => {
  const answer = await ask(who, owner, `${id}/sip`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json() as SipLadder
}

describe('a call', () => {
  it('is returned message by message, with legs and diagnosis', async () => {
    const { legs, messages, parties, diagnosis, figures, cut } = await sip('a1', 'a1', 'of-a1@pbx')
    expect(parties).toEqual([
      { address: '192.0.2.1', port: 5060 },
      { address: '192.0.2.2', port: 5060 },
    ])
    expect(legs).toEqual([
      { call_id: 'of-a1@pbx', parent: null },
      { call_id: 'below@pbx', parent: 'of-a1@pbx' },
    ])
    expect(
      messages.map(({ at, label, leg, has_media }) => [at - AT * 1_000, label, leg, has_media]),
    ).toEqual([
      [0, 'INVITE', 0, true],
      [100_000, 'INVITE', 1, true],
      [1_234_000, '486 Busy Here', 0, false],
      [1_250_000, 'ACK', 0, false],
    ])
    expect(diagnosis[0]).toEqual({
      tone: 'bad',
      text: 'The called user is busy (486 Busy Here).',
      message: 2,
    })
    expect(figures).toEqual({ post_dial_delay: null, ringing: null, talking: null })
    expect(cut).toBe(false)
  })

  it.each(['caller@pbx', 'b-leg@pbx', 'c-leg@pbx.example', 'outbound@pbx'])(
    'is returned with all of its legs by %s',
    async (call_id) => {
      const { legs } = await sip('a1', 'a1', call_id)
      expect(legs[0]!.call_id).toBe(call_id)
      expect(new Set(legs.map((leg) => leg.call_id))).toEqual(
        new Set(['caller@pbx', 'b-leg@pbx', 'c-leg@pbx.example', 'outbound@pbx']),
      )
    },
  )

  it('is found by the Call-ID of a leg without a record', async () => {
    const paths = [
      'RecentCalls/c-leg%40pbx.example',
      `Accounts/${t.sids.a1}/RecentCalls?page=1&count=5&filter=c-leg%40pbx.example`,
      `Accounts/${t.sids.a1}/RecentCalls/Export?format=ndjson&filter=c-leg%40pbx.example`,
      'Search?q=c-leg%40pbx.example',
    ]
    for (const path of paths) {
      const of = async (who: string) => (await t.request(who, 'GET', `/${path}`)).body
      expect(await of('a1'), path).toContain(callerSid)
      if (!path.startsWith('Accounts')) expect(await of('b1'), path).not.toContain(callerSid)
    }
  })

  it('shows nobody a call of others that messages claim to be made for theirs', async () => {
    const legs = async (who: string, owner: Owner) =>
      (await sip(who, owner, 'of-b1@pbx')).legs.map((leg) => leg.call_id)
    expect(await legs('b1', 'b1')).toEqual(['of-b1@pbx'])
    expect(await legs('sp2', 'sp2')).toEqual(['of-b1@pbx'])
    for (const rest of ['', '/invite/pcap'])
      expect((await ask('b1', 'b1', `of-b1@pbx${rest}`)).body).not.toContain('Subject: victim')
  })

  it('shows nobody the call that theirs claims to be made for', async () => {
    for (const call_id of ['of-thief@pbx', 'of-another-thief@pbx']) {
      const { legs } = await sip('b1', 'b1', call_id)
      expect(legs.map((leg) => leg.call_id)).toEqual([call_id])
    }
  })

  it('is returned in Homer’s format', async () => {
    const answer = await ask('sp1', 'sp1', 'of-a1@pbx')
    expect(answer.json()).toMatchObject({ total: 4, keys: ['callid'] })
    const { messages } = answer.json().data as { messages: Record<string, unknown>[] }
    expect(messages[2]).toMatchObject({
      sid: 'of-a1@pbx',
      srcIp: '192.0.2.2',
      srcPort: 5060,
      dstIp: '192.0.2.1',
      method: '486',
      create_date: new Date(AT + 1_234).toISOString(),
      raw: callOf('of-a1@pbx', 'a1')[1]!.text,
    })
  })

  it('has no messages from another time, and no password digest', async () => {
    for (const rest of ['', '/sip', '/invite/pcap']) {
      const { body } = await ask('a1', 'a1', `of-a1@pbx${rest}`)
      expect(body).toContain('Subject: a1')
      expect(body).not.toContain('earlier')
      expect(body).not.toContain(PROOF)
      expect(body).toContain('x'.repeat(30))
    }
    expect(t.lines.join('\n')).not.toContain(PROOF)
  })

  it('is found when the agent’s clock is off by minutes, but not by hours', async () => {
    expect((await sip('a1', 'a1', 'drifted@pbx')).messages.length).toBe(3)
    for (const rest of ['', '/invite/pcap']) {
      expect((await ask('a1', 'a1', `drifted@pbx${rest}`)).body).toContain('Subject: drifted')
      expect((await ask('a1', 'a1', `far@pbx${rest}`)).statusCode).toBe(404)
    }
  })

  it('has no more of another time if its INVITE is not there either', async () => {
    expect((await sip('a1', 'a1', 'lost@pbx')).messages.length).toBe(2)
  })

  it('is downloaded under the platform’s file name', async () => {
    const answer = await ask('a1', 'a1', 'of-a1%40pbx/invite/pcap')
    expect(answer.headers['content-type']).toBe('application/octet-stream')
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename="callid-of-a1@pbx.pcap"; filename*=UTF-8''callid-of-a1%40pbx.pcap`,
    )
    const register = await ask('a1', 'a1', `${gateways.a1}/register/pcap`)
    expect(register.headers['content-disposition']).toBe(
      `attachment; filename=callid-${gateways.a1}.pcap`,
    )
  })
})

describe('a registration', () => {
  it('is the gateway’s, never a call with the same id', async () => {
    const { messages, diagnosis } = await sip('a1', 'a1', gateways.a1)
    expect(messages.map((m) => m.label)).toEqual(['REGISTER', '403 Forbidden'])
    expect(diagnosis[0]!.text).toBe('[2001:db8::2]:5061 refused to register: 403 Forbidden.')
    expect((await ask('a1', 'a1', gateways.a1)).json().total).toBe(2)
    expect((await ask('a1', 'a1', `${gateways.a1}/invite/pcap`)).statusCode).toBe(404)
    expect((await ask('a1', 'a1', 'of-a1@pbx/register/pcap')).statusCode).toBe(404)
  })

  it('of a shared carrier is visible to the provider’s accounts', async () => {
    await sip('a1', 'a1', gateways.shared)
    await sip('a2', 'a2', gateways.shared)
    await sip('sp1', 'sp1', gateways.shared)
    await sip('admin', 'sp1', gateways.shared)
  })
})

describe('access', () => {
  const cases = (): [string, string, Owner, string][] => [
    ['another account’s below one’s own', 'a1', 'a1', 'of-b1@pbx'],
    ['another account’s below it', 'a2', 'a1', 'of-a1@pbx'],
    ['of an account below another of the provider', 'sp1', 'a2', 'of-a1@pbx'],
    ['another provider’s below one’s own', 'sp1', 'sp1', 'of-b1@pbx'],
    ['another provider’s below it', 'sp2', 'sp1', 'of-a1@pbx'],
    ['without a call', 'admin', 'a1', 'nobody@pbx'],
    ['another account’s call that claims to be made for one’s own', 'b1', 'b1', 'victim@pbx'],
    ['a leg of another account’s call', 'b1', 'b1', 'c-leg@pbx.example'],
    ['a leg of another account’s call below it', 'a2', 'a1', 'c-leg@pbx.example'],
    ['a leg of a call below another account of the provider', 'sp1', 'a2', 'c-leg@pbx.example'],
    ['another account’s gateway', 'a1', 'a1', gateways.b1],
    ['another account’s gateway below it', 'a1', 'b1', gateways.b1],
    ['a gateway below another account', 'admin', 'b1', gateways.a1],
    ['a gateway below another account of the provider', 'sp1', 'a2', gateways.a1],
    ['a gateway below another provider', 'admin', 'sp2', gateways.a1],
    ['a shared gateway below another provider', 'sp2', 'sp2', gateways.shared],
    ['what was never there', 'admin', 'a1', randomUUID()],
  ]
  it('is limited to the caller’s calls', async () => {
    for (const [what, who, owner, id] of cases())
      for (const rest of ['', '/sip', '/invite/pcap', '/register/pcap']) {
        const answer = await ask(who, owner, id + rest)
        expect(answer.statusCode, `${what}${rest}`).toBe(404)
        expect(answer.body).not.toMatch(/Subject|REGISTER/)
      }
    expect((await ask('a1', 'a1', 'of-b1@pbx')).json().msg).toBe(NO_CAPTURE)
    expect((await ask('a1', 'sp1', 'of-a1@pbx')).statusCode).toBe(403)
  })

  it('follows the account to its provider', async () => {
    await sip('sp1', 'sp1', 'of-a1@pbx')
    await sip('sp1', 'a1', 'of-a1@pbx')
    await sip('admin', 'sp1', gateways.a1)
    await sip('sp1', 'sp1', gateways.a1)
  })
})

it.each([
  ['of-a1@pbx/other/pcap', 400],
  ['%20%00/sip', 400],
  [`${'%40'.repeat(256)}/sip`, 404],
  [`${'%40'.repeat(257)}/sip`, 400],
  ['%00', 400],
])('rejects %s', async (path, status) => {
  expect((await ask('a1', 'a1', path)).statusCode).toBe(status)
})

it('reports that the store cannot be reached', async () => {
  const failingRead = async () => {
    throw new StoreUnavailable('The store of SIP captures (Homer) cannot be reached')
  }
  t.ctx.stores.captures = {
    find: failingRead,
    parentsOf: failingRead,
    transaction: failingRead,
    pcap: failingRead,
  }
  for (const rest of ['', '/sip', '/invite/pcap']) {
    const answer = await ask('a1', 'a1', `of-a1@pbx${rest}`)
    expect(answer.statusCode).toBe(503)
    expect(answer.json()).toMatchObject({ code: 'unavailable' })
  }
  Object.assign(t.ctx.stores, { captures })
})

describe.skipIf(!existsSync(TSHARK))('tshark', () => {
  /** The fields of each packet, and its expert warnings. */
  async function read(who: string, path: string, fields: string[]) {
    const { rawPayload } = await ask(who, 'a1', path)
    const file = join(folder, 'read.pcap')
    writeFileSync(file, rawPayload)
    const out = execFileSync(
      TSHARK,
      [
        ...['-r', file, '-d', 'udp.port==5061,sip', '-T', 'fields', '-E', 'separator=|'],
        ...['-o', 'ip.check_checksum:TRUE', '-o', 'udp.check_checksum:TRUE'],
        ...[...fields, 'ip.checksum.status', 'udp.checksum.status', '_ws.malformed'].flatMap(
          (f) => ['-e', f],
        ),
      ],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    )
    return out
      .trimEnd()
      .split('\n')
      .map((line) => line.split('|'))
  }

  it('reads the same messages as the API', async () => {
    const { messages, parties } = await sip('a1', 'a1', 'of-a1@pbx')
    const rows = await read('a1', 'of-a1@pbx/invite/pcap', [
      'frame.time_epoch',
      'ip.src',
      'udp.srcport',
      'ip.dst',
      'udp.dstport',
      'sip.Call-ID',
      'sip.CSeq.method',
      'sip.Method',
      'sip.Status-Code',
    ])
    expect(rows).toEqual(
      messages.map((m) => {
        const [from, to] = [parties[m.source]!, parties[m.destination]!]
        const time = `${Math.floor(m.at / 1e6)}.${String(m.at % 1e6).padStart(6, '0')}000`
        return [
          ...[time, from.address, String(from.port), to.address, String(to.port)],
          ...[m.leg === 0 ? 'of-a1@pbx' : 'below@pbx', m.method],
          ...(m.status === null ? [m.method, ''] : ['', String(m.status)]),
          // 1: good
          ...['1', '1', ''],
        ]
      }),
    )
  })

  it('reads a registration over IPv6', async () => {
    const rows = await read('a1', `${gateways.a1}/register/pcap`, ['ipv6.src', 'sip.Status-Code'])
    expect(rows).toEqual([
      ['2001:db8::1', '', '', '1', ''],
      ['2001:db8::2', '403', '', '1', ''],
    ])
  })
})

// last: another server empties the Redis that sessions are in
it('tells the console whether captures are available', async () => {
  expect(await t.as('')(api.system.capabilities, {})).toMatchObject({ captures: false })
  const other = await testApp({ SWITCHROOM_INGEST_HEP: '0' })
  expect(await other.as('')(api.system.capabilities, {})).toMatchObject({ captures: true })
  const metrics = (await other.app.inject('/metrics')).body
  expect(metrics).toContain('switchroom_captures_messages_total{kind="sip"} 0')
  expect(metrics).toMatch(/^switchroom_captures_bytes \d+$/m)
  await other.close()
})
