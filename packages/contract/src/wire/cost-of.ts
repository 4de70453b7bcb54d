import type { Cost } from './costs.ts'
import type { Endpoint } from './endpoint.ts'

/** Parameters that have rows or calls looked through for a text. */
const SEARCHED = ['filter', 'said']

/** What a request takes a turn for, if it does. `query` is what was sent, parsed or not. */
export function costOf(e: Endpoint, query: Record<string, unknown>): Cost | undefined {
  if (e.costs) return e.costs
  if (e.takesCsv) return 'imports'
  if (e.file) return 'exports'
  if (e.tellsProgress) return 'changes'
  if (e.list && query.page === undefined) return 'lists'
  return SEARCHED.some((name) => query[name]) ? 'searches' : undefined
}
