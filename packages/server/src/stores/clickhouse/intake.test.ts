import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type PointOf, PointRows } from '../calls/clickhouse/point-rows.ts'
import type { Point } from '../calls/lines.ts'
import { BatchSpool } from '../kit/batch-spool.ts'
import { Refusal } from '../kit/ingest-server.ts'
import { refusedIn, retryRefused } from '../kit/refused-batches.ts'
import { type ClickHouse, RefusedRows } from './client.ts'
import { Intake, type Rows } from './intake.ts'
import { rowEnds } from './row-ends.ts'
import { insertInto } from './tables.ts'

let folder: string
let intake: Intake<PointOf> | undefined
/** Batches that ClickHouse received, and whether it is down. */
let inserted: { into: string; text: string }[]
let isAway: boolean
let prepared: number

async function insert(into: string, body: Buffer) {
  if (isAway) throw new Error('away')
  inserted.push({ into, text: body.toString('latin1') })
}
const db = { insert } as Partial<ClickHouse> as ClickHouse

const open = async (max_bytes = 1e6) => {
  const spool = await BatchSpool.open(folder, max_bytes)
  intake = new Intake({
    db,
    spool,
    pause_ms: 0,
    rows: () => new PointRows(),
    async prepare() {
      if (isAway) throw new Error('away')
      prepared++
    },
  })
  return { intake, spool }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchroom-spool-'))
  inserted = []
  isAway = false
  prepared = 0
  db.insert = insert
})
afterEach(async () => {
  await intake?.close()
  rmSync(folder, { recursive: true, force: true })
})

const call = (call_sid: string): { database: string; point: Point } => ({
  database: 'cdrs',
  point: {
    series: {
      measurement: 'cdrs',
      tags: { account_sid: 'a1' },
      key: '["cdrs","account_sid","a1"]',
    },
    fields: { call_sid },
    ms: 1_700_000_000_000,
    ns: 1,
  },
})
const waiting = () => readdirSync(folder).filter((name) => name.endsWith('.batch'))
const sidsIn = () =>
  inserted
    .filter(({ into }) => into === insertInto('calls'))
    .flatMap(({ text }) => text.match(/call-\d+/g) ?? [])

it('inserts what comes together at once, and answers when it is there', async () => {
  const { intake } = await open()
  await Promise.all([
    intake.write([call('call-1')]),
    intake.write([call('call-2'), call('call-3')]),
  ])
  expect(sidsIn()).toEqual(['call-1', 'call-2', 'call-3'])
  expect(inserted.map(({ into }) => into)).toEqual([insertInto('calls')])
  expect(prepared).toBe(1)
  expect(waiting()).toEqual([])
})

it('keeps on the disk what comes while ClickHouse is away, and delivers it later, in order', async () => {
  const { intake } = await open()
  isAway = true
  for (const n of [1, 2, 3]) await intake.write([call(`call-${n}`)])
  expect(waiting()).toHaveLength(3)
  expect(intake.state()).toMatchObject({ problem: new Error('away') })
  expect(intake.state().since).toBeGreaterThan(Date.now() - 60_000)
  isAway = false
  // new calls have to wait for earlier ones
  await intake.write([call('call-4')])
  // a batch that is gone from the disk still counts for a moment
  const nothing = { problem: undefined, bytes: 0, since: undefined }
  await expect.poll(() => intake.state()).toEqual(nothing)
  expect(waiting()).toEqual([])
  expect(sidsIn()).toEqual(['call-1', 'call-2', 'call-3', 'call-4'])
  await intake.write([call('call-5')])
  expect(sidsIn().at(-1)).toBe('call-5')
})

it('delivers what a process that was killed has left, and leaves what it had not finished', async () => {
  isAway = true
  const before = await open()
  await before.intake.write([call('call-1')])
  await before.intake.close()
  // one that may still be written by another process, and one that cannot
  const [young, old] = ['0000000000000002-x.batch.tmp', '0000000000000001-x.batch.tmp']
  for (const name of [young, old]) writeFileSync(join(folder, name), 'half')
  const hours = Date.now() / 1_000 - 2 * 3_600
  utimesSync(join(folder, old), hours, hours)
  isAway = false
  await open()
  await expect.poll(sidsIn).toEqual(['call-1'])
  await expect.poll(() => readdirSync(folder)).toEqual([young])
})

it('keeps the order of what a process before has left, also if the clock was set back', async () => {
  isAway = true
  const before = await open()
  await before.intake.write([call('call-1')])
  await before.intake.close()
  const [first] = waiting()
  const later = `${Number(first!.slice(0, 16)) + 86_400e6}${first!.slice(16)}`
  renameSync(join(folder, first!), join(folder, later))
  const { intake } = await open()
  await intake.write([call('call-2')])
  expect(waiting().sort()[0]).toBe(later)
  isAway = false
  await expect.poll(sidsIn).toEqual(['call-1', 'call-2'])
})

it('delivers a batch again when its answer was lost', async () => {
  const { spool } = await open()
  const batch = [{ into: 'points (a)', body: Buffer.from('rows') }]
  await spool.add(batch)
  expect((await spool.oldest())?.batch).toEqual(batch)
  expect((await spool.oldest())?.batch).toEqual(batch)
})

describe('rows that ClickHouse refuses for their content', () => {
  /** Refuses inserts with a call of this name. */
  const refusing = (bad: RegExp) => async (into: string, body: Buffer) => {
    if (bad.test(body.toString('latin1')))
      throw new RefusedRows('refused rows', { cause: new Error('Constraint `c` is violated') })
    await insert(into, body)
  }
  const refusedFiles = () => readdirSync(folder).filter((name) => name.endsWith('.refused'))
  const calls = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, i) => call(`call-${from + i}`))
  const sidsOf = (from: number, to: number) => calls(from, to).map((_, i) => `call-${from + i}`)

  it('are set aside alone, and hold back nothing', async () => {
    const { intake } = await open()
    db.insert = refusing(/call-50[2-3]|call-577/)
    const before = Date.now() - 1
    await intake.write(calls(500, 599))
    await intake.write(calls(600, 601))
    await expect.poll(waiting).toEqual([])
    const good = sidsOf(500, 601).filter((sid) => !/50[2-3]|577/.test(sid))
    expect(sidsIn().sort()).toEqual(good)
    const { refused, problem, since } = intake.state()
    expect([problem, since]).toEqual([undefined, undefined])
    expect(refused).toMatchObject({
      rows: { calls: 3 },
      why: expect.stringContaining('Constraint `c` is violated'),
    })
    expect(refused!.since).toBeGreaterThan(before)
    // a process that starts knows of them
    await intake.close()
    const { intake: again, spool } = await open()
    expect(again.state().refused).toEqual(refused)
    db.insert = insert
    inserted = []
    for (const file of await refusedIn(folder)) await retryRefused(file)
    await spool.look()
    await expect.poll(sidsIn).toEqual(['call-502', 'call-503', 'call-577'])
    await expect.poll(() => readdirSync(folder)).toEqual([])
    await expect.poll(() => again.state().refused).toBeUndefined()
  })

  it('are set aside once if the process is killed before the batch is removed', async () => {
    const { intake } = await open()
    isAway = true
    await intake.write(calls(1, 8))
    const reached = Promise.withResolvers<void>()
    let left = 4
    db.insert = async (into, body) => {
      if (left-- > 0) return refusing(/call-6/)(into, body)
      reached.resolve()
      return new Promise(() => undefined)
    }
    isAway = false
    await reached.promise
    expect(waiting()).toHaveLength(1)
    db.insert = refusing(/call-6/)
    const after = await open()
    await expect.poll(waiting).toEqual([])
    expect([...new Set(sidsIn())].sort()).toEqual(sidsOf(1, 8).filter((sid) => sid !== 'call-6'))
    expect(after.intake.state().refused?.rows).toEqual({ calls: 1 })
    expect(refusedFiles()).toHaveLength(1)
  })

  it('are set aside with the rows beside them if there are many', async () => {
    const { intake } = await open()
    db.insert = refusing(/call-/)
    await intake.write(calls(1_000, 1_999))
    await expect.poll(() => intake.state().refused?.rows).toEqual({ calls: 1_000 })
  })

  it('are deleted, oldest first, when they need too much room', async () => {
    const { spool } = await open(5_000)
    const row = { into: insertInto('calls'), body: Buffer.alloc(200), rows: 1, why: 'bad' }
    for (const n of [1, 2, 3])
      await spool.refuse(`000000000000000${n}-00000000-0000-4000-8000-000000000000.batch`, [row])
    expect(refusedFiles()).toEqual([
      '0000000000000003-00000000-0000-4000-8000-000000000000.refused',
    ])
    expect(spool.refused).toMatchObject({ rows: { calls: 1 }, since: 0.003 })
  })

  it('are told from others by where rows end', () => {
    const written = (rows: Rows<PointOf>, items: PointOf[]) => {
      for (const item of items) rows.add(item, 1n)
      return rows.batch()
    }
    const more = { ...call('call-2'), database: 'alerts' }
    const text = { ...call('x'.repeat(300)).point, fields: { new: 'é'.repeat(200), n: 5 } }
    for (const item of [call('call-1'), more, { database: 'cdrs', point: text }]) {
      const [one] = written(new PointRows(), [item])
      const [many] = written(new PointRows(), [item, item, item])
      const { length } = one!.body
      expect(rowEnds(many!.into, many!.body)).toEqual([length, 2 * length, 3 * length])
      // what is cut off is a row, and so is all of an unknown table
      expect(rowEnds(many!.into, many!.body.subarray(0, -1))).toEqual([
        length,
        2 * length,
        3 * length - 1,
      ])
      expect(rowEnds('unknown (`a`)', many!.body)).toEqual([3 * length])
    }
  })
})

describe('a batch of another version', () => {
  const name = (n: number) => `000000000000000${n}-00000000-0000-4000-8000-000000000000.batch`
  /** Writes a batch file: the header's length, the header, rows. */
  const lay = (n: number, header: string, rows: string) => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(header.length)
    const bytes = Buffer.concat([length, Buffer.from(header + rows)])
    writeFileSync(join(folder, name(n)), bytes)
    return bytes
  }

  it('is delivered if an earlier one wrote it, before files had a version', async () => {
    writeFileSync(
      join(folder, name(1)),
      '\x48\0\0\0[{"into":"points (database)","bytes":4},{"into":"calls (at)","bytes":6}]rowscall-1',
    )
    await open()
    await expect
      .poll(() => inserted)
      .toEqual([
        { into: 'points (database)', text: 'rows' },
        { into: 'calls (at)', text: 'call-1' },
      ])
    await expect.poll(waiting).toEqual([])
  })

  it('is written with its version', async () => {
    const { intake } = await open()
    isAway = true
    await intake.write([call('call-1')])
    const [file] = waiting()
    const bytes = readFileSync(join(folder, file!))
    const header = JSON.parse(bytes.toString('utf8', 4, 4 + bytes.readUInt32LE()))
    expect(header).toEqual({
      version: 2,
      checksum: crc32(bytes.subarray(-47)),
      parts: [{ into: insertInto('calls'), bytes: 47 }],
    })
  })

  it('is left as it is if a newer one wrote it, and named while all else is delivered', async () => {
    const newer = lay(1, '{"version":3,"rows":{"calls":["call-1"]}}', 'anything')
    const { intake, spool } = await open()
    await spool.add([{ into: insertInto('calls'), body: Buffer.from('call-2') }])
    await expect.poll(sidsIn).toEqual(['call-2'])
    // it is not waited for
    await intake.write([call('call-3')])
    expect(sidsIn()).toEqual(['call-2', 'call-3'])
    expect(waiting()).toEqual([name(1)])
    expect(readFileSync(join(folder, name(1)))).toEqual(newer)
    const sentence = `${name(1)} was written by a newer version of Switchroom (format 3, and this version knows up to 2). Start that version.`
    expect(intake.state()).toMatchObject({
      problem: { message: sentence },
      bytes: newer.length,
      since: 0.001,
    })
    // the newer version, beside this one, has delivered it
    rmSync(join(folder, name(1)))
    const nothing = { problem: undefined, bytes: 0, since: undefined }
    await expect.poll(() => intake.state()).toEqual(nothing)
  })
})

it.each(['its rows', 'its header', 'its end', 'all of it'])(
  'sets a batch aside of which %s is damaged, and delivers the others',
  async (what) => {
    isAway = true
    const before = await open()
    for (const n of [1, 2, 3]) await before.intake.write([call(`call-${n}`)])
    await before.intake.close()
    const [first, second] = waiting().sort()
    const file = join(folder, second!)
    const bytes = readFileSync(file)
    if (what === 'its rows') bytes.write('x', bytes.length - 2)
    if (what === 'its header') bytes.fill(0xa5, 0, 20)
    const left = { 'its end': bytes.length - 2, 'all of it': 0 }[what] ?? bytes.length
    writeFileSync(file, bytes.subarray(0, left))
    // also of a file without a checksum
    const length = Buffer.from([72, 0, 0, 0])
    const parts = '[{"into":"points (database)","bytes":4},{"into":"calls (at)","bytes":6}]'
    const old = '0000000000000001-00000000-0000-4000-8000-000000000000.batch'
    writeFileSync(join(folder, old), Buffer.concat([length, Buffer.from(`${parts}rowscall`)]))
    isAway = false
    await open()
    await expect.poll(sidsIn).toEqual(['call-1', 'call-3'])
    await expect.poll(waiting).toEqual([])
    expect(readdirSync(folder).sort()).toEqual([`${old}.damaged`, `${second}.damaged`])
    expect(first).not.toBe(second)
  },
)

it('refuses what has no room, so that the sender knows', async () => {
  const { intake } = await open(1_500)
  isAway = true
  await intake.write([call('call-1')])
  const refused = await intake.write([call(`call-${'2'.repeat(1_500)}`)]).catch((e: unknown) => e)
  expect(refused).toBeInstanceOf(Refusal)
  expect(refused).toMatchObject({ status: 503 })
  expect(waiting()).toHaveLength(1)
})

it('refuses what comes faster than it is taken, instead of keeping all of it in memory', async () => {
  const { intake } = await open()
  const inserting = Promise.withResolvers<void>()
  db.insert = () => inserting.promise
  const large = call(`call-${'1'.repeat(1_000_000)}`)
  const taken: Promise<void>[] = []
  let refused: unknown
  for (let i = 0; i < 300 && !refused; i++) {
    const failed = (e: unknown) => {
      refused = e
    }
    taken.push(intake.write([large]).catch(failed))
    await new Promise(setImmediate)
  }
  expect(refused).toMatchObject({ status: 503, message: 'too much at once, try again' })
  // one that is being inserted, and one that waits
  expect(taken.length).toBeLessThan(150)
  inserting.resolve()
  await Promise.all(taken)
})
