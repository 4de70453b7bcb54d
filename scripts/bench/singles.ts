import type { Row } from './report.ts'
import { figure, median } from './report.ts'

/** Figures that are not requests per second: what is measured, its limit, and the stock server's, measured elsewhere. */
export const SINGLES = {
  start: { name: 'start, warm: spawn to first answer', unit: 'ms', limit: 700, stock: 1120 },
  idle: { name: 'memory, idle', unit: 'MB', limit: 120, stock: 172 },
  loaded: { name: 'memory, most under load', unit: 'MB', limit: 300, stock: 480 },
  after: { name: 'memory, after load', unit: 'MB', stock: 430 },
  peak: { name: 'memory, most of all', unit: 'MB', stock: 605 },
  first: { name: 'first request after the start', unit: 'ms' },
  coldNumbers: { name: 'cold list: phone numbers, page 1', unit: 'ms', limit: 30 },
  coldText: { name: 'cold list: phone numbers, text inside', unit: 'ms', limit: 150 },
  coldCarriers: { name: 'cold list: carriers, page 1', unit: 'ms', limit: 10 },
  coldApplications: { name: 'cold list: applications, page 1', unit: 'ms' },
  all: { name: 'all phone numbers in one answer', unit: 's', limit: 0.4, stock: 0.45 },
  allGrown: { name: '… and the memory it took', unit: 'MB' },
  allZipped: { name: '… compressed', unit: 's' },
  allZippedBytes: { name: '… its bytes on the wire', unit: 'MB' },
  search: { name: 'search from everywhere, p95', unit: 'ms', limit: 100 },
  quiet: { name: 'p99 of a read, quiet', unit: 'ms' },
  storm: { name: 'p99 of a read while people log in', unit: 'ms' },
  stormRatio: { name: '… times the quiet one', unit: '', limit: 2 },
  logIns: { name: 'log-ins per second', unit: '', stock: 10.9 },
} as const satisfies Record<string, { name: string; unit: string; limit?: number; stock?: number }>
export type Single = keyof typeof SINGLES

/** Repeated measurements on one database. */
export type Measured = Map<Single, number[]>

/** A row per figure, a column per database. A limit for 100,000 numbers says nothing about a million. */
export function singleRows(databases: Map<string, Measured>, numbers: number): Row[] {
  return (Object.keys(SINGLES) as Single[]).map((key) => {
    const { name, unit, limit, stock } = SINGLES[key] as {
      name: string
      unit: string
      limit?: number
      stock?: number
    }
    const values = [...databases.values()].map((of) => median(of.get(key) ?? []))
    const judged = limit !== undefined && !(key === 'all' && numbers > 100_000)
    return {
      what: unit ? `${name} (${unit})` : name,
      ...Object.fromEntries([...databases.keys()].map((kind, i) => [kind, figure(values[i]!)])),
      limit: judged ? `≤ ${limit}` : '',
      'stock, elsewhere': stock === undefined ? '' : figure(stock),
      reached: judged ? (values.every((v) => v <= limit) ? 'yes' : 'no') : '',
    }
  })
}
