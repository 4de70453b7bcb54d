import type { Batch } from '../lines.ts'
import { DAY_MS } from '../times.ts'
import type { Folder } from './folder.ts'
import type { CallRow } from './shard.ts'
import { Writer } from './writer.ts'

/** The points of each UTC day. */
export function byDay(batch: Batch): Map<number, Batch> {
  const days = new Map<number, Batch>()
  for (const item of batch) {
    const day = Math.floor(item.point.ms / DAY_MS)
    const kept = days.get(day)
    if (kept) kept.push(item)
    else days.set(day, [item])
  }
  return days
}

/** Writes points into their day files. Single-threaded. */
export class Ingest {
  #folder: Folder
  #writers = new Map<number, Writer>()

  constructor(folder: Folder) {
    this.#folder = folder
    folder.onClose = (shard) => void this.#writers.delete(shard.day)
  }

  #writer(day: number): Writer {
    const shard = this.#folder.open(day)!
    const writer = this.#writers.get(day) ?? new Writer(shard)
    this.#writers.set(day, writer)
    return writer
  }

  /**
   * Writes durably: points survive a crash of the process. Throws if a day cannot be written, and leaves out those that
   * follow. `isOlder`: what is stored of the same series and time is newer, and stays.
   */
  write(batch: Batch, { isOlder = false } = {}) {
    for (const [day, items] of byDay(batch)) this.writeDay(day, items, isOlder)
  }

  /** The same for points of one day. */
  writeDay(day: number, items: Batch, isOlder = false) {
    const isWritten = this.#folder.guard(day, () => {
      this.#writeDay(day, items, isOlder)
      return true
    })
    // the damaged file was set aside: a fresh one takes the records
    if (!isWritten) this.#writeDay(day, items, isOlder)
  }

  #writeDay(day: number, items: Batch, isOlder: boolean) {
    const writer = this.#writer(day)
    writer.transaction(() => {
      for (const { database, point } of items) {
        const at = (point.ms - day * DAY_MS) * 1_000_000 + point.ns
        if (database === 'cdrs' && point.series.measurement === 'cdrs')
          writer.call(database, point, at, isOlder)
        else writer.point(database, point, at, isOlder)
      }
    })
  }

  /** Upgrades a day that an earlier version wrote. */
  upgrade(day: number) {
    this.#folder.guard(day, () => this.#writer(day))
  }

  /** Deletes the oldest records of a day, a few at a time. Returns how many. */
  trim(day: number, count: number): number {
    return this.#folder.guard(day, () => this.#trim(day, count)) ?? 0
  }

  #trim(day: number, count: number): number {
    const writer = this.#writer(day)
    let gone = 0
    writer.transaction(() => {
      for (const row of writer.shard.all<CallRow>(
        'select * from calls order by at limit ?',
        count,
      )) {
        writer.drop(row)
        gone++
      }
      const points = writer.shard.run(
        'delete from points where id in (select id from points order by at limit ?)',
        count,
      )
      gone += Number(points.changes)
    })
    return gone
  }
}
