import { createSocket } from 'node:dgram'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { seededRandom } from '../../../test/calls.ts'
import { type CaptureOptions, testCaptures } from '../../../test/captures.ts'
import { ownOrClickHouse } from '../../../test/clickhouse.ts'
import { chunk, frameOf, hep, sipText } from '../../../test/hep.ts'
import { reportedCases } from '../../../test/trust.ts'
import { Segments } from './files/segments.ts'
import { readHep } from './hep.ts'
import { Intake } from './intake.ts'
import { MAX_MESSAGES, type Wanted } from './store.ts'
import { frames } from './stream.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchroom-captures-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const wanted = (call_id: string, more: Partial<Wanted> = {}): Wanted => ({
  call_id,
  kind: 'call',
  from: 0,
  to: 8e15,
  ...more,
})
const INVITE = 'INVITE sip:2000@pbx SIP/2.0'

type TestCaptures = Awaited<ReturnType<typeof testCaptures>>
const storeOf =
  (kind: (typeof ownOrClickHouse)[number]) =>
  async <T>(options: CaptureOptions, story: (store: TestCaptures, port: number) => Promise<T>) => {
    const opened = await testCaptures(kind, folder, options)
    try {
      return await story(opened, opened.port)
    } finally {
      await opened.close()
    }
  }

async function overUdp(port: number, datagrams: Buffer[]) {
  const socket = createSocket('udp4')
  for (const datagram of datagrams)
    await new Promise<void>((done, fail) =>
      socket.send(datagram, port, '127.0.0.1', (e) => (e ? fail(e) : done())),
    )
  await new Promise<void>((done) => socket.close(() => done()))
}

/** Resolves when the other end has taken all of it, or has hung up. */
const overTcp = (port: number, pieces: Buffer[]) =>
  new Promise<void>((done) => {
    const socket = connect(port, '127.0.0.1', async () => {
      socket.setNoDelay(true)
      for (const piece of pieces) {
        if (socket.destroyed) return
        await new Promise((sent) => socket.write(piece, sent))
      }
      socket.end()
    })
    socket.on('close', () => done())
    socket.on('error', () => undefined)
    socket.resume()
  })

const waitFor = <T>(ask: () => Promise<T>, isDone: (found: T) => boolean): Promise<T> =>
  vi.waitFor(
    async () => {
      const found = await ask()
      expect(found).toSatisfy(isDone)
      return found
    },
    { timeout: 60_000, interval: 30 },
  )

describe.each(ownOrClickHouse)('input from agents (%s)', (kind) => {
  const withStore = storeOf(kind)

  it('is stored unchanged, from datagrams and streams', () =>
    withStore({}, async (store, port) => {
      const at = 1_700_000_000_123
      const text = sipText(INVITE, { body: 'ü\r\n' })
      await overUdp(port, [hep({ text, at, node: 7 })])
      const answer = sipText('SIP/2.0 200 OK')
      const v6 = {
        source: ['2001:db8::1', 5061] as [string, number],
        destination: ['2001:db8::2', 5060] as [string, number],
      }
      await overTcp(port, [hep({ text: answer, at: at + 1_000, protocol: 6, ...v6 })])
      const { messages } = await waitFor(
        () => store.find(wanted('call-1@pbx')),
        ({ messages }) => messages.length === 2,
      )
      expect(messages).toEqual([
        {
          time: at * 1_000,
          kind: 'sip',
          source: { address: '192.0.2.1', port: 5060 },
          destination: { address: '192.0.2.2', port: 5060 },
          transport: 'udp',
          node: '7',
          call_id: 'call-1@pbx',
          parent: null,
          bytes: new Uint8Array(Buffer.from(text)),
        },
        expect.objectContaining({
          source: { address: '2001:db8::1', port: 5061 },
          transport: 'tcp',
          bytes: new Uint8Array(Buffer.from(answer)),
        }),
      ])
      // ClickHouse may show them before it has acknowledged them
      const counted = await waitFor(
        () => store.ingested(),
        (metrics) => metrics?.messages.sip === 2,
      )
      expect(counted).toMatchObject({ messages: { sip: 2, rtcp: 0 } })
    }))

  it('may be compressed, up to the size of a datagram', () => {
    const text = sipText(INVITE)
    for (const packed of [deflateSync(text), gzipSync(text)]) {
      const read = readHep(hep({ text: '', packed }), undefined)
      expect(read).toMatchObject({ bytes: new Uint8Array(Buffer.from(text)) })
    }
    const bomb = deflateSync(sipText(INVITE, { body: 'x'.repeat(10_000_000) }))
    expect(readHep(hep({ text: '', packed: bomb }), undefined)).toBe('unreadable')
    expect(readHep(hep({ text: '', packed: Buffer.from('no') }), undefined)).toBe('unreadable')
  })

  it('is not decompressed beyond the size of a datagram', () => {
    const bomb = hep({ text: '', packed: deflateSync(Buffer.alloc(60_000_000), { level: 9 }) })
    // all of it would be 24 gigabytes, which takes longer than a test may
    for (let i = 0; i < 400; i++) expect(readHep(bomb, undefined)).toBe('unreadable')
  })

  it('may be RTCP with a call’s correlation id', () => {
    const rtcp = { text: '{"type":200,"ssrc":1}', type: 5 }
    expect(readHep(hep({ ...rtcp, correlation: 'call-1@pbx' }), undefined)).toMatchObject({
      kind: 'rtcp',
      call_id: 'call-1@pbx',
    })
    expect(readHep(hep(rtcp), undefined)).toBe('unreadable')
    expect(readHep(hep({ text: 'x', type: 5, correlation: 'a' }), undefined)).toBe('unreadable')
    expect(readHep(hep({ text: 'a log line', type: 100 }), undefined)).toBe('other_protocol')
  })

  it('needs the key, if one is set', () =>
    withStore({ key: 'canary-key' }, async (store, port) => {
      const sipFrame = (call_id: string, key?: string) =>
        hep({ text: sipText(INVITE, { call_id }), ...(key !== undefined && { key }) })
      await overUdp(port, [
        sipFrame('none'),
        sipFrame('wrong', 'canary-kex'),
        sipFrame('right', 'canary-key'),
      ])
      const ask = async () => store.find(wanted('right'))
      expect((await waitFor(ask, (f) => f.messages.length > 0)).messages).toHaveLength(1)
      for (const id of ['none', 'wrong'])
        expect((await store.find(wanted(id))).messages).toEqual([])
      expect(await store.ingested()).toMatchObject({ dropped: { unauthorised: 2 } })
      expect(JSON.stringify(await store.find(wanted('right')))).not.toContain('canary')
    }))
})

describe('a stream', () => {
  const withStore = storeOf('embedded')
  const three = ['a', 'b', 'c'].map((call_id) => hep({ text: sipText(INVITE, { call_id }) }))
  const all = Buffer.concat(three)

  it.each([1, 5, 6, 7, 100, 1_000, 1_000_000])('is reassembled from chunks of %i bytes', (size) => {
    const stream = frames()
    const found: Buffer[] = []
    for (let at = 0; at < all.length; at += size)
      for (const frame of stream.push(all.subarray(at, at + size))) found.push(Buffer.from(frame))
    expect(found).toEqual(three)
    expect(stream.isWithin()).toBe(false)
  })

  it('is closed when it is not HEP', () =>
    withStore({}, async (store, port) => {
      await overTcp(port, [Buffer.from('GET / HTTP/1.1\r\n\r\n'), Buffer.alloc(10)])
      await overTcp(port, [Buffer.from('HEP3\0\x01'), Buffer.alloc(10)])
      await overTcp(port, [all.subarray(0, all.length - 9), all.subarray(all.length - 9)])
      const ask = async () => store.find(wanted('c'))
      expect((await waitFor(ask, (f) => f.messages.length > 0)).messages).toHaveLength(1)
      expect(await store.ingested()).toMatchObject({ dropped: { unreadable: 2 } })
    }))
})

describe('malformed input', () => {
  it('is counted after any mutation', async () => {
    const segments = new Segments({ folder, days: 30, max_bytes: 1e9 })
    const intake = new Intake((messages) => segments.write(messages), undefined)
    const random = seededRandom(7)
    const sound = [
      hep({ text: sipText(INVITE, { headers: ['X-CID: other'] }) }),
      hep({ text: '', packed: deflateSync(sipText(INVITE)) }),
      hep({ text: '{"type":200}', type: 5, correlation: 'x' }),
      hep({ text: sipText('SIP/2.0 200 OK'), source: ['::1', 1], destination: ['fe80::1', 2] }),
    ]
    const packets = reportedCases('broken packets of captures', 20_000, 1_000_000)
    for (let i = 0; i < packets; i++) {
      const from = sound[random(sound.length)]!
      const changed = Buffer.from(from.subarray(0, random(4) ? from.length : random(from.length)))
      for (let n = random(6); n > 0 && changed.length > 0; n--)
        changed[random(changed.length)] = random(256)
      // lengths that are right again lead further in
      if (random(2) && changed.length > 6) changed.writeUInt16BE(changed.length, 4)
      intake.take(changed)
    }
    await intake.flush()
    const { messages, dropped } = intake.counts()
    expect(dropped.not_written).toBe(0)
    expect(messages.sip! + messages.rtcp!).toBeGreaterThan(3_000)
    expect(dropped.unreadable).toBeGreaterThan(3_000)
    intake.take(hep({ text: sipText(INVITE, { call_id: 'after all' }) }))
    await intake.flush()
    expect(segments.find(wanted('after all')).messages).toHaveLength(1)
    segments.close()
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['another length', Buffer.concat([hep({ text: sipText(INVITE) }), Buffer.alloc(1)])],
    ['a chunk of no length', frameOf([Buffer.from([0, 0, 0, 1, 0, 0])])],
    ['a chunk that reaches out', frameOf([Buffer.from([0, 0, 0, 15, 0, 200, 65])])],
    [
      'no addresses',
      frameOf([chunk(11, Buffer.from([1])), chunk(15, Buffer.from(sipText(INVITE)))]),
    ],
    ['no SIP', hep({ text: '\r\n\r\n' })],
    ['no Call-ID', hep({ text: `${INVITE}\r\nFrom: x\r\n\r\n` })],
    ['an endless Call-ID', hep({ text: sipText(INVITE, { call_id: 'x'.repeat(300) }) })],
  ])('is not stored: %s', (_, frame) => {
    expect(readHep(frame, undefined)).toBe('unreadable')
  })

  it('is rejected with a long Call-ID', () => {
    const correlation = `${'\0'.repeat(60_000)}x`
    const frame = hep({ text: '{"type":200}', type: 5, correlation })
    // in a time that grew with the square of its length, it would take longer than a test may
    for (let i = 0; i < 100; i++) expect(readHep(frame, undefined)).toBe('unreadable')
  })
})

describe.each(ownOrClickHouse)('a call (%s)', (kind) => {
  const stored = async (
    frames: Parameters<typeof hep>[0][],
    story: (store: TestCaptures) => Promise<void>,
  ) =>
    storeOf(kind)({}, async (store, port) => {
      await overTcp(port, [Buffer.concat(frames.map(hep))])
      await waitFor(
        () => store.ingested(),
        (counts) => counts?.messages.sip === frames.length,
      )
      await story(store)
    })
  const inviteOf = (call_id: string, x_cid?: string) =>
    sipText(INVITE, { call_id, headers: x_cid ? [`X-CID: ${x_cid}`] : [] })
  const idsIn = async (store: TestCaptures, query: Wanted) => [
    ...new Set((await store.find(query)).messages.map((m) => m.call_id)),
  ]

  it('has the legs created for it, never one that it claims to belong to', async () => {
    const frames = [
      { text: inviteOf('a') },
      { text: inviteOf('b', 'a') },
      { text: inviteOf('c', 'b') },
      { text: inviteOf('other') },
      { text: inviteOf('a', 'c') },
    ]
    await stored(frames, async (store) => {
      expect((await idsIn(store, wanted('a'))).sort()).toEqual(['a', 'b', 'c'])
      expect(await idsIn(store, wanted('c'))).toContain('c')
      expect(await idsIn(store, wanted('other'))).toEqual(['other'])
    })
    const hostile = [{ text: inviteOf('mine', 'victim') }, { text: inviteOf('victim') }]
    await stored(hostile, async (store) =>
      expect(await idsIn(store, wanted('mine'))).toEqual(['mine']),
    )
  })

  it('tells which legs a leg was made for, by its header or the agent’s correlation', async () => {
    const frames = [
      { text: inviteOf('a') },
      { text: inviteOf('b', 'a'), correlation: 'other' },
      { text: inviteOf('c'), correlation: 'b' },
      { text: inviteOf('d'), correlation: 'd' },
      // two that name each other
      { text: inviteOf('x', 'y') },
      { text: inviteOf('y', 'x') },
    ]
    await stored(frames, async (store) => {
      expect(await store.parentsOf('c')).toEqual(['b', 'a'])
      for (const id of ['a', 'd', 'never seen']) expect(await store.parentsOf(id)).toEqual([])
      expect(await store.parentsOf('x')).toEqual(['y'])
      expect((await idsIn(store, { ...wanted('d'), also: ['b'] })).sort()).toEqual(['b', 'c', 'd'])
    })
  })

  it('is announced by its first INVITE', async () => {
    const began = Date.now()
    await stored(
      [{ text: inviteOf('a') }, { text: inviteOf('b', 'a') }, { text: inviteOf('a') }],
      async (store) => {
        expect((await store.invitesSince!(began)).map(({ call_id }) => call_id)).toEqual(['a'])
        expect(await store.invitesSince!(Date.now() + 60_000)).toEqual([])
      },
    )
  })

  it('is limited to its time, and excludes registrations of the same Call-ID', async () => {
    const at = 1_700_000_000_000
    const register = sipText('REGISTER sip:pbx SIP/2.0', { call_id: 'a', cseq: '1 REGISTER' })
    await stored(
      [
        { text: inviteOf('a'), at },
        { text: register, at: at + 5 },
      ],
      async (store) => {
        const found = async (more: Partial<Wanted>) =>
          (await store.find(wanted('a', more))).messages.length
        expect(await found({ from: at, to: at })).toBe(1)
        expect(await found({ from: at + 1 })).toBe(0)
        expect(await found({ to: at - 1 })).toBe(0)
        expect(await found({ kind: 'registration' })).toBe(1)
        expect(await found({ kind: 'registration', to: at })).toBe(0)
      },
    )
  })

  it('is cut after its first messages, a registration before its last, and marked as cut', async () => {
    const at = 1_700_000_000_000
    const repeatMessages = (text: string) =>
      Array.from({ length: MAX_MESSAGES + 10 }, (_, i) => ({ text, at: at + i }))
    const register = sipText('REGISTER sip:pbx SIP/2.0', { call_id: 'r', cseq: '1 REGISTER' })
    const frames = [...repeatMessages(inviteOf('a')), ...repeatMessages(register)]
    await stored(frames, async (store) => {
      const call = await store.find(wanted('a'))
      expect([call.cut, call.messages.length]).toEqual([true, MAX_MESSAGES])
      expect(call.messages[0]!.time).toBe(at * 1_000)
      const registration = await store.find(wanted('r', { kind: 'registration' }))
      expect([registration.cut, registration.messages.length]).toEqual([true, MAX_MESSAGES])
      expect(registration.messages.at(-1)!.time).toBe((at + MAX_MESSAGES + 9) * 1_000)
    })
  })
})

describe('a flood', () => {
  it.each(ownOrClickHouse)('cannot fill the disk (%s)', (kind) =>
    storeOf(kind)({}, async (store, port) => {
      const frame = hep({ text: sipText(INVITE, { call_id: 'flood' }) })
      await overTcp(
        port,
        Array.from({ length: 21 }, () => Buffer.concat(Array(1_000).fill(frame))),
      )
      const counts = await waitFor(
        () => store.ingested(),
        (found) => found?.messages.sip === 21_000,
      )
      expect(counts!.dropped.too_many).toBe(1_000)
    }),
  )
})

it('removes by age and by size', async () => {
  let now = 1_700_000_000_000
  const segments = new Segments({ folder, days: 2, max_bytes: 4_000_000, now: () => now })
  const intake = new Intake((messages) => segments.write(messages), undefined)
  const put = async (call_id: string, body = '') => {
    intake.take(hep({ text: sipText(INVITE, { call_id, body }) }))
    await intake.flush()
  }
  const has = (id: string) => segments.find(wanted(id)).messages.length === 1
  await put('old')
  now += 86_400_000
  await put('newer')
  segments.forget()
  expect([has('old'), has('newer')]).toEqual([true, true])
  now += 2 * 86_400_000
  segments.forget()
  expect([has('old'), has('newer')]).toEqual([false, true])
  for (let i = 0; i < 200; i++) {
    await put(`big ${i}`, 'x'.repeat(50_000))
    segments.forget()
    expect(segments.bytes()).toBeLessThan(5_000_000)
  }
  expect([has('big 0'), has('big 199')]).toEqual([false, true])
  segments.close()
})

it.each(ownOrClickHouse)('fails immediately when its port is in use (%s)', (kind) =>
  storeOf(kind)({}, async (_, port) => {
    await expect(testCaptures(kind, join(folder, 'other'), { port })).rejects.toThrow(/EADDRINUSE/)
  }),
)
