import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import type { Stream } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { callLine, send, type TestStore, testStore } from '../../../test/calls.ts'
import { arbitraryBytes } from '../../../test/recordings.ts'
import { rangeOf } from '../../http/stream.ts'
import { dayBefore, dayOf, keyOf } from '../../stores/recordings/store.ts'

let t: TestApp
let calls: TestStore
const ids = { a1: randomUUID(), b1: randomUUID(), nobody: randomUUID() }
const sound = arbitraryBytes(200_000)

beforeAll(async () => {
  t = await testApp({}, undefined, undefined, { ownApp: true })
  calls = await testStore('embedded')
  let ns = 0
  const call = (account_sid: string, service_provider_sid: string, call_sid: string) =>
    callLine({
      ms: Date.now(),
      ns: ns++,
      tags: { account_sid, service_provider_sid, direction: 'inbound' },
      fields: { call_sid, sip_callid: randomUUID() },
    })
  const { a1, b1, sp1, sp2 } = t.sids
  const lines = [call(a1, sp1, ids.a1), call(b1, sp2, ids.b1)]
  expect((await send(calls, lines.join('\n'))).status).toBe(204)
  Object.assign(t.ctx.stores, { calls: calls.calls })
  for (const account_sid of [a1, b1])
    for (const call_sid of Object.values(ids)) await writeRecording(account_sid, call_sid)
})
afterAll(async () => {
  await calls.close()
  await t.close()
})

const source = {
  size: sound.length,
  type: 'audio/wav',
  metadata: {},
  async *read(from: number, to: number) {
    yield sound.subarray(from, to)
  },
}
const writeRecording = (account_sid: string, call_sid: string, day = '2026/02/01') =>
  t.ctx.stores.recordings.keep(
    { account_sid, bucket: undefined },
    keyOf(day, call_sid, 'wav'),
    source,
  )
const pathOf = (owner: keyof TestApp['sids'], call_sid: string, rest = '2026/02/01/wav') =>
  `/${owner.startsWith('sp') ? 'ServiceProviders' : 'Accounts'}/${t.sids[owner]}/RecentCalls/${call_sid}/record/${rest}`
const ask = (who: string, path: string, headers = {}, method = 'GET') =>
  t.request(who, method, path, undefined, headers)

async function listen() {
  if (!t.app.server.listening) await t.app.listen({ port: 0 })
  return (t.app.server.address() as AddressInfo).port
}

describe('a recording', () => {
  it.each([
    ['a1', 'a1'],
    ['a1-viewer', 'a1'],
    ['a1-key', 'a1'],
    ['sp1', 'a1'],
    ['sp1', 'sp1'],
    ['admin', 'a1'],
    ['admin', 'sp1'],
  ] as const)('can be downloaded by %s below %s', async (who, owner) => {
    const answer = await ask(who, pathOf(owner, ids.a1))
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'audio/wav',
      'content-length': String(sound.length),
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
    })
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(answer.rawPayload.equals(sound)).toBe(true)
  })

  it.each([
    ['another account’s below one’s own', 'a1', 'a1', ids.b1],
    ['another account’s below it', 'a2', 'a1', ids.a1],
    ['another provider’s below one’s own', 'sp1', 'sp1', ids.b1],
    ['another provider’s below it', 'sp2', 'sp1', ids.a1],
    ['of an account below another', 'admin', 'a2', ids.a1],
    ['without the record of a call', 'admin', 'a1', ids.nobody],
  ] as const)('is not found, nor deleted: %s', async (_, who, owner, call_sid) => {
    expect((await ask(who, pathOf(owner, call_sid))).statusCode).toBe(404)
    expect((await ask(who, pathOf(owner, call_sid), {}, 'DELETE')).statusCode).toBe(404)
    for (const account_sid of [t.sids.a1, t.sids.b1]) {
      const owner = { account_sid, bucket: undefined }
      const key = keyOf('2026/02/01', call_sid, 'wav')
      expect(await t.ctx.stores.recordings.find(owner, [key])).toBeDefined()
    }
  })

  it('is found by its start day or the next, and no other', async () => {
    expect((await ask('a1', pathOf('a1', ids.a1, '2026/02/02/wav'))).statusCode).toBe(200)
    expect((await ask('a1', pathOf('a1', ids.a1, '2026/02/03/wav'))).statusCode).toBe(404)
    expect((await ask('a1', pathOf('a1', ids.a1, '2026/01/31/wav'))).statusCode).toBe(404)
    expect((await ask('a1', pathOf('a1', ids.a1, '2026/02/01/mp3'))).statusCode).toBe(404)
    expect([dayBefore(2026, 1, 1), dayBefore(2028, 3, 1)]).toEqual(['2025/12/31', '2028/02/29'])
  })

  it.each([
    ['year', '26/02/01/wav'],
    ['month', '2026/13/01/wav'],
    ['day', '2026/02/32/wav'],
    ['format', '2026/02/01/ogg'],
  ])('is rejected for an invalid %s', async (field, rest) => {
    const answer = await ask('a1', pathOf('a1', ids.a1, rest))
    expect(answer.statusCode).toBe(400)
    expect(answer.json().issues[0].path).toEqual([field])
  })

  it('is served in ranges', async () => {
    const part = async (range: string, more = {}) => {
      const answer = await ask('a1', pathOf('a1', ids.a1), { range, ...more })
      return { ...answer, range: answer.headers['content-range'], status: answer.statusCode }
    }
    const middle = await part('bytes=1000-2999')
    expect(middle).toMatchObject({ status: 206, range: 'bytes 1000-2999/200000' })
    expect(middle.headers['content-length']).toBe('2000')
    expect(middle.rawPayload.equals(sound.subarray(1_000, 3_000))).toBe(true)
    expect(await part('bytes=199990-999999')).toMatchObject({
      status: 206,
      range: 'bytes 199990-199999/200000',
    })
    const beyond = await part('bytes=200000-')
    expect(beyond).toMatchObject({ status: 416, range: 'bytes */200000' })
    expect(JSON.parse(beyond.body)).toMatchObject({ code: 'bad_range' })
    expect((await part('bytes=0-9', { 'if-range': '"x"' })).status).toBe(200)
  })

  it('answers HEAD with its size', async () => {
    const opened: unknown[] = []
    const { find } = t.ctx.stores.recordings
    t.ctx.stores.recordings.find = async (...args) => {
      const found = (await find(...args))!
      const open = (range: Parameters<Stream['open']>[0]) => {
        opened.push(range)
        return found.open(range)
      }
      return { ...found, open }
    }
    const answer = await ask('a1', pathOf('a1', ids.a1), {}, 'HEAD')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-length']).toBe('200000')
    expect(answer.rawPayload).toHaveLength(0)
    expect(opened).toEqual([])
    await ask('a1', pathOf('a1', ids.a1), { range: 'bytes=5-9' })
    expect(opened).toEqual([{ from: 5, to: 9 }])
    t.ctx.stores.recordings.find = find
  })

  it.each([
    ['more', sound.length - 1_000],
    ['less', sound.length + 1_000],
  ])('closes the connection when the store sends %s than announced', async (_, size) => {
    const { find } = t.ctx.stores.recordings
    t.ctx.stores.recordings.find = async (...args) => ({
      ...(await find(...args))!,
      size,
      open: async () => Readable.from([sound.subarray(0, 9_000), sound.subarray(9_000)]),
    })
    const socket = connect(await listen(), '127.0.0.1')
    const got: Buffer[] = []
    socket.on('data', (some) => got.push(some)).on('error', () => undefined)
    const head = `host: x\r\nauthorization: Bearer ${t.bearer.a1}\r\n\r\n`
    socket.write(`GET /v1${pathOf('a1', ids.a1)} HTTP/1.1\r\n${head}`)
    await once(socket, 'close', { signal: AbortSignal.timeout(20_000) })
    const answer = Buffer.concat(got)
    const body = answer.length - answer.indexOf('\r\n\r\n') - 4
    expect(body).toBeLessThanOrEqual(size)
    t.ctx.stores.recordings.find = find
  })

  it('is deleted with all its copies, and audited', async () => {
    const path = pathOf('a1', ids.a1, '2026/03/02/wav')
    await writeRecording(t.sids.a1, ids.a1, '2026/03/02')
    await writeRecording(t.sids.a1, ids.a1, '2026/03/01')
    expect((await ask('a1-viewer', path, {}, 'DELETE')).statusCode).toBe(403)
    expect((await ask('a1', path)).statusCode).toBe(200)
    const deleted = await ask('a1', path, {}, 'DELETE')
    expect([deleted.statusCode, deleted.body]).toEqual([204, ''])
    expect((await ask('a1', path)).statusCode).toBe(404)
    expect((await ask('a1', path, {}, 'DELETE')).statusCode).toBe(404)
    const entries = await t.db
      .selectFrom('switchroom_audit')
      .selectAll()
      .where('kind', '=', 'recording')
      .execute()
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({
      action: 'delete',
      sid: ids.a1,
      name: keyOf('2026/03/02', ids.a1, 'wav'),
      account_sid: t.sids.a1,
      service_provider_sid: t.sids.sp1,
    })
  })
})

describe('a range', () => {
  it.each([
    [undefined, undefined],
    ['bytes=0-', { from: 0, to: 99 }],
    ['bytes=99-', { from: 99, to: 99 }],
    ['bytes=-10', { from: 90, to: 99 }],
    ['bytes=-1000', { from: 0, to: 99 }],
    ['bytes=5-5', { from: 5, to: 5 }],
    ['bytes=9-5', undefined],
    ['bytes=-', undefined],
    ['bytes=0-1,5-6', undefined],
    ['lines=0-1', undefined],
    ['bytes=1e3-', undefined],
    ['bytes=99999999999999999999-', undefined],
  ])('%s is %o', (header, expected) => {
    expect(rangeOf(header, 100)).toEqual(expected)
  })

  it.each(['bytes=100-', 'bytes=-0', 'bytes=1000-2000'])('rejects the range %s', (header) => {
    expect(() => rangeOf(header, 100)).toThrow('The requested range does not exist')
  })
})

it('is named by the server’s local date', () => {
  expect(dayOf(new Date(2026, 0, 2, 23, 59))).toBe('2026/01/02')
})
