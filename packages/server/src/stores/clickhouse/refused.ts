import { t } from '@switchroom/contract'
import type { Refused } from '../kit/refused-batches.ts'

/** Number of refused rows in each table, and why: for administrators. */
export const refusedSentence = ({ rows, since, why }: Refused) =>
  t('ClickHouse has refused rows for their content since {time} ({rows}): {why}', {
    time: `${new Date(since).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    rows: Object.entries(rows)
      .map(([table, n]) => `${table}: ${n}`)
      .join(', '),
    why,
  })

type WithSpool = { kind: string; spool?: { folder: string } }

/** The folders in which rows for ClickHouse wait. */
export const spoolsOf = (config: Record<'telemetry' | 'traces' | 'captures', WithSpool>) =>
  [config.telemetry, config.traces, config.captures].flatMap(({ kind, spool }) =>
    kind === 'clickhouse' && spool ? [spool.folder] : [],
  )
