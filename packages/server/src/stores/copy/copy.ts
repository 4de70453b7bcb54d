import type { ClickHouse } from '../clickhouse/client.ts'
import type { Rows } from '../clickhouse/intake.ts'

/**
 * Contents of a span of time. `sum` adds the times in nanoseconds, each modulo `SUM_MODULO`; undefined if it takes
 * reading every record.
 */
export type Content = { count: number; sum: bigint | undefined }
export const SUM_MODULO = 1_000_000_007n

/** `at`: in nanoseconds since 1970, by which ClickHouse keeps it; `written`: as rows take it. */
export type Read<T> = { item: T; at: bigint; written: bigint }

/** A day or a file of a source. */
export type Unit<T> = {
  name: string
  /** In nanoseconds since 1970, `to` excluded. */
  from: bigint
  to: bigint
  /** Contents of a span without reading all of it; undefined if that is unknown or still growing. */
  content?: (from: bigint) => Content
  /** Number of its records that were written again later and replace these. */
  repeated?: () => number
  /** In pages. */
  read: () => Iterable<Read<T>[]> | AsyncIterable<Read<T>[]>
}

export type Source<T> = {
  /** Name in messages, such as `call records`. */
  what: string
  /** ClickHouse tables that hold these records, by `at`. */
  tables: readonly string[]
  rows: () => Rows<T>
  /** Oldest first. */
  units: () => Unit<T>[] | Promise<Unit<T>[]>
}

export type Progress = { what: string; unit: string; read: number }
export type Copied = Progress & {
  /** Read and written; 0 if all of it was there already. */
  copied: number
  /** Skipped because they are older than ClickHouse keeps. */
  old: number
  /** Why it could not be read to its end. */
  damage: string | undefined
}

/** A unit cannot be read. Others can. */
export class DamagedUnit extends Error {
  override name = 'DamagedUnit'
}

/** ClickHouse does not have all that it acknowledged. */
export class NotCopied extends Error {
  override name = 'NotCopied'
}

const FULL_BYTES = 8_000_000
const COUNT_SECONDS = 120

/**
 * Copies a source into ClickHouse, a unit at a time, and yields each when ClickHouse has all of it, or all of it that
 * can be read. Records copied twice count once, so it can be stopped and started again; a unit that is there already is
 * not written again. `oldest`, in nanoseconds since 1970: earlier records are left out. Throws `NotCopied`,
 * `StoreUnavailable`, or errors of reading.
 */
export async function* copy<T>(
  source: Source<T>,
  db: ClickHouse,
  oldest: bigint,
  progress: (now: Progress) => void = () => undefined,
): AsyncGenerator<Copied> {
  for (const unit of await source.units()) {
    const copied = {
      what: source.what,
      unit: unit.name,
      read: 0,
      copied: 0,
      old: 0,
      damage: undefined as string | undefined,
    }
    try {
      if (unit.to <= oldest) copied.old = unit.content?.(unit.from).count ?? 0
      else await copyUnit(source, unit, db, oldest, copied, progress)
    } catch (e) {
      if (!(e instanceof DamagedUnit)) throw e
      copied.damage = e.message
    }
    yield copied
  }
}

async function copyUnit<T>(
  { tables, ...source }: Source<T>,
  unit: Unit<T>,
  db: ClickHouse,
  oldest: bigint,
  copied: Copied,
  progress: (now: Progress) => void,
) {
  const { to } = unit
  const from = unit.from > oldest ? unit.from : oldest
  const known = unit.content?.(from)
  if (known && isSame(known, await contentOf(db, tables, from, to))) {
    copied.read = known.count
    copied.old = unit.content!(unit.from).count - known.count
    return
  }
  let sum = 0n
  const rows = source.rows()
  const write = async () => {
    for (const { into, body } of rows.batch()) await db.insert(into, body)
    rows.clear()
    copied.copied = copied.read
  }
  let damage: DamagedUnit | undefined
  try {
    for await (const page of unit.read()) {
      for (const { item, at, written } of page) {
        if (at < oldest) {
          copied.old++
          continue
        }
        rows.add(item, written)
        copied.read++
        sum += at % SUM_MODULO
      }
      if (rows.bytes() >= FULL_BYTES) await write()
      progress(copied)
    }
  } catch (e) {
    if (!(e instanceof DamagedUnit)) throw e
    damage = e
  }
  if (rows.bytes() > 0) await write()
  if (damage) throw damage
  const { read } = copied
  const there = await contentOf(db, tables, from, to)
  // components may be sending to it as well
  const isLess = there.count < read && there.count < read - (unit.repeated?.() ?? 0)
  if (isLess || (there.count === read && there.sum !== sum))
    throw new NotCopied(
      `${unit.name}: ${read} ${source.what} were read, and ClickHouse has ${there.count}`,
    )
}

const isSame = (a: Content, b: Content) =>
  a.count === b.count && (a.sum === undefined || a.sum === b.sum)

async function contentOf(
  db: ClickHouse,
  tables: readonly string[],
  from: bigint,
  to: bigint,
): Promise<Content> {
  const each = tables.map(
    (
      table,
    ) => `SELECT count() AS n, sum(toUnixTimestamp64Nano(at) % ${SUM_MODULO}) AS s FROM ${table}
      WHERE at >= fromUnixTimestamp64Nano({from:Int64}, 'UTC') AND at < fromUnixTimestamp64Nano({to:Int64}, 'UTC')`,
  )
  const [row] = await db.rows<{ n: string; s: string }>(
    `SELECT sum(n) AS n, sum(s) AS s FROM (${each.join(' UNION ALL ')})`,
    { from: String(from), to: String(to) },
    COUNT_SECONDS,
  )
  return { count: Number(row?.n ?? 0), sum: BigInt(row?.s ?? 0) }
}
