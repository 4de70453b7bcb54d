/**
 * Measurements on two processors that Switchroom, ClickHouse and the generator shared. docs/scale.md is computed from
 * them, and says how to measure again.
 */

export type Cost = {
  /** How many a call leaves. */
  per_call: number
  /** Processor time of Switchroom and of ClickHouse for each, in microseconds. */
  switchroom_us: number
  clickhouse_us: number
  /** On the disk, with indexes, merged. */
  bytes: number
}

/** `npm run bench:call` */
export const costs = {
  record: { per_call: 1, switchroom_us: 53, clickhouse_us: 37, bytes: 185 },
  span: { per_call: 12.1, switchroom_us: 40, clickhouse_us: 18, bytes: 66 },
  message: { per_call: 12.9, switchroom_us: 48, clickhouse_us: 15, bytes: 49 },
} satisfies Record<string, Cost>

/**
 * Milliseconds at the median, by calls in 30 days: `npm run bench:telemetry -- --store clickhouse`. With `MANY` the
 * calls were made by ClickHouse itself, and the questions were those of the bench.
 */
export type Question = {
  few: number
  many: number
  /** An answer that takes longer is refused. */
  most_seconds: number
}
export const FEW = 2e6
export const MANY = 100e6
export const questions = {
  'First page, all calls': { few: 71, many: 93, most_seconds: 5 },
  '… of an account': { few: 80, many: 73, most_seconds: 5 },
  'Figures of 30 days': { few: 165, many: 294, most_seconds: 5 },
  'A call by its id': { few: 37, many: 49, most_seconds: 5 },
  'Seven digits of a number': { few: 158, many: 431, most_seconds: 20 },
} satisfies Record<string, Question>
