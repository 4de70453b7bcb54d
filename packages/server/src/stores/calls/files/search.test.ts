import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOURS_BEFORE, seededRandom } from '../../../../test/calls.ts'
import { DAY_MS } from '../times.ts'
import { Calls } from './calls.ts'
import { Folder } from './folder.ts'
import { Ingest } from './ingest.ts'
import { BLOCK } from './shard.ts'

const random = seededRandom(5)
const DAY = 20_000
const BEGIN = DAY * DAY_MS
const MINUTE = 60_000
/** Enough for several blocks of the text index, and for more than are read at once. */
const COUNT = 3 * BLOCK + 500

type TestCall = { ms: number; account_sid: string; from: string; to: string; call_sid: string }
const stored: TestCall[] = Array.from({ length: COUNT }, (_, i) => ({
  // every minute has some calls of one moment; a few came much sooner or later than they were
  ms: BEGIN + Math.floor((i * 20 * 3_600_000) / COUNT / 1_000) * 1_000 + random(3) * MINUTE,
  account_sid: `account ${random(3)}`,
  from: `+4930${random(1e6)}`,
  to: random(500) ? `+1508${random(1e6)}` : 'anonymous',
  call_sid: `call-${i}`,
}))
for (let i = 0; i < 40; i++)
  for (const at of [i * 7, COUNT - 1 - i * 7]) stored[at]!.ms = BEGIN + random(86_000_000)

const point = ({ ms, account_sid, from, to, call_sid }: TestCall, i: number) => ({
  database: 'cdrs',
  point: {
    ms,
    ns: i,
    series: { key: account_sid, tags: { account_sid }, measurement: 'cdrs' },
    fields: { from, to, call_sid },
  },
})

const path = mkdtempSync(join(tmpdir(), 'switchroom-search-'))
const writing = new Folder(path, 'write')
const ingest = new Ingest(writing)
const reading = new Folder(path, 'read')
const calls = new Calls(reading, () => 0)
beforeAll(() => {
  // batches of several components do not come in order
  const batches: number[] = Array.from({ length: Math.ceil(COUNT / 100) }, (_, i) => i)
  for (let i = 0; i + 1 < batches.length; i += 2)
    if (random(2)) [batches[i], batches[i + 1]] = [batches[i + 1]!, batches[i]!]
  for (const batch of batches)
    ingest.write(
      stored.slice(batch * 100, batch * 100 + 100).map((t, i) => point(t, batch * 100 + i)),
    )
})
afterAll(() => {
  writing.close()
  reading.close()
  rmSync(path, { recursive: true, force: true })
})

const WHOLE = { from: BEGIN, to: BEGIN + DAY_MS }
async function expectFound(text: string, span = WHOLE, account_sid?: string, offset = 0) {
  const expected = stored
    .filter((t) => t.ms >= span.from && t.ms < span.to)
    .filter((t) => account_sid === undefined || t.account_sid === account_sid)
    .filter((t) => t.from.includes(text) || t.to.includes(text))
    .sort((a, b) => b.ms - a.ms)
  const filter = { ...span, text, ...(account_sid !== undefined && { account_sid }) }
  const { total, data } = await calls.list(filter, { limit: 25, offset })
  const what = JSON.stringify([filter, offset])
  expect(total, what).toBe(expected.length)
  const page = expected.slice(offset, offset + 25)
  // of one moment they come in any order
  const moments = (list: { ms: number }[]) => list.map(({ ms }) => new Date(ms).toISOString())
  expect(
    data.map((call) => new Date(call.attempted_at!).toISOString()),
    what,
  ).toEqual(moments(page))
}

const TEXTS = ['5', '+', '15', '+1508', '+4930', '508', '0', 'ymo', 'y', 'anonymous', '12345', 'no']
for (let i = 0; i < 4; i++) TEXTS.push(`508${random(10)}`)

describe('text in many calls', () => {
  it('is found in all of a day, also of one account', async () => {
    for (const text of TEXTS)
      for (const account of [undefined, 'account 1', 'nobody'])
        for (const offset of [0, 30, 2_500, COUNT - 10])
          await expectFound(text, WHOLE, account, offset)
  })

  it('is found in a part of a day', async () => {
    for (const text of TEXTS)
      for (let i = 0; i < 6; i++) {
        const from = BEGIN + random(80_000_000)
        await expectFound(text, { from, to: from + random(40_000_000) }, undefined, i * 500)
      }
  })

  it('is not found in a deleted call', async () => {
    const all = await calls.list({ ...WHOLE, text: '+1508' }, { limit: 1, offset: 0 })
    const oldest = stored.toSorted((a, b) => a.ms - b.ms || stored.indexOf(a) - stored.indexOf(b))
    const deleted = oldest.slice(0, 300)
    expect(ingest.trim(DAY, 300)).toBe(300)
    for (const t of deleted) stored.splice(stored.indexOf(t), 1)
    const { total } = await calls.list({ ...WHOLE, text: '+1508' }, { limit: 1, offset: 0 })
    expect(total).toBe(all.total - deleted.filter((t) => t.to.includes('+1508')).length)
    for (const text of TEXTS) {
      await expectFound(text)
      await expectFound(text, { from: BEGIN, to: BEGIN + 3_600_000 })
    }
  })

  it('is found in a day of an earlier version, once its text index is renewed', async () => {
    writing.closeWritten(DAY)
    const file = new DatabaseSync(writing.file(DAY))
    file.exec(`drop table texts; drop table blocks; drop table text_index; create table chunks (x); create table grams (x);
      alter table cube drop column answers; alter table cube drop column answer_ms;
      ${HOURS_BEFORE} pragma user_version = 1`)
    file.close()
    const other = new Folder(path, 'read')
    const others = new Calls(other, () => 0)
    const total = async (text: string) =>
      (await others.list({ ...WHOLE, text }, { limit: 1, offset: 0 })).total
    expect(await total('+1508')).toBe(0)
    new Ingest(writing).upgrade(DAY)
    expect(await total('+1508')).toBe(stored.filter((t) => t.to.includes('+1508')).length)
    expect(await total('anon')).toBe(stored.filter((t) => t.to.includes('anon')).length)
    other.close()
  })
})
