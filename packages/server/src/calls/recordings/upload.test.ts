import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import fs, {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type TestApp, testApp } from '../../../test/app.ts'
import { canMount, smallDisk } from '../../../test/full-disk.ts'
import { frameOf } from '../../audio/mp3.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { Job } from '../../stores/recordings/spool.ts'
import { dayOf } from '../../stores/recordings/store.ts'
import { delivering, metadataOf } from './delivery.ts'
import { receive, TIMES, type Upload } from './upload.ts'

let t: TestApp
afterEach(() => {
  vi.restoreAllMocks()
  return t?.close()
})

const CANARY = 'canary-record-password'
const signed = { JAMBONZ_RECORD_WS_USERNAME: 'recorder', JAMBONZ_RECORD_WS_PASSWORD: CANARY }
const basic = (password: string) => `Basic ${btoa(`recorder:${password}`)}`

/** A server that listens. Resolves to its port. */
async function listen(environment: Record<string, string> = {}, out?: Outbound) {
  t = await testApp(environment, out, undefined, { ownApp: true })
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  return (t.app.server.address() as AddressInfo).port
}

/** Media servers’ own opening; resolves when it is taken, rejects with the status when not. */
const openSocket = (port: number, path = '/record/aws_s3', headers: Record<string, string> = {}) =>
  new Promise<WebSocket>((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, ['audio.jambonz.org'], {
      headers,
    })
    socket.once('open', () => resolve(socket))
    socket.once('unexpected-response', (request, answer) => {
      request.destroy()
      reject(new Error(String(answer.statusCode)))
    })
    socket.once('error', reject)
  })
const waitForClose = (socket: WebSocket) =>
  new Promise<[code: number, why: string]>((resolve) =>
    socket.once('close', (code, why) => resolve([code, String(why)])),
  )
const start = (more: object = {}) => ({
  sampleRate: 8_000,
  accountSid: t.sids.a1,
  callSid: randomUUID(),
  direction: 'inbound',
  from: '15085551000',
  to: '15085551001',
  callId: 'sip-1@pbx',
  applicationSid: null,
  originatingSipIp: '10.1.2.3',
  originatingSipTrunkName: 'trunk',
  ...more,
})

/** Tones of 440 Hz on the left and 880 Hz on the right. */
function tones(seconds: number, rate = 8_000) {
  const pcm = Buffer.alloc(seconds * rate * 4)
  for (let i = 0; i < seconds * rate; i++) {
    pcm.writeInt16LE(Math.round(12_000 * Math.sin((2 * Math.PI * 440 * i) / rate)), i * 4)
    pcm.writeInt16LE(Math.round(12_000 * Math.sin((2 * Math.PI * 880 * i) / rate)), i * 4 + 2)
  }
  return pcm
}

const folder = () => join(t.ctx.config.recordings.folder, t.sids.a1, dayOf(new Date()))
/** Path in the folder of its day, which may have ended by now. */
function recordingPath(call_sid: string, format: string) {
  const name = `${call_sid}.${format}`
  const [found] = globSync(join(t.ctx.config.recordings.folder, t.sids.a1, '*', '*', '*', name))
  return found ?? join(folder(), name)
}
const counts = () => t.ctx.stores.incoming.counts
const leftFiles = () => readdirSync(join(t.ctx.config.recordings.folder, 'incoming'))
const waitUntil = async (what: () => unknown) => {
  await expect.poll(what, { interval: 25 }).toBeTruthy()
}
const asWav = () =>
  t.db
    .updateTable('accounts')
    .set({ record_format: 'wav' })
    .where('account_sid', '=', t.sids.a1)
    .execute()

async function send(socket: WebSocket, pcm: Buffer, odd = 999) {
  // frames need not end where samples do
  for (let at = 0; at < pcm.length; at += odd) socket.send(pcm.subarray(at, at + odd))
}

describe('an uploaded recording', () => {
  it('is a WAV with exactly the audio sent', async () => {
    const port = await listen()
    await asWav()
    const socket = await openSocket(port)
    expect(socket.protocol).toBe('audio.jambonz.org')
    const { callSid, ...rest } = start()
    socket.send(JSON.stringify({ callSid, ...rest }))
    const pcm = tones(3)
    // half a sample at its end is no sound
    await send(socket, Buffer.concat([pcm, Buffer.from([1, 2])]))
    socket.send(JSON.stringify({ event: 'stop' }))
    socket.close()
    await waitUntil(() => existsSync(recordingPath(callSid, 'wav')))
    const wav = readFileSync(recordingPath(callSid, 'wav'))
    expect(wav.length).toBe(44 + pcm.length)
    expect(wav.subarray(44).equals(pcm)).toBe(true)
    expect(wav.toString('latin1', 0, 4) + wav.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ')
    expect([wav.readUInt32LE(4), wav.readUInt32LE(40)]).toEqual([36 + pcm.length, pcm.length])
    expect([wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt16LE(34)]).toEqual([
      2, 8_000, 16,
    ])
    await waitUntil(() => leftFiles().length === 0)
    expect(counts()).toMatchObject({ kept: 1, broken: 0, refused: 0 })
    const [note] = await t.db.selectFrom('switchroom_event_notes').selectAll().execute()
    expect(note).toMatchObject({
      ...{ kind: 'recording.ready', account_sid: t.sids.a1 },
      data: JSON.stringify({ call_sid: callSid, format: 'wav' }),
    })
    expect((await t.app.inject('/metrics')).body).toContain(
      'switchroom_recordings_total{outcome="kept"} 1',
    )
  })

  it.each([8_000, 16_000])('is a stereo MP3 of the same length, at %i Hz', async (rate) => {
    const port = await listen()
    const socket = await openSocket(port)
    const metadata = start({ sampleRate: rate })
    socket.send(JSON.stringify(metadata))
    await send(socket, tones(4, rate), 6_400)
    socket.close()
    await waitUntil(() => existsSync(recordingPath(metadata.callSid, 'mp3')))
    const { seconds, channels, rates } = decoded(
      readFileSync(recordingPath(metadata.callSid, 'mp3')),
    )
    expect(channels).toEqual([2])
    expect(rates).toEqual([rate])
    expect(seconds).toBe(4)
  })

  it('is kept when it breaks off in the middle', async () => {
    const port = await listen()
    await asWav()
    const socket = await openSocket(port)
    const metadata = start()
    socket.send(JSON.stringify(metadata))
    await send(socket, tones(1))
    await waitUntil(() => t.ctx.stores.incoming.bytes >= 32_000)
    expect(existsSync(recordingPath(metadata.callSid, 'wav'))).toBe(false)
    socket.terminate()
    await waitUntil(() => counts().kept === 1)
    expect(readFileSync(recordingPath(metadata.callSid, 'wav'))).toHaveLength(44 + 32_000)
    expect(counts().broken).toBe(1)
  })

  it('is complete when the socket closes during setup', async () => {
    t = await testApp()
    const { incoming } = t.ctx.stores
    const socket = Object.assign(new EventEmitter(), {
      pause: () => {},
      resume: () => {},
      refuse: () => {},
      readyState: WebSocket.CLOSING,
    })
    const begin = incoming.begin.bind(incoming)
    incoming.begin = async (job) => {
      const stream = await begin(job)
      // all of it came at once, with the end
      socket.emit('message', tones(1), true)
      socket.emit('close', 1000)
      return stream
    }
    const pushed: Job[] = []
    receive(t.ctx, socket as unknown as Upload, { push: async (job) => void pushed.push(job) })
    socket.emit('message', Buffer.from(JSON.stringify(start())), false)
    await waitUntil(() => pushed.length === 1)
    expect(readFileSync(incoming.filesOf(pushed[0]!.id).pcm)).toHaveLength(32_000)
  })

  it('is on disk before its end is answered', async () => {
    const port = await listen()
    const { incoming } = t.ctx.stores
    const order: string[] = []
    const synced = vi.spyOn(fs, 'fsync')
    const begin = incoming.begin.bind(incoming)
    incoming.begin = async (job) => {
      // an answer that did not wait would come before the one to this request
      await (await fetch(`http://127.0.0.1:${port}/health`)).text()
      return begin(job)
    }
    const finish = incoming.finish.bind(incoming)
    incoming.finish = async (audio) => {
      await finish(audio)
      expect(statSync(audio.path).size).toBe(32_000)
      expect(synced).toHaveBeenCalledOnce()
      order.push('on disk')
    }
    const socket = await openSocket(port)
    const closed = waitForClose(socket).then(([code]) => order.push(String(code)))
    socket.send(JSON.stringify(start()))
    socket.send(tones(1))
    socket.close(1000)
    await closed
    expect(order).toEqual(['on disk', '1000'])
  })

  it('is said to be lost in part when its end cannot be written', async () => {
    const port = await listen()
    const { incoming } = t.ctx.stores
    incoming.finish = async () => {
      throw new Error('EIO')
    }
    const socket = await openSocket(port)
    const closed = waitForClose(socket)
    socket.send(JSON.stringify(start()))
    socket.send(tones(1))
    socket.close(1000)
    expect(await closed).toEqual([1011, 'It cannot be written'])
    expect(t.lines.filter((line) => line.includes('recording could not be written'))).toHaveLength(
      1,
    )
  })

  it('is not stored without audio', async () => {
    const port = await listen()
    const socket = await openSocket(port)
    const metadata = start()
    socket.send(JSON.stringify(metadata))
    await waitUntil(
      () => existsSync(join(t.ctx.config.recordings.folder, 'incoming')) && leftFiles().length > 1,
    )
    socket.close()
    await waitUntil(() => counts().empty === 1)
    expect(existsSync(folder())).toBe(false)
  })

  it('survives the process', async () => {
    await listen()
    await asWav()
    const delivery = delivering(t.ctx)
    const job = { ...start(), id: randomUUID(), begun: Date.now() }
    const stored: Job = {
      id: job.id,
      account_sid: t.sids.a1,
      call_sid: job.callSid,
      begun: job.begun,
      rate: 8_000,
      format: 'wav',
      metadata: {},
    }
    const incoming = join(t.ctx.config.recordings.folder, 'incoming')
    mkdirSync(incoming, { recursive: true })
    const file = (kind: string) => join(incoming, `${job.id}.${kind}`)
    writeFileSync(file('json'), JSON.stringify(stored))
    writeFileSync(file('pcm'), tones(1))
    // a job cut off during setup, and one that another process has claimed
    const [cut, busy] = [randomUUID(), randomUUID()]
    writeFileSync(join(incoming, `${cut}.json`), '{"id"')
    await delivery.look()
    await delivery.settled()
    expect(existsSync(recordingPath(job.callSid, 'wav'))).toBe(false)
    const old = new Date(Date.now() - 600_000)
    for (const id of [job.id, cut]) utimesSync(join(incoming, `${id}.json`), old, old)
    writeFileSync(join(incoming, `${busy}.json`), JSON.stringify({ ...stored, id: busy }))
    writeFileSync(join(incoming, `${busy}.pcm`), tones(1))
    await delivery.look()
    await delivery.settled()
    expect(readFileSync(recordingPath(job.callSid, 'wav'))).toHaveLength(44 + 32_000)
    expect(leftFiles().sort()).toEqual([`${busy}.json`, `${busy}.pcm`].sort())
    await delivery.close()
  })

  it.runIf(canMount).each(['wav', 'mp3'])(
    'keeps what came before the disk was full, as %s',
    async (format) => {
      const disk = smallDisk(8 * 2 ** 20)!
      try {
        const port = await listen({ SWITCHROOM_DATA: disk.folder })
        if (format === 'wav') await asWav()
        const socket = await openSocket(port)
        const metadata = start()
        socket.send(JSON.stringify(metadata))
        const pcm = tones(12)
        socket.send(pcm.subarray(0, 64_000))
        const received = () =>
          leftFiles()
            .filter((name) => name.endsWith('.pcm'))
            .map((name) => statSync(join(disk.folder, 'recordings/incoming', name)).size)
        await waitUntil(() => received()[0] === 64_000)
        disk.fill(65_536)
        const closed = waitForClose(socket)
        await send(socket, pcm.subarray(64_000), 32_000)
        expect(await closed).toEqual([1011, 'It cannot be written'])
        const { health } = t.ctx
        await waitUntil(() => health.parts().some((p) => p.sentence?.includes('ENOSPC')))
        expect(
          t.lines.filter((line) => line.includes('recording could not be written')),
        ).toHaveLength(1)
        expect(t.lines.filter((line) => line.includes('will be retried'))).toHaveLength(1)
        // nothing is offered, and nothing takes space from kept recordings
        expect(existsSync(folder()) ? readdirSync(folder()) : []).toEqual([])

        const incoming = join(disk.folder, 'recordings/incoming')
        // released last, for a minute from now
        const isReleased = (name: string) =>
          !name.endsWith('.json') || statSync(join(incoming, name)).mtimeMs < Date.now() - 30_000
        await waitUntil(() => leftFiles().every(isReleased))

        disk.free()
        const old = new Date(Date.now() - 600_000)
        for (const name of leftFiles()) utimesSync(join(incoming, name), old, old)
        const delivery = delivering(t.ctx)
        await delivery.look()
        await delivery.settled()
        await delivery.close()
        const file = readFileSync(recordingPath(metadata.callSid, format))
        const kept = format === 'wav' ? file.length - 44 : decoded(file).seconds * 32_000
        expect(kept).toBeGreaterThan(120_000)
        expect(kept).toBeLessThan(pcm.length)
        if (format === 'wav') {
          expect(file.subarray(44).equals(pcm.subarray(0, kept))).toBe(true)
          expect(file.readUInt32LE(40)).toBe(kept)
        }
        expect(leftFiles()).toEqual([])
        const day = dirname(recordingPath(metadata.callSid, format))
        expect(readdirSync(day)).toEqual([`${metadata.callSid}.${format}`])
      } finally {
        await t.close()
        disk.close()
      }
    },
  )

  it('retries an unavailable bucket, then stays local, and logs no secret', async () => {
    const port = await listen({ SWITCHROOM_ALLOW_NETWORKS: '127.0.0.0/8' })
    const bucket = {
      vendor: 's3_compatible',
      name: 'recordings',
      endpoint: 'http://127.0.0.1:1',
      access_key_id: 'key',
      secret_access_key: CANARY,
    }
    await t.db
      .updateTable('accounts')
      .set({ bucket_credential: t.ctx.box.seal(JSON.stringify(bucket)), record_format: 'wav' })
      .where('account_sid', '=', t.sids.a1)
      .execute()
    const socket = await openSocket(port)
    const metadata = start()
    socket.send(JSON.stringify(metadata))
    await send(socket, tones(1))
    socket.close()
    await waitUntil(() => counts().failed === 1)
    expect(leftFiles()).toHaveLength(2)
    const [name] = leftFiles().filter((f) => f.endsWith('.json'))
    const file = join(t.ctx.config.recordings.folder, 'incoming', name!)
    const job = JSON.parse(readFileSync(file, 'utf8')) as Job
    const hour = new Date(Date.now() - 3_700_000)
    const free = new Date(Date.now() - 600_000)
    const delivery = delivering(t.ctx)
    const tryAgain = async () => {
      setTime(file, free)
      await delivery.look()
      await delivery.settled()
    }

    // a long call has all the time that a short one has
    writeFileSync(file, JSON.stringify({ ...job, begun: Number(hour) }))
    // the first try lets go of the recording only after it was counted
    await waitUntil(async () => {
      await tryAgain()
      return counts().failed === 2
    })
    expect(counts().kept).toBe(0)

    setTime(file.replace('.json', '.pcm'), hour)
    await waitUntil(async () => {
      await tryAgain()
      return counts().kept === 1
    })
    expect(t.lines.join()).toContain('bucket upload failed for too long')
    expect(t.lines.join()).not.toContain(CANARY)
    await delivery.close()
  })
})

const setTime = (file: string, at: Date) => existsSync(file) && utimesSync(file, at, at)

describe('an upload', () => {
  it('is refused without the right password, and on other paths', async () => {
    const port = await listen(signed)
    await expect(openSocket(port)).rejects.toThrow('403')
    await expect(openSocket(port, '/record/x', { authorization: basic('wrong') })).rejects.toThrow(
      '403',
    )
    await expect(openSocket(port, '/record/x', { authorization: 'Basic %%%' })).rejects.toThrow(
      '403',
    )
    await expect(
      openSocket(port, '/api/v1/Accounts', { authorization: basic(CANARY) }),
    ).rejects.toThrow('401')
    await expect(openSocket(port, '/other', { authorization: basic(CANARY) })).rejects.toThrow(
      '404',
    )
    const socket = await openSocket(port, '/any/base/record/google?x', {
      authorization: basic(CANARY),
    })
    socket.close()
    await waitForClose(socket)
    expect(t.lines.join()).not.toContain(CANARY)
  })

  it.each<[string, Record<string, string>]>([
    ['another site', { origin: 'https://evil.example' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['an extension', { origin: 'chrome-extension://abc' }],
    ['another port', { origin: 'http://127.0.0.1:1' }],
    ['an empty origin', { origin: '' }],
    ['this site', { 'sec-fetch-site': 'same-origin' }],
    ['a browser without an origin', { 'sec-fetch-mode': 'websocket' }],
  ])('is refused from a page of %s, even with the password', async (_, headers) => {
    const port = await listen(signed)
    const authorization = basic(CANARY)
    await expect(openSocket(port, '/record/x', { authorization, ...headers })).rejects.toThrow(
      '403',
    )
  })

  it('is taken from a media server that names the host it calls as origin', async () => {
    const port = await listen(signed)
    const socket = await openSocket(port, '/record/x', {
      authorization: basic(CANARY),
      origin: `http://127.0.0.1:${port}`,
    })
    socket.close()
    await waitForClose(socket)
  })

  it('needs no password from a private network, unless through a proxy', async () => {
    const port = await listen()
    await expect(openSocket(port, '/record/x', { 'x-forwarded-for': '10.0.0.1' })).rejects.toThrow(
      '403',
    )
    const socket = await openSocket(port)
    socket.close()
    await waitForClose(socket)
  })

  it('is refused without a password from anywhere else', async () => {
    await listen()
    const fakeSocket = (remoteAddress: string) => {
      const socket = new PassThrough()
      const headers = { upgrade: 'websocket' }
      const request = { url: '/record/x', method: 'GET', headers, socket: { remoteAddress } }
      t.app.server.emit('upgrade', request, socket, Buffer.alloc(0))
      return String(socket.read())
    }
    for (const address of ['8.8.8.8', '::ffff:8.8.8.8', '2606:4700::1111', ''])
      expect(fakeSocket(address), address).toMatch(/^HTTP\/1\.1 403 /)
    expect(fakeSocket('10.1.2.3')).not.toMatch(/ 403 /)
  })

  it('is refused when audio arrives faster than the account is resolved', async () => {
    t = await testApp()
    const closed: unknown[] = []
    const socket = Object.assign(new EventEmitter(), {
      pause: () => {},
      resume: () => {},
      refuse: (...why: unknown[]) => void closed.push(why),
      readyState: WebSocket.OPEN,
    })
    receive(t.ctx, socket as unknown as Upload, { push: async () => undefined })
    socket.emit('message', Buffer.from(JSON.stringify(start())), false)
    for (let i = 0; i < 5; i++) socket.emit('message', Buffer.alloc(900_000), true)
    expect(closed).toEqual([[1008, 'Too fast']])
    socket.emit('close', 1008)
  })

  it.each([
    ['no JSON', 'hello'],
    [
      'another account',
      JSON.stringify({ accountSid: randomUUID(), callSid: randomUUID(), sampleRate: 8_000 }),
    ],
    ['a path', { callSid: '../../../etc/passwd' }],
    ['no rate', { sampleRate: 1e9 }],
    ['a list', '[]'],
    ['nothing', 'null'],
    ['sound first', tones(1)],
    ['deep nesting', '['.repeat(100_000)],
  ])('is refused when it begins with %s', async (_, first) => {
    const port = await listen()
    const socket = await openSocket(port)
    const over = waitForClose(socket)
    socket.send(
      typeof first === 'object' && !Buffer.isBuffer(first) ? JSON.stringify(start(first)) : first,
    )
    socket.send(tones(1))
    expect((await over)[0]).toBe(1008)
    await waitUntil(() => counts().refused === 1)
    expect(existsSync(join(t.ctx.config.recordings.folder, 'incoming'))).toBe(false)
  })

  it('has limits on message size, count, backlog and silence', async () => {
    const port = await listen({
      SWITCHROOM_RECORDINGS_AT_ONCE: '1',
      SWITCHROOM_RECORDINGS_MAX_GB: '0.001',
    })
    const only = await openSocket(port)
    await expect(openSocket(port)).rejects.toThrow('503')
    const left = waitForClose(only)
    only.close()
    await left
    TIMES.start_ms = 300
    const silent = await vi.waitFor(() => openSocket(port), 60_000)
    expect(await waitForClose(silent)).toEqual([1008, 'Nothing was said of the call'])
    TIMES.start_ms = 10_000

    const huge = await openSocket(port)
    huge.send(JSON.stringify(start()))
    huge.send(Buffer.alloc(1_100_000))
    expect((await waitForClose(huge))[0]).toBe(1009)

    const endless = await openSocket(port)
    const over = waitForClose(endless)
    endless.send(JSON.stringify(start()))
    const pcm = Buffer.alloc(100_000)
    const flood = setInterval(() => endless.readyState === 1 && endless.send(pcm), 2)
    expect(await over).toEqual([1013, 'Too much is waiting to be stored'])
    clearInterval(flood)
    await expect(openSocket(port)).rejects.toThrow('503')
    expect((await t.app.inject('/health')).statusCode).toBe(200)
  })

  it('may be cut off at any moment of its setup', async () => {
    const port = await listen()
    const raw = connect(port, '127.0.0.1')
    raw.write(
      'GET /record/x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    )
    raw.on('error', () => undefined)
    raw.on('data', () => raw.destroy())
    const reset = connect(port, '127.0.0.1', () => reset.resetAndDestroy())
    reset.on('error', () => undefined)
    const socket = await openSocket(port)
    socket.send(JSON.stringify(start()))
    socket.terminate()
    expect((await t.app.inject('/health')).statusCode).toBe(200)
  })
})

describe('metadata in a bucket', () => {
  it('is ASCII, portably named, and small', () => {
    const tags = [
      { Key: 'Cost centre', Value: 'Zürich' },
      { Key: '1st', Value: 'x' },
      ...Array.from({ length: 50 }, (_, i) => ({ Key: `k${i}`, Value: 'v'.repeat(200) })),
    ]
    const hostile = { from: '"\r\nx-amz-acl: public-read\ud800', to: ' 😀 ', empty: '' }
    const metadata = metadataOf({ metadata: hostile }, { vendor: 'azure', tags } as never)
    expect(metadata.Cost_centre).toBe('Z%C3%BCrich')
    expect(metadata._1st).toBe('x')
    expect(metadata.to).toBe('%F0%9F%98%80')
    expect(metadata).not.toHaveProperty('empty')
    const text = JSON.stringify(metadata)
    expect(text).toMatch(/^[\x20-\x7e]+$/)
    expect(text.length).toBeLessThan(2_500)
    expect(Object.values(metadata).join()).not.toMatch(/[\r\n]/)
  })
})

/** Parses an MP3 whose every byte belongs to a frame. The first frame is the info frame, without audio. */
function decoded(mp3: Buffer) {
  const channels = new Set<number>()
  const rates = new Set<number>()
  let samples = 0
  for (let at = 0; at + 4 <= mp3.length; ) {
    expect(mp3.readUInt16BE(at) >> 5, `a frame at ${at}`).toBe(0x7ff)
    const frame = frameOf(mp3.subarray(at))
    if (at > 0) samples += frame.samples
    channels.add(frame.channels)
    rates.add(frame.rate)
    at += frame.length
    if (at >= mp3.length) expect(at).toBe(mp3.length)
  }
  const info = mp3.indexOf('Info')
  expect(info).toBeLessThan(40)
  const gaps = mp3.readUIntBE(mp3.indexOf('LAME', info) + 21, 3)
  const sound = samples - (gaps >> 12) - (gaps & 0xfff)
  return { seconds: sound / [...rates][0]!, channels: [...channels], rates: [...rates] }
}
