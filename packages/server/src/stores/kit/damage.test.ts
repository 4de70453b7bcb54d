import { randomUUID } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { send } from '../../../test/calls.ts'
import { Shard } from '../calls/files/shard.ts'
import { embeddedStores } from '../calls/files/store.ts'
import { Spool, STALE_MS } from '../recordings/spool.ts'
import { recover, type Saved } from '../recover/recover.ts'
import { Segment as CaptureSegment } from '../sip/files/segment.ts'
import { Segments as Captures } from '../sip/files/segments.ts'
import type { Captured } from '../sip/store.ts'
import { Segments as Traces } from '../traces/files/segments.ts'
import { damagedFiles, formerName } from './damage.ts'

const DAY_MS = 86_400_000
const PAGE = 8_192

/** Overwrites bytes in place. */
function overwrite(file: string, at: number, length: number) {
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(length, 0xa5), 0, length, at)
  closeSync(handle)
}

/** What can happen to a file of this page size. */
const damages: Record<string, (file: string, page: number) => void> = {
  'is empty but for its WAL': (file) => {
    const db = new DatabaseSync(file)
    db.exec('create table other (id integer)')
    copyFileSync(`${file}-wal`, `${file}-kept`)
    db.close()
    renameSync(`${file}-kept`, `${file}-wal`)
    writeFileSync(file, '')
  },
  'has a wrong header': (file) => overwrite(file, 0, 100),
  'has lost its tables': (file, page) => overwrite(file, 0, page),
  'is truncated': (file, page) =>
    truncateSync(file, Math.ceil((statSync(file).size / page) * 0.8) * page),
  'has bad pages in the middle': (file, page) =>
    overwrite(file, Math.floor(statSync(file).size / page / 3) * page, 3 * page),
}
const names = Object.keys(damages)

/** What is lost is not known, or counted. */
const expectNoneForgotten = ({ saved, lost = Number.POSITIVE_INFINITY }: Saved, count: number) =>
  expect(saved + lost).toBeGreaterThanOrEqual(count)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchroom-damage-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('call records', () => {
  const CALLS = 600
  /** The part of the calls that is saved, at least. */
  const SAVED: Record<string, number> = {
    'is empty but for its WAL': 0,
    'has a wrong header': 1,
    'has lost its tables': 1,
    'is truncated': 0.1,
    'has bad pages in the middle': 0.3,
  }
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS
  const span = { from: 0, to: midnight + 2 * DAY_MS }
  let stores: ReturnType<typeof embeddedStores>
  let url: string
  const start = async () => {
    stores = embeddedStores({
      folder,
      days: 30,
      max_bytes: 1e12,
      listen: { host: '127.0.0.1', port: 0 },
    })
    url = `http://127.0.0.1:${await stores.open()}`
  }
  const add = async (day: string, ms: number, count = CALLS) => {
    const lines = Array.from(
      { length: count },
      (_, i) =>
        `cdrs,account_sid=a,answered=true,trunk=t${i % 3} call_sid="${day}-${i}",from="1508${i}",to="2",duration=10,application_sid="app" ${ms + i}000000`,
    )
    expect((await send({ url }, lines.join('\n'))).status).toBe(204)
  }
  const total = async () => (await stores.calls.list(span, { limit: 1, offset: 0 })).total
  const fileOf = (ms: number) => join(folder, `${new Date(ms).toISOString().slice(0, 10)}.db`)
  const today = () => fileOf(midnight)

  beforeEach(async () => {
    await start()
    await add('yesterday', midnight - DAY_MS)
    await add('today', midnight)
  })
  afterEach(() => stores.close())

  it.each(names)('are shown, taken in and saved when a file %s', async (name) => {
    await stores.close()
    damages[name]!(today(), PAGE)
    await start()
    await add('new', midnight + 50_000, 100)
    // some damage shows only when the damaged part is read
    const search = { ...span, text: '1508' }
    await stores.calls.list(search, { limit: 500, offset: 0 })
    for await (const _ of stores.calls.each(span)) {
      // reads it all
    }
    await expect.poll(() => damagedFiles([folder])).toHaveLength(1)
    await add('newer', midnight + 60_000, 100)
    await expect.poll(total).toBeGreaterThanOrEqual(CALLS + 100)
    const { data } = await stores.calls.list(span, { limit: 5, offset: 0 })
    expect(data[0]!.call_sid).toMatch(/^newer-/)
    expect((await stores.calls.figures({}, span)).calls).toBe(await total())
    expect((await stores.calls.find({}, { call_sid: 'yesterday-7' }))?.from).toBe('15087')

    // what came in before the damage was found may be in the damaged file
    const before = await total()
    const [saved] = recover('calls', folder)
    expect(saved!.saved).toBeGreaterThanOrEqual(CALLS * SAVED[name]!)
    expectNoneForgotten(saved!, CALLS)
    if (name !== 'has a wrong header') expect(saved!.lost).toBeUndefined()
    await expect.poll(total).toBe(before + saved!.saved)
    expect([damagedFiles([folder]), recover('calls', folder)]).toEqual([[], []])
    expect(await total()).toBe(before + saved!.saved)
    const ofApplication = { ...span, application_sid: 'app' }
    const found = await stores.calls.list(ofApplication, { limit: 1, offset: 0 })
    expect(found.total).toBe(await total())
  })

  it('are taken in when the file is damaged while it is in use', async () => {
    expect(await total()).toBe(2 * CALLS)
    await stores.maintain()
    overwrite(today(), 0, statSync(today()).size)
    await add('new', midnight + 50_000, 10)
    await expect.poll(total).toBe(CALLS + 10)
    expect(damagedFiles([folder])).toHaveLength(1)
  })

  it('of a day whose file was never written to are taken into it', async () => {
    await stores.close()
    writeFileSync(fileOf(midnight + DAY_MS), '')
    await start()
    expect(await total()).toBe(2 * CALLS)
    await add('tomorrow', midnight + DAY_MS, 10)
    await expect.poll(total).toBe(2 * CALLS + 10)
    expect(damagedFiles([folder])).toEqual([])
  })

  it('of other days are shown when an older file is damaged while it is read', async () => {
    await stores.maintain()
    const yesterday = fileOf(midnight - DAY_MS)
    overwrite(yesterday, PAGE, statSync(yesterday).size - PAGE)
    for await (const _ of stores.calls.each(span)) {
      // reads it all
    }
    expect(await total()).toBe(CALLS)
    await expect.poll(() => damagedFiles([folder])).toHaveLength(1)
    expect(readdirSync(folder)).not.toContain(`${yesterday.slice(-13)}`)
  })

  it('of a day whose file is gone are read without a new file in its place', () => {
    const gone = fileOf(midnight - 2 * DAY_MS)
    expect(() => new Shard(gone, 0, 'read')).toThrow('unable to open database file')
    expect(existsSync(gone)).toBe(false)
  })
})

describe('traces', () => {
  const traceId = (i: number) => i.toString(16).padStart(32, '0')
  const batch = (i: number) => ({
    origin: { resource: [], scope: { name: 'feature-server', version: '1' } },
    spans: [
      {
        traceId: traceId(i),
        spanId: 'cd'.repeat(8),
        parentSpanId: '',
        name: `span ${i} ${'x'.repeat(i % 50 === 0 ? 10_000 : 100)}`,
        kind: 'SPAN_KIND_SERVER',
        startTimeUnixNano: '1700000000000000000',
        endTimeUnixNano: '1700000001000000000',
        attributes: [],
      },
    ],
  })
  const COUNT = 500
  const found = (segments: Traces) =>
    Array.from({ length: COUNT }, (_, i) => segments.find(traceId(i))).filter(Boolean).length

  it.each(names)('are taken in and saved when a file %s', (name) => {
    let now = 1_700_000_000_000
    const open = () => new Traces({ folder, days: 30, max_bytes: 1e9, now: () => now })
    const first = open()
    first.write(Array.from({ length: COUNT }, (_, i) => batch(i)))
    first.close()
    const [file] = readdirSync(folder)
    damages[name]!(join(folder, file!), 4_096)
    now += 1_000
    const segments = open()
    segments.write([batch(COUNT)])
    found(segments)
    segments.write([batch(COUNT + 1)])
    expect(segments.find(traceId(COUNT + 1))).toBeDefined()
    expect(damagedFiles([folder])).toHaveLength(1)
    const [saved] = recover('traces', folder)
    segments.forget()
    if (name === 'is empty but for its WAL') expect(saved!.saved).toBe(0)
    else expect(saved!.saved).toBeGreaterThan(COUNT / 4)
    expectNoneForgotten(saved!, COUNT)
    expect(found(segments)).toBeGreaterThanOrEqual(Math.min(saved!.saved, COUNT) - 1)
    segments.close()
  })
})

describe('SIP captures', () => {
  const message = (i: number): Captured => ({
    time: 1_700_000_000_000_000 + i,
    kind: 'sip',
    source: { address: '192.0.2.1', port: 5060 },
    destination: { address: '192.0.2.2', port: 5060 },
    transport: 'UDP',
    node: '1',
    call_id: `call-${i % 10}`,
    parent: null,
    bytes: Buffer.from(`INVITE sip:${i}@example.com SIP/2.0\r\nx: ${'y'.repeat(200)}\r\n\r\n`),
  })
  const COUNT = 500

  it.each(names)('are taken in and saved once when a file %s', (name) => {
    let now = 1_700_000_000_000
    const open = () => new Captures({ folder, days: 30, max_bytes: 1e9, now: () => now })
    const find = (segments: Captures) =>
      Array.from(
        { length: 10 },
        (_, i) =>
          segments.find({ call_id: `call-${i}`, kind: 'call', from: 0, to: 8e15 }).messages.length,
      ).reduce((a, b) => a + b, 0)
    const first = open()
    first.write(Array.from({ length: COUNT }, (_, i) => message(i)))
    first.close()
    const [file] = readdirSync(folder)
    damages[name]!(join(folder, file!), 4_096)
    now += 1_000
    const segments = open()
    segments.write([message(COUNT)])
    find(segments)
    segments.write([message(COUNT + 1)])
    expect(find(segments)).toBeGreaterThan(0)
    const [aside] = damagedFiles([folder])
    expect(aside).toContain(`${file}.damaged-`)
    const [saved] = recover('captures', folder)
    segments.forget()
    const all = find(segments)
    if (name === 'is empty but for its WAL') expect(saved!.saved).toBe(0)
    else expect(saved!.saved).toBeGreaterThan(COUNT / 4)
    expectNoneForgotten(saved!, COUNT)
    expect(all).toBeGreaterThanOrEqual(saved!.saved)
    segments.close()
    // an interrupted run begins again with the same file
    const target = new CaptureSegment(join(folder, file!))
    expect(target.hasMessage(message(COUNT + 5))).toBe(false)
    target.close()
  })
})

describe('recordings that wait for their bucket', () => {
  const JOB = '"account_sid":"a","call_sid":"c","begun":0,"rate":8000,"format":"mp3","metadata":{}'
  const later = () => Date.now() + 2 * STALE_MS

  it('are taken up if an earlier version noted what they are, before notes had one', async () => {
    const spool = new Spool({ folder, max_bytes: 1e9 })
    const id = '00000000-0000-4000-8000-000000000001'
    writeFileSync(spool.filesOf(id).job, `{"id":"${id}",${JOB}}`)
    writeFileSync(spool.filesOf(id).pcm, 'audio')
    const job = { id, account_sid: 'a', call_sid: 'c', begun: 0, rate: 8_000, format: 'mp3' }
    expect(await spool.due(later())).toEqual([{ ...job, metadata: {} }])
  })

  it('have the version of their note in it', async () => {
    const spool = new Spool({ folder, max_bytes: 1e9 })
    const job = { id: randomUUID(), account_sid: 'a', call_sid: 'c', begun: 0, rate: 8_000 }
    await spool.finish(await spool.begin({ ...job, format: 'mp3', metadata: {} }))
    expect(JSON.parse(readFileSync(spool.filesOf(job.id).job, 'utf8'))).toMatchObject({
      ...job,
      version: 1,
    })
  })

  it('stay as they are if a newer version noted what they are, and others do not wait', async () => {
    const spool = new Spool({ folder, max_bytes: 1e9 })
    const [newer, ours] = [randomUUID(), randomUUID()]
    const note = '{"version":2,"of":{"account":"a"}}'
    writeFileSync(spool.filesOf(newer).job, note)
    writeFileSync(spool.filesOf(newer).pcm, '')
    writeFileSync(spool.filesOf(ours).job, `{"id":"${ours}",${JOB}}`)
    writeFileSync(spool.filesOf(ours).pcm, 'audio')
    expect((await spool.due(later())).map(({ id }) => id)).toEqual([ours])
    await spool.due(later())
    expect(readFileSync(spool.filesOf(newer).job, 'utf8')).toBe(note)
    expect(existsSync(spool.filesOf(newer).pcm)).toBe(true)
    expect(spool.newer()).toEqual([spool.filesOf(newer).job])
    expect(damagedFiles([folder])).toEqual([])
    // the newer version, beside this one, has stored it
    await spool.remove(newer)
    expect(spool.newer()).toEqual([])
  })

  it('are set aside with their audio when what they are is unreadable', async () => {
    const spool = new Spool({ folder, max_bytes: 1e9 })
    const [whole, broken, cut] = [randomUUID(), randomUUID(), randomUUID()]
    const job = { id: whole, account_sid: 'a', call_sid: 'c', begun: 0, rate: 8_000 }
    writeFileSync(spool.filesOf(whole).job, JSON.stringify(job))
    writeFileSync(spool.filesOf(whole).pcm, 'audio')
    writeFileSync(spool.filesOf(broken).job, '\0\0\0')
    writeFileSync(spool.filesOf(broken).pcm, 'audio')
    writeFileSync(spool.filesOf(cut).job, '')
    const later = Date.now() + 2 * STALE_MS
    expect((await spool.due(later)).map(({ id }) => id)).toEqual([whole])
    const aside = damagedFiles([folder]).map((file) => basename(formerName(file)))
    expect(aside.sort()).toEqual([`${broken}.json`, `${broken}.pcm`])
    expect(readdirSync(folder).filter((name) => name.startsWith(cut))).toEqual([])
  })
})
