import { randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Bucket } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arbitraryBytes } from '../../../test/recordings.ts'
import { type Azurite, startAzurite, startGoogle } from '../../../test/stand-ins/buckets.ts'
import { startS3 } from '../../../test/stand-ins/s3.ts'
import { outbound } from '../../outbound/outbound.ts'
import { PART, type Source } from '../buckets/store.ts'
import { StoreUnavailable } from '../kit/unavailable.ts'
import { folderStore } from './folder.ts'
import { keyOf, recordingStore } from './store.ts'

const CANARY = 'canary-bucket-secret'
const root = mkdtempSync(join(tmpdir(), 'switchroom-recordings-'))
const folder = join(root, 'recordings')
const limits = { folder, days: 30, max_bytes: 1e9 }
let s3: Awaited<ReturnType<typeof startS3>>
let azurite: Azurite
let google: Awaited<ReturnType<typeof startGoogle>>
let store: ReturnType<typeof recordingStore>
const s3Bucket = (endpoint: string) =>
  ({
    vendor: 's3_compatible',
    name: 'recordings',
    endpoint,
    ...s3.key,
  }) as Bucket
const buckets: Record<string, () => Bucket | undefined> = {
  'a bucket of S3': () => s3Bucket(s3.url),
  'a container of Azure': () =>
    ({
      vendor: 'azure',
      name: 'recordings',
      connection_string: azurite.connection,
    }) as Bucket,
  'a bucket of Google': () =>
    ({
      vendor: 'google',
      name: 'recordings',
      service_key: JSON.stringify({ client_email: google.email, private_key: google.key }),
    }) as Bucket,
  'the folder': () => undefined,
}

beforeAll(async () => {
  s3 = await startS3('recordings')
  azurite = await startAzurite('recordings')
  google = await startGoogle('recordings')
  store = recordingStore(outbound(['127.0.0.0/8']), limits, google.hosts)
})
afterAll(async () => {
  await Promise.all([s3.stop(), azurite.stop(), google.stop()])
  rmSync(root, { recursive: true, force: true })
})

const source = (bytes: Buffer): Source => ({
  size: bytes.length,
  type: 'audio/mpeg',
  metadata: { callSid: 'x', from: '+1508 %C3%BC' },
  async *read(from, to) {
    for (let at = from; at < to; at += 65_536) yield bytes.subarray(at, Math.min(to, at + 65_536))
  },
})
const newKey = () => keyOf('2026/01/31', randomUUID(), 'mp3')
const bytesOf = async (stream: AsyncIterable<Uint8Array>) => {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

describe.each(Object.keys(buckets))('%s', (name) => {
  const owner = { account_sid: randomUUID(), bucket: undefined as Bucket | undefined }
  beforeAll(() => {
    owner.bucket = buckets[name]!()
  })

  it('stores a recording, reads any range of it, and deletes it', async () => {
    const sound = arbitraryBytes(300_000)
    const key = newKey()
    await store.keep(owner, key, source(sound))
    const found = (await store.find(owner, [newKey(), key]))!
    expect(found).toMatchObject({ key, size: sound.length })
    const whole = await bytesOf(await found.open({ from: 0, to: sound.length - 1 }))
    expect(whole.equals(sound)).toBe(true)
    const part = await bytesOf(await found.open({ from: 1_000, to: 2_999 }))
    expect(part.equals(sound.subarray(1_000, 3_000))).toBe(true)
    await found.remove()
    expect(await store.find(owner, [key])).toBeUndefined()
  })

  it('stores one in several parts, and replaces it', async () => {
    const sound = arbitraryBytes(2 * PART + 12_345)
    const key = newKey()
    await store.keep(owner, key, source(Buffer.from('older')))
    await store.keep(owner, key, source(sound))
    const found = (await store.find(owner, [key]))!
    expect(found.size).toBe(sound.length)
    const whole = await bytesOf(await found.open({ from: 0, to: sound.length - 1 }))
    expect(whole.equals(sound)).toBe(true)
  })

  it('stores nothing of an interrupted upload', async () => {
    const key = newKey()
    const broken: Source = {
      ...source(arbitraryBytes(PART + 100)),
      async *read(from) {
        if (from > 0) throw new Error('cut')
        yield arbitraryBytes(PART)
        // stores that are given all at once see it end here
        if (name !== 'a bucket of S3' && name !== 'a bucket of Google') throw new Error('cut')
      },
    }
    await expect(store.keep(owner, key, broken)).rejects.toThrow()
    expect(await store.find(owner, [key])).toBeUndefined()
    expect(s3.uploads()).toEqual([])
  })
})

describe('the folder and a bucket', () => {
  const account_sid = randomUUID()

  it('finds recordings in the folder, of this account only', async () => {
    const bucket = s3Bucket(s3.url)
    const key = newKey()
    await store.keepHere(account_sid, key, source(Buffer.from('here')))
    expect(await store.find({ account_sid, bucket }, [key])).toMatchObject({ size: 4 })
    expect(await store.find({ account_sid: randomUUID(), bucket }, [key])).toBeUndefined()
    expect(await store.find({ account_sid: randomUUID(), bucket: undefined }, [key])).toBe(
      undefined,
    )
  })

  it.each([
    ['is away', 'http://127.0.0.1:1'],
    ['may not be called', 'http://10.1.2.3'],
  ])('reports when the bucket %s, without its secret', async (_, url) => {
    const bucket = { ...s3Bucket(url), secret_access_key: CANARY } as Bucket
    const error = await store.find({ account_sid, bucket }, [newKey()]).catch((e: Error) => e)
    expect(error).toBeInstanceOf(StoreUnavailable)
    const { message, cause } = error as Error
    expect(message).toBe('The bucket of this account cannot be read right now')
    expect(`${message} ${(cause as Error).stack}`).not.toContain(CANARY)
  })

  it('also searches the day before when a missing object is reported as forbidden', async () => {
    const key = newKey()
    const server = createServer((request, reply) => {
      if (request.url!.includes(key)) reply.writeHead(200, { 'content-length': 7 }).end()
      else reply.writeHead(403).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const owner = { account_sid, bucket: s3Bucket(`http://127.0.0.1:${port}`) }
    expect(await store.find(owner, [newKey(), key])).toMatchObject({ key, size: 7 })
    await expect(store.find(owner, [newKey()])).rejects.toThrow(StoreUnavailable)
    server.close()
  })
})

describe('the folder', () => {
  const files = folderStore({ ...limits, folder: join(root, 'limits'), days: 2, max_bytes: 1_000 })
  const signal = AbortSignal.timeout(60_000)
  const put = async (daysOld: number, size: number) => {
    const key = `${randomUUID()}/${newKey()}`
    await files.put(key, source(arbitraryBytes(size)), signal)
    const at = new Date(Date.now() - daysOld * 86_400_000)
    utimesSync(join(root, 'limits', key), at, at)
    return key
  }

  it.each([
    '../../etc/passwd',
    `${randomUUID()}/../${randomUUID()}/2026/01/31/${randomUUID()}.mp3`,
    `${randomUUID()}/2026/01/31/${randomUUID()}.mp3/../../../x`,
    `${randomUUID()}/2026/01/31/${randomUUID()}.sh`,
    `${randomUUID()}/2026/01/31/..\0.mp3`,
  ])('rejects the key %s', async (key) => {
    await expect(files.size(key)).rejects.toThrow('Not the key of a recording')
    await expect(files.put(key, source(Buffer.from('x')), signal)).rejects.toThrow('Not the key')
  })

  it('removes by age, then by size, and no other files', async () => {
    const beside = join(root, 'limits', 'incoming', 'x.pcm')
    mkdirSync(dirname(beside), { recursive: true })
    writeFileSync(beside, arbitraryBytes(5_000))
    const old = await put(3, 10)
    const [first, second, third] = [await put(1.5, 600), await put(1, 600), await put(0, 300)]
    expect(await files.forget()).toBe(900)
    expect(await Promise.all([old, first, second, third].map((key) => files.size(key)))).toEqual([
      undefined,
      undefined,
      600,
      300,
    ])
    expect(existsSync(beside)).toBe(true)
  })

  it('is readable by its owner only, and leaves no partial file', async () => {
    const key = await put(0, 10)
    const entries = readdirSync(dirname(join(root, 'limits', key)))
    expect(entries).toHaveLength(1)
  })
})
