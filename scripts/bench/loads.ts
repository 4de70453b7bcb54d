import type { Call } from './calls.ts'
import type { Row } from './report.ts'
import { figure, median } from './report.ts'
import type { Load } from './server.ts'

/** Repeated measurements of one call on one database. */
export type Measured = { session: Load[]; key: Load[]; bare: Load[] }

const of = (loads: Load[], field: keyof Load) => median(loads.map((l) => l[field]))

/** A row for one call. It reaches its limit with a session and with an API key, or not at all. */
export function loadRow(call: Call, kind: string, measured: Measured): Row {
  const { session, key, bare } = measured
  const both = [session, key].filter((loads) => loads.length > 0)
  const slowest = Math.min(...both.map((loads) => of(loads, 'perSecond')))
  const spread = Math.max(...both.map((loads) => of(loads, 'p99') / of(loads, 'p50')))
  const least = call.times && call.stock && call.times * call.stock
  const limits = [
    ...(least ? [{ text: `≥ ${figure(least)}/s`, reached: slowest >= least }] : []),
    ...(call.isList ? [{ text: 'p99 ≤ 5 × p50', reached: spread <= 5 }] : []),
  ]
  const refused = both.flat().some((l) => l.refused > 0)
  const missed = limits.filter((l) => !l.reached).map((l) => l.text)
  return {
    call: call.name,
    database: kind,
    'session /s': figure(of(session, 'perSecond')),
    'key /s': key.length ? figure(of(key, 'perSecond')) : '',
    'p50 ms': figure(of(session, 'p50')),
    'p99 ms': figure(of(session, 'p99')),
    'server CPU ms': figure(of(session, 'cpu')),
    'bare /s': bare.length ? figure(of(bare, 'perSecond')) : '',
    'stock, elsewhere /s': call.stock ? figure(call.stock) : '',
    limit: limits.map((l) => l.text).join(', '),
    reached: refused
      ? 'refused'
      : limits.length === 0
        ? ''
        : missed.length === 0
          ? 'yes'
          : `no: ${missed.join(', ')}`,
  }
}
