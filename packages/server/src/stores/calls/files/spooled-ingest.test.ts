import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { send } from '../../../../test/calls.ts'
import { waitingDays } from '../../copy/files.ts'
import { NewerFile } from '../../kit/formats.ts'
import { Refusal } from '../../kit/ingest-server.ts'
import type { Point } from '../lines.ts'
import { Folder } from './folder.ts'
import { Ingest } from './ingest.ts'
import { SpooledIngest } from './spooled-ingest.ts'
import { embeddedStores } from './store.ts'

const DAY_MS = 86_400_000
const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
const yesterday = today - DAY_MS
const everything = { from: 0, to: today + 2 * DAY_MS }
const one = { limit: 1, offset: 0 }
const listen = { host: '127.0.0.1', port: 0 }
const limits = { days: 30, max_bytes: 1e12 }
const nothing = { bytes: 0, since: undefined, problem: undefined }
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const line = (call_sid: string, duration: number, ms = today) =>
  `cdrs,account_sid=a,answered=true call_sid="${call_sid}",duration=${duration} ${ms}000000`

let folder: string
let close: (() => unknown)[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchroom-waiting-'))
  close = []
})
afterEach(async () => {
  for (const one of close.reverse()) await one()
  rmSync(folder, { recursive: true, force: true })
})

const fileOf = (ms: number) => join(folder, `${dayOf(ms)}.db`)
const spoolOf = (ms: number) => join(folder, 'spool', dayOf(ms))
const batches = (ms: number) =>
  existsSync(spoolOf(ms)) ? readdirSync(spoolOf(ms)).filter((name) => name.endsWith('.batch')) : []

async function start(options: { listen?: typeof listen } = { listen }) {
  const stores = embeddedStores({ folder, ...limits, ...options })
  const url = `http://127.0.0.1:${await stores.open()}`
  let closing: Promise<void> | undefined
  const end = () => (closing ??= stores.close())
  close.push(end)
  return {
    ...stores,
    close: end,
    send: async (...lines: string[]) => (await send({ url }, lines.join('\n'))).status,
    total: async () => (await stores.calls.list(everything, one)).total,
    duration: async (call_sid: string) => (await stores.calls.find({}, { call_sid }))?.duration,
  }
}

/** Holds the file of a day, as another program may. */
function lock(ms: number) {
  const db = new DatabaseSync(fileOf(ms))
  db.exec('begin immediate')
  let isOpen = true
  const release = () => {
    if (isOpen) db.close()
    isOpen = false
  }
  close.push(release)
  return release
}

it('takes calls of a day whose file is locked, and stores them in order once it is free', async () => {
  const store = await start()
  expect(await store.send(line('first', 1), line('other', 1, yesterday))).toBe(204)
  const release = lock(today)
  for (const duration of [2, 3]) expect(await store.send(line('first', duration))).toBe(204)
  // neither does it hold up another day
  expect(await store.send(line('other', 2, yesterday), line('second', 1, today + 1))).toBe(204)
  expect(await store.duration('other')).toBe(2)
  expect([await store.duration('first'), await store.duration('second')]).toEqual([1, undefined])
  expect(await store.waiting()).toEqual({
    bytes: expect.any(Number),
    since: expect.any(Number),
    problem: `${dayOf(today)}.db cannot be written: database is locked`,
  })
  expect(batches(today)).toHaveLength(3)
  // a copy learns that these are not in the files
  expect(waitingDays(folder)).toEqual([dayOf(today)])
  release()
  await store.maintain()
  expect(waitingDays(folder)).toEqual([])
  expect([await store.duration('first'), await store.duration('second')]).toEqual([3, 1])
  expect(await store.waiting()).toEqual(nothing)
  expect(readdirSync(join(folder, 'spool'))).toEqual([])
  expect(await store.send(line('first', 4))).toBe(204)
  expect(await store.duration('first')).toBe(4)
})

it('keeps the order while calls come and others are delivered', async () => {
  const store = await start()
  expect(await store.send(line('call', 1))).toBe(204)
  const release = lock(today)
  const delivered: Promise<void>[] = []
  for (let duration = 2; duration < 60; duration++) {
    if (duration === 20) release()
    if (duration >= 20 && duration % 2 === 0) delivered.push(store.maintain())
    expect(await store.send(line('call', duration))).toBe(204)
  }
  await Promise.all(delivered)
  await store.maintain()
  expect(await store.duration('call')).toBe(59)
  expect(await store.total()).toBe(1)
})

it('takes alerts of our own as well', async () => {
  const store = await start()
  await store.alerts.write({ account_sid: 'a', alert_type: 'first', message: 'm' } as never)
  const release = lock(today)
  await store.alerts.write({ account_sid: 'a', alert_type: 'second', message: 'm' } as never)
  release()
  await store.maintain()
  expect((await store.alerts.list(everything, one)).total).toBe(2)
})

it('stores what a process that was killed has acknowledged, and counts it once', async () => {
  const before = await start()
  expect(await before.send(line('first', 1))).toBe(204)
  await before.close()
  const release = lock(today)
  const script = `
    const { embeddedStores } = await import(${JSON.stringify(fileURLToPath(new URL('./store.ts', import.meta.url)))})
    const options = { folder: ${JSON.stringify(folder)}, days: 30, max_bytes: 1e12, listen: { host: '127.0.0.1', port: 0 } }
    console.log(String(await embeddedStores(options).open()))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  close.push(() => child.kill('SIGKILL'))
  // among the lines of its log
  const port = await new Promise<string>((resolve) => {
    let output = ''
    child.stdout.on('data', (data) => {
      output += data
      const [, found] = /^(\d+)\n/m.exec(output) ?? []
      if (found) resolve(found)
    })
  })
  const url = `http://127.0.0.1:${port}`
  expect((await send({ url }, `${line('first', 2)}\n${line('second', 2, today + 1)}`)).status).toBe(
    204,
  )
  expect((await send({ url }, line('third', 2, today + 2))).status).toBe(204)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
  const kept = join(folder, 'kept')
  cpSync(spoolOf(today), kept, { recursive: true })
  release()
  // although nothing listens any longer
  const after = await start({})
  await expect.poll(after.total).toBe(3)
  await expect.poll(after.waiting).toEqual(nothing)
  await after.close()
  // killed after it was stored, and before it was removed
  cpSync(kept, spoolOf(today), { recursive: true })
  const again = await start()
  await again.maintain()
  expect(await again.waiting()).toEqual(nothing)
  expect(await again.total()).toBe(3)
  expect(await again.duration('first')).toBe(2)
  expect(await again.calls.figures({}, everything)).toMatchObject({ calls: 3, seconds: 6 })
})

describe('what waits', () => {
  const point = (call_sid: string, ms = today): { database: string; point: Point } => ({
    database: 'cdrs',
    point: {
      series: {
        measurement: 'cdrs',
        tags: { account_sid: 'a' },
        key: '["cdrs","account_sid","a"]',
      },
      fields: { call_sid },
      ms,
      ns: 0,
    },
  })
  /** Why a file is not written to now. */
  let failure: unknown
  let written: string[]
  function open(more: { max_bytes?: number; isExpired?: () => boolean } = {}) {
    const ingest = new Ingest(new Folder(folder, 'write'))
    ingest.writeDay = (day, items) => {
      if (failure !== undefined && day !== yesterday / DAY_MS) throw failure
      for (const item of items) written.push(String(item.point.fields.call_sid))
    }
    const options = { ingest, folder: join(folder, 'spool'), isExpired: () => false, ...more }
    const intake = new SpooledIngest({ ...options, onWritten: () => undefined })
    close.push(() => intake.close())
    return intake
  }
  beforeEach(() => {
    failure = undefined
    written = []
  })
  const sqlite = (errcode: number) => Object.assign(new Error('no'), { errcode })
  const system = (code: string) => Object.assign(new Error(code), { code, errno: -1 })

  it.each([
    ['a locked file', sqlite(5)],
    ['a file that is read-only', sqlite(8)],
    ['a disk that fails', sqlite(778)],
    ['a file that cannot be opened', sqlite(14)],
    ['a statement that does not fit the file', sqlite(1)],
    ['a folder of another user', system('EACCES')],
    ['a newer version', new NewerFile('newer')],
  ])('is what could not be stored for %s', async (_, why) => {
    const intake = open()
    failure = why
    await intake.write([point('one'), point('yesterday', yesterday)])
    expect(written).toEqual(['yesterday'])
    expect(intake.waiting()).toMatchObject({ since: expect.any(Number) })
    failure = undefined
    // after the waiting points
    await intake.write([point('two')])
    await intake.drain()
    expect(written).toEqual(['yesterday', 'one', 'two'])
    expect(intake.waiting()).toEqual(nothing)
  })

  it.each([
    ['of what it is', sqlite(19)],
    ['of an error of this program', new TypeError('undefined')],
    // there is no room to wait either
    ['the disk is full', sqlite(13)],
    ['the disk is full, as the system says it', system('ENOSPC')],
  ])('is not what was refused because %s', async (_, why) => {
    const intake = open()
    failure = why
    await expect(intake.write([point('one')])).rejects.toBe(why)
    expect(intake.waiting()).toEqual(nothing)
  })

  it('is bounded: what has no room is refused with 503', async () => {
    const intake = open({ max_bytes: 1_000 })
    failure = sqlite(5)
    const [first, second] = ['1', '2'].map((digit) => digit.repeat(300))
    await intake.write([point(first!)])
    // all days together
    const refused = await intake.write([point(second!, today + DAY_MS)]).catch((e: unknown) => e)
    expect(refused).toBeInstanceOf(Refusal)
    expect(refused).toMatchObject({ status: 503 })
    failure = undefined
    await intake.drain()
    expect(written).toEqual([first])
  })

  it('is gone when another process has delivered it, and others are delivered', async () => {
    const intake = open()
    failure = sqlite(5)
    await intake.write([point('one'), point('two', today + DAY_MS)])
    rmSync(spoolOf(today), { recursive: true })
    failure = undefined
    await intake.drain()
    expect(written).toEqual(['two'])
    expect(intake.waiting()).toEqual(nothing)
    failure = sqlite(5)
    await intake.write([point('three')])
    expect(batches(today)).toHaveLength(1)
  })

  it('is left out when its day is over that is kept', async () => {
    const intake = open({ isExpired: () => true })
    failure = sqlite(5)
    await intake.write([point('one')])
    await intake.drain()
    expect(written).toEqual([])
    expect(intake.waiting()).toEqual(nothing)
  })
})
