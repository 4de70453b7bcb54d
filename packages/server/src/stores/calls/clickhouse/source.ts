import type { AnswerSource } from '../answer.ts'
import type { Value } from '../lines.ts'
import { splitTime } from '../times.ts'
import type { CallRows } from './calls.ts'
import type { ClickHousePoints } from './points.ts'
import type { CallRow } from './row.ts'

const NOT_CELLS = new Set(['ns', 'tags', 'more'])

/** What answers the InfluxQL of the platform's components. */
export const clickHouseSource = (calls: CallRows, points: ClickHousePoints): AnswerSource => ({
  async calls(want, page) {
    const { rows, total } = await calls.rows(want, page)
    return {
      rows: rows.map((row) => ({ time: splitTime(BigInt(row.ns)), cells: cellsOf(row) })),
      total,
    }
  },
  countPoints: (query) => points.count(query),
  points: async (query, page, newestFirst) =>
    (await points.list(query, page, newestFirst)).map(({ ns, tags, fields }) => ({
      time: splitTime(ns),
      cells: { ...tags, ...fields },
    })),
  columns: undefined,
})

function cellsOf(row: CallRow): Record<string, Value> {
  const cells: Record<string, Value> = { ...row.tags }
  for (const [name, value] of Object.entries(row))
    if (!NOT_CELLS.has(name) && value !== null && value !== '') cells[name] = value as Value
  for (const [name, [, json]] of Object.entries(row.more)) cells[name] = JSON.parse(json) as Value
  return cells
}
