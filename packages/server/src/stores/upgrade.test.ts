import {
  cpSync,
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { entriesOf, keysOf } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { send } from '../../test/calls.ts'
import { callAnswers, type DataAnswers, dataAnswers, KEPT } from '../../test/older-data/answers.ts'
import { COMMITS, PACKED } from '../../test/older-data/commits.ts'
import { writeNewData, writeOlderData } from '../../test/older-data/make.ts'
import { unpack } from '../../test/older-data/packed.ts'
import { CALL_LINES, CALLS, DAYS } from '../../test/older-data/sample.ts'
import { caseCount, report } from '../../test/trust.ts'
import { Folder } from './calls/files/folder.ts'
import { Ingest } from './calls/files/ingest.ts'
import { embeddedStores } from './calls/files/store.ts'
import { parseLines } from './calls/lines.ts'
import { damagedFiles, formerName } from './kit/damage.ts'
import { type Kind, newerFiles } from './kit/formats.ts'
import { savers } from './recover/recover.ts'
import { restoreUndamaged } from './recover/restore.ts'
import { Segments as Captures } from './sip/files/segments.ts'
import { Segments as Traces } from './traces/files/segments.ts'
import { Days } from './voice/files/days.ts'

const KILLED = 'upgrades of a day, killed at each statement'
const PART = 'data folders of older versions, upgraded'
const isLong = caseCount(0, 1) === 1
const commits = isLong ? keysOf(COMMITS) : PACKED

let folder: string
/** Answers for the same calls when this version stored them. */
let expected: DataAnswers
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'switchroom-upgrade-'))
  const data = join(folder, 'new')
  writeNewData(data)
  expected = await dataAnswers(data)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The data folder of a version, once more for each test. */
function olderData(commit: string): string {
  const original = join(folder, commit)
  const packed = new URL(`../../test/older-data/${commit}.br`, import.meta.url)
  if (existsSync(original)) {
    // a test before made it
  } else if (existsSync(packed)) unpack(readFileSync(packed), original)
  else writeOlderData(commit, original)
  return copyOf(original)
}
function copyOf(original: string) {
  const copy = mkdtempSync(join(folder, 'copy-'))
  cpSync(original, copy, { recursive: true })
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  return copy
}

const openStores = (telemetry: string) =>
  embeddedStores({ folder: telemetry, listen: { host: '127.0.0.1', port: 0 }, ...KEPT })

/**
 * Upgrades all days of a folder. Then `killed` gets copies of the folder from before each statement, as a process that was
 * killed there leaves it; in `npm test`, without those that add single rows.
 */
async function upgradeDays(telemetry: string, killed: (copy: string) => Promise<void>) {
  const copies: string[] = []
  const copy = () => {
    const to = mkdtempSync(join(folder, 'killed-'))
    // shared memory of processes, which ends with them
    for (const name of readdirSync(telemetry))
      if (!name.endsWith('-shm')) cpSync(join(telemetry, name), join(to, name))
    copies.push(to)
  }
  const days = new Folder(telemetry, 'write')
  const ingest = new Ingest(days)
  const [exec, run] = [DatabaseSync.prototype.exec, StatementSync.prototype.run]
  try {
    DatabaseSync.prototype.exec = function (sql) {
      copy()
      return exec.call(this, sql)
    }
    StatementSync.prototype.run = function (...values: unknown[]) {
      if (isLong) copy()
      return Reflect.apply(run, this, values)
    }
    for (const day of days.days()) ingest.upgrade(day)
  } finally {
    DatabaseSync.prototype.exec = exec
    StatementSync.prototype.run = run
    days.close()
  }
  for (const path of copies) await killed(path)
  return copies.length
}

/** The answers of the first day alone. */
async function answersOfDay(telemetry: string) {
  const copy = mkdtempSync(join(folder, 'day-'))
  cpSync(join(telemetry, `${DAYS[0]}.db`), join(copy, `${DAYS[0]}.db`))
  return callAnswers(copy)
}

it('stores what is sent to it', () => {
  expect(expected.calls.lists[0]).toMatchObject({ total: CALLS.length })
  expect(expected.calls.lists[0]!.data.map(({ call_sid }) => call_sid).sort()).toEqual(
    CALLS.map(({ call_sid }) => call_sid),
  )
  expect(expected.calls.found.filter(Boolean)).toHaveLength(3 * CALLS.length)
  expect(expected.traces?.found.filter(Boolean)).toHaveLength(CALLS.length)
  expect(expected.captures?.map(({ messages }) => messages.length)).toEqual(CALLS.map(() => 2))
  expect(expected.recordings?.length).toBeGreaterThan(2)
  expect(expected.voice?.list.total).toBeGreaterThan(5)
})

describe.each(commits)('a data folder of %s', (commit) => {
  it('answers as if this version had written it', async () => {
    report({ part: PART, tried: 1 })
    const data = olderData(commit)
    const telemetry = join(data, 'telemetry')
    const stores = openStores(telemetry)
    await stores.open()
    await stores.maintain()
    await stores.close()
    const answers = await dataAnswers(data)
    for (const [what, of] of Object.entries(answers))
      if (of !== undefined) expect(of, what).toEqual(expected[what as keyof DataAnswers])
    expect(readdirSync(telemetry).sort()).toEqual(DAYS.map((day) => `${day}.db`))
    expect(damagedFiles([telemetry, join(data, 'traces'), join(data, 'captures')])).toEqual([])
  })

  it('is upgraded after a kill at any step', async () => {
    const { calls } = expected
    const telemetry = join(olderData(commit), 'telemetry')
    for (const day of DAYS.slice(1)) rmSync(join(telemetry, `${day}.db`))
    const ofDay = calls.lists[0]!.data.filter(({ attempted_at }) =>
      attempted_at.startsWith(DAYS[0]),
    )
    const steps = await upgradeDays(telemetry, async (copy) => {
      // as the next start does, which reads before it has upgraded
      const reading = await callAnswers(copy)
      expect(reading.lists[0]!.data).toEqual(ofDay)
      const days = new Folder(copy, 'write')
      const ingest = new Ingest(days)
      for (const day of days.days()) ingest.upgrade(day)
      days.close()
      expect(await callAnswers(copy)).toEqual(await callAnswers(telemetry))
      expect(damagedFiles([copy])).toEqual([])
    })
    report({ part: KILLED, tried: steps })
    expect(await answersOfDay(telemetry)).toEqual(await answersOfDay(join(folder, 'new/telemetry')))
  })
})

const KINDS: Record<Kind, string> = {
  calls: 'telemetry',
  traces: 'traces',
  captures: 'captures',
  voice: 'traces/voice',
}
const asideIn = (data: string) => damagedFiles(Object.values(KINDS).map((name) => join(data, name)))

describe('files that a version before had set aside', () => {
  const restore = async (data: string) => {
    for (const [kind, name] of entriesOf(KINDS))
      await restoreUndamaged(kind, join(data, name), () => false)
  }
  /** Renames files as the version before did when it set them aside. */
  const setAllAside = (data: string) => {
    for (const name of Object.values(KINDS))
      for (const file of existsSync(join(data, name)) ? readdirSync(join(data, name)) : [])
        if (file.endsWith('.db'))
          renameSync(join(data, name, file), join(data, name, `${file}.damaged-20261128T101112Z`))
  }
  const answersOf = async (data: string) => {
    const days = new Folder(join(data, 'telemetry'), 'write')
    const ingest = new Ingest(days)
    for (const day of days.days()) ingest.upgrade(day)
    days.close()
    return dataAnswers(data)
  }
  const expectExpected = async (data: string) => {
    const answers = await answersOf(data)
    for (const [what, of] of entriesOf(answers))
      if (of !== undefined) expect(of, what).toEqual(expected[what])
  }

  it('are in use again', async () => {
    const data = olderData('1f895434')
    setAllAside(data)
    expect(asideIn(data).length).toBeGreaterThanOrEqual(8)
    await restore(data)
    expect(asideIn(data)).toEqual([])
    await expectExpected(data)
  })

  it('are added to the files that took their place, without doubles', async () => {
    const data = olderData('1f895434')
    setAllAside(data)
    // all of the same records have come again
    for (const aside of asideIn(data)) {
      const name = relative(data, dirname(aside))
      const isSegment = /^\d{13}/.test(basename(aside))
      const again = isSegment
        ? readdirSync(join(folder, 'new', name)).find((found) => /^\d{13}/.test(found))!
        : basename(formerName(aside))
      cpSync(join(folder, 'new', name, again), formerName(aside))
    }
    await restore(data)
    expect(asideIn(data)).toEqual([])
    await expectExpected(data)
  })

  it('are in use again with what is in their WAL alone', async () => {
    const telemetry = join(olderData('9ef33350'), 'telemetry')
    const file = join(telemetry, `${DAYS[0]}.db`)
    const db = new DatabaseSync(file)
    db.exec(`update calls set call_sid = 'in-the-wal' where call_sid = '${CALLS[0]!.call_sid}'`)
    // as it was named while others had it open
    for (const end of ['', '-wal'])
      cpSync(`${file}${end}`, `${file}.damaged-20261128T101112Z${end}`)
    db.close()
    rmSync(file)
    await restoreUndamaged('calls', telemetry, () => false)
    const { lists } = await callAnswers(telemetry)
    expect(lists[0]!.data.map(({ call_sid }) => call_sid)).toContain('in-the-wal')
    expect(readdirSync(telemetry).filter((name) => name.includes('damaged'))).toEqual([])
  })

  it('are in use again after a kill between their two names', async () => {
    const data = olderData('9ef33350')
    setAllAside(data)
    const [aside] = asideIn(data)
    linkSync(aside!, formerName(aside!))
    await restore(data)
    expect(asideIn(data)).toEqual([])
    await expectExpected(data)
  })

  it('keep what is newer of the same call, also when they were interrupted', async () => {
    const data = olderData('9ef33350')
    setAllAside(data)
    const telemetry = join(data, 'telemetry')
    const [first, second] = CALL_LINES
    const sent = [
      first!.replace('duration=', 'duration=9'),
      second!.replace(CALLS[1]!.call_sid, 'newcomer').replace(/\d{3}$/, '777'),
    ].join('\n')
    const { points } = parseLines(sent, () => ({ ms: 0, ns: 0 }))
    const days = new Folder(telemetry, 'write')
    new Ingest(days).write(points.map((point) => ({ database: 'cdrs', point })))
    days.close()
    // the records are added, and it has not got its new name yet
    for (const _ of savers.calls(`${join(telemetry, DAYS[0])}.db.damaged-20261128T101112Z`)) {
      // in batches
    }
    await restore(data)
    expect(asideIn(data)).toEqual([])
    const { data: calls, total } = (await answersOf(data)).calls.lists[0]!
    expect(total).toBe(CALLS.length + 1)
    expect(calls.map(({ call_sid }) => call_sid).sort()).toEqual(
      [...CALLS.map(({ call_sid }) => call_sid), 'newcomer'].sort(),
    )
    const kept = calls.find(({ call_sid }) => call_sid === CALLS[0]!.call_sid)
    expect(kept?.duration).toBe(Number(`9${CALLS[0]!.duration}`))
    expect(readdirSync(telemetry).filter((name) => name.includes('.recovered-'))).toHaveLength(1)
  })

  it('stay where they are if SQLite calls them damaged, or a newer version wrote them', async () => {
    const telemetry = join(olderData('9ef33350'), 'telemetry')
    const [damaged, newer, empty] = DAYS.map((day) => join(telemetry, `${day}.db`))
    const bytes = readFileSync(damaged!)
    bytes.fill(0xa5, 8_192, 5 * 8_192)
    writeFileSync(damaged!, bytes)
    setVersion(newer!, 99)
    writeFileSync(empty!, '')
    setAllAside(join(telemetry, '..'))
    await restoreUndamaged('calls', telemetry, () => false)
    expect(damagedFiles([telemetry]).map(formerName).sort()).toEqual([damaged, newer])
  })

  it('stay where they are if what this program wrote in them cannot be read', async () => {
    const data = olderData('1f895434')
    const file = join(data, 'traces/voice', `${DAYS[0]}.db`)
    const db = new DatabaseSync(file)
    db.exec("update sums set counts = 'no JSON'")
    db.close()
    setAllAside(data)
    await restore(data)
    expect(asideIn(data).map(formerName)).toEqual([file])
  })

  it('are in use again once the server has started', async () => {
    const data = olderData('9ef33350')
    setAllAside(data)
    const stores = openStores(join(data, 'telemetry'))
    await stores.open()
    await stores.maintain()
    await stores.close()
    expect(await callAnswers(join(data, 'telemetry'))).toEqual(expected.calls)
  })
})

describe('a file that is not damaged', () => {
  const SPAN = { from: 0, to: Date.parse('2026-11-30') }
  const ONE = { limit: 1, offset: 0 }

  it('is upgraded although it has the version of a later step', async () => {
    // as a version before left it
    const telemetry = join(olderData('9bbaea1b'), 'telemetry')
    for (const day of DAYS) setVersion(join(telemetry, `${day}.db`), 3)
    const stores = openStores(telemetry)
    const url = `http://127.0.0.1:${await stores.open()}`
    expect(await send({ url }, CALL_LINES.join('\n'))).toEqual({ status: 204, body: '' })
    await stores.maintain()
    await stores.close()
    expect(await callAnswers(telemetry)).toEqual(expected.calls)
  })

  it('stays in use when a statement of ours fails', async () => {
    const telemetry = join(olderData('1f895434'), 'telemetry')
    const db = new DatabaseSync(join(telemetry, `${DAYS[1]}.db`))
    db.exec('alter table cube rename column seconds to something')
    db.close()
    const stores = openStores(telemetry)
    const url = `http://127.0.0.1:${await stores.open()}`
    await expect(stores.calls.figures({}, SPAN)).rejects.toThrow('no such column: seconds')
    const answer = await send(
      { url },
      `${CALL_LINES[0]}\n${CALL_LINES[12]!.replace(/0$/, '1')}\n${CALL_LINES[30]}`,
    )
    expect(answer).toEqual({ status: 204, body: '' })
    expect(await stores.calls.list(SPAN, ONE)).toMatchObject({ total: CALLS.length })
    // until a version comes that can write to it
    expect(await stores.waiting()).toMatchObject({
      problem: `${DAYS[1]}.db cannot be written: table cube has no column named seconds`,
    })
    await stores.close()
    expect(damagedFiles([telemetry])).toEqual([])
  })

  it('is left alone when a newer version wrote it, which is said to who writes', async () => {
    const data = olderData('1f895434')
    const newer = join(data, 'telemetry', `${DAYS[1]}.db`)
    setVersion(newer, 5)
    const before = readFileSync(newer)
    const stores = openStores(join(data, 'telemetry'))
    const url = `http://127.0.0.1:${await stores.open()}`
    const others = (CALLS.length * 2) / 3
    expect(await stores.calls.list(SPAN, ONE)).toMatchObject({ total: others })
    expect(await send({ url }, CALL_LINES.join('\n'))).toEqual({ status: 204, body: '' })
    // it is stored by the version that can do so
    expect(await stores.waiting()).toMatchObject({
      problem: `${DAYS[1]}.db was written by a newer version of Switchroom (format 5, and this version knows up to 4). Start that version.`,
    })
    await stores.maintain()
    await stores.close()
    expect(readFileSync(newer)).toEqual(before)
    expect(newerFiles('calls', join(data, 'telemetry'))).toEqual([newer])

    const open = {
      traces: () => new Traces({ folder: join(data, 'traces'), ...KEPT }),
      captures: () => new Captures({ folder: join(data, 'captures'), ...KEPT }),
    }
    for (const [name, segments] of entriesOf(open)) {
      const file = readdirSync(join(data, name)).find((found) => found.endsWith('.db'))!
      setVersion(join(data, name, file), 99)
      const opened = segments()
      opened.forget()
      expect(opened.bytes()).toBe(0)
      opened.close()
      expect(readdirSync(join(data, name))).toContain(file)
    }
    for (const day of DAYS) setVersion(join(data, 'traces/voice', `${day}.db`), 99)
    const voice = new Days({ folder: join(data, 'traces/voice'), ...KEPT })
    expect(await voice.figures({ account_sid: 'a' }, SPAN, {})).toMatchObject({ calls: 0 })
    voice.close()
    expect(asideIn(data)).toEqual([])
  })
})

function setVersion(file: string, version: number) {
  const db = new DatabaseSync(file)
  db.exec(`pragma user_version = ${version}`)
  db.close()
}
