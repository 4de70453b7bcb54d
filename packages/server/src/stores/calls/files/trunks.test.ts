import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, it } from 'vitest'
import { HOURS_BEFORE } from '../../../../test/calls.ts'
import { DAY_MS } from '../times.ts'
import { Calls } from './calls.ts'
import { Folder } from './folder.ts'
import { Ingest } from './ingest.ts'

const path = mkdtempSync(join(tmpdir(), 'switchroom-trunks-'))
afterAll(() => rmSync(path, { recursive: true, force: true }))

const DAY = 20_000
const BEGIN = DAY * DAY_MS
const HOUR = 3_600_000
const point = (ms: number, ns: number, waited: number | undefined) => ({
  database: 'cdrs',
  point: {
    ms,
    ns,
    series: {
      key: `cdrs,answered=${waited !== undefined},trunk=north`,
      measurement: 'cdrs',
      tags: { answered: String(waited !== undefined), trunk: 'north' },
    },
    fields: { sip_callid: `c${ns}`, ...(waited !== undefined && { answered_at: ms + waited }) },
  },
})

it('reads a day of an earlier version, with times to answer once it is renewed', async () => {
  const writing = new Folder(path, 'write')
  const ingest = new Ingest(writing)
  ingest.write([
    point(BEGIN, 1, 2_000),
    point(BEGIN, 2, 4_000),
    point(BEGIN, 3, undefined),
    point(BEGIN + HOUR, 4, 9_000),
    // clocks that are wrong
    point(BEGIN + HOUR, 5, -1),
    point(BEGIN + HOUR, 6, 2 * HOUR),
  ])
  const trunks = async (calls: Calls) => {
    const span = { from: BEGIN, to: BEGIN + DAY_MS }
    const [found] = await calls.trunks([{ trunk: 'north' }], span, {
      unit: 'hour',
      answer_times: true,
    })
    return found!
  }
  const hours = [
    { at: BEGIN, calls: 3, answered: 2, not_answered: 1, seconds: 0 },
    { at: BEGIN + HOUR, calls: 3, answered: 3, not_answered: 0, seconds: 0 },
  ]
  const times = [
    { timed: 2, answer_ms: 6_000 },
    { timed: 1, answer_ms: 9_000 },
  ]
  const complete = hours.map((hour, i) => ({ ...hour, ...times[i] }))
  expect(await trunks(new Calls(writing, () => 0))).toEqual(complete)

  writing.closeWritten(DAY)
  const file = new DatabaseSync(writing.file(DAY))
  file.exec(`alter table cube drop column answers; alter table cube drop column answer_ms;
    ${HOURS_BEFORE} pragma user_version = 2`)
  file.close()
  const reading = new Folder(path, 'read')
  const calls = new Calls(reading, () => 0)
  expect(await trunks(calls)).toEqual(hours.map((hour) => ({ ...hour, timed: 0, answer_ms: 0 })))
  new Ingest(writing).upgrade(DAY)
  expect(await trunks(calls)).toEqual(complete)
  reading.close()
  writing.close()
})
