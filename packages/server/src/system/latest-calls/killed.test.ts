import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { databaseOfKilled, linesOfKilled } from '../../../test/killed.ts'
import { caseCount, report, reportedCases } from '../../../test/trust.ts'
import { openDb } from '../../db/open.ts'

const KILLED = 'calls that are counted in a killed process'

const opened = databaseOfKilled('killed_counts_test', async (db) => {
  const numbers = Array.from({ length: 50 }, (_, i) => ({
    ...{ phone_number_sid: `number-${i}`, number: String(1_000 + i), account_sid: null },
    service_provider_sid: null,
  }))
  await db.insertInto('phone_numbers').values(numbers).execute()
})

const BEGAN = Date.parse('2026-03-01T12:00:00Z')
/** Each process comes after the leases of those before it. */
const ROUND_MS = 600_000
const EVERY_MS = 250

const at = (path: string) => JSON.stringify(fileURLToPath(new URL(path, import.meta.url)))
/** Counts pass by pass, while a store gets a call to the next number every quarter of a second, and had them before. */
const script = (round: number) => `
  import { writeSync } from 'node:fs'
  import { openDb } from ${at('../../db/open.ts')}
  import { countLatestCalls } from ${at('./count.ts')}
  const db = openDb(${JSON.stringify(opened.config)})
  let now = ${BEGAN + round * ROUND_MS}
  const callAt = (n) => ({
    account_sid: null, service_provider_sid: null, direction: 'inbound', trunk: null, call_sid: 'call ' + n,
    sip_callid: null, application_sid: null, from: null, to: String(1000 + n % 50),
    attempted_at: new Date(n * ${EVERY_MS}).toISOString() })
  const numbersOf = ({ from, to }) => {
    const first = Math.max(Math.ceil(from / ${EVERY_MS}), ${(BEGAN - 2 * ROUND_MS) / EVERY_MS})
    return [first, Math.min(Math.ceil(to / ${EVERY_MS}), now / ${EVERY_MS})]
  }
  const calls = {
    list: async (span) => {
      const [first, end] = numbersOf(span)
      return { data: [], total: Math.max(0, end - first) }
    },
    async *each(span) {
      const [first, end] = numbersOf(span)
      for (let n = end - 1; n >= first; n--) yield callAt(n)
    },
  }
  for (;; now += 10_000) {
    await countLatestCalls({ db, stores: { calls } }, now)
    writeSync(1, 'pass\\n')
  }`

it('counts each call once', { timeout: 60_000 * caseCount(2, 50) }, async () => {
  const kills = reportedCases(KILLED, 2, 50)
  let counted = 0
  for (let round = 0; round < kills; round++) {
    await linesOfKilled(script(round), (passes) => passes.length > 2 + round)

    const db = openDb(opened.config)
    const sum = async (table: 'switchroom_call_counts' | 'switchroom_call_days') => {
      const column = table === 'switchroom_call_counts' ? 'calls_7d' : 'calls'
      const rows = await db.selectFrom(table).selectAll().execute()
      return rows.reduce((all, row) => all + Number(Reflect.get(row, column)), 0)
    }
    const slices = await db.selectFrom('switchroom_call_slices').selectAll().execute()
    // a key of eleven letters for each
    counted = slices.reduce((all, slice) => all + slice.counted.length / 11, 0)
    expect(counted).toBeGreaterThan(1_000)
    expect(await sum('switchroom_call_counts')).toBe(counted)
    expect(await sum('switchroom_call_days')).toBe(counted)
    await db.destroy()
  }
  report({ part: KILLED, tried: 0, found: { 'counted once': counted } })
})
