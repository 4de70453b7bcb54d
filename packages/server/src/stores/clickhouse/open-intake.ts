import type { WaitingRows } from '../calls/store.ts'
import { BatchSpool } from '../kit/batch-spool.ts'
import { type ClickHouseOptions, clickHouse, reasonOf } from './client.ts'
import { Intake, type Rows } from './intake.ts'
import { prepareTables } from './prepare-tables.ts'

export type IntakeSettings = {
  clickhouse: ClickHouseOptions
  /** Older records are deleted. */
  days: number
  /** Folder for batches while ClickHouse is away. */
  spool: { folder: string; max_bytes: number }
  /** Between two inserts that are not full. */
  pause_ms: number
}

/** A connection to ClickHouse, and an intake of rows for it. */
export function openIntake<T>(
  what: 'calls' | 'traces' | 'captures',
  { clickhouse, days, spool, pause_ms }: IntakeSettings,
  rows: () => Rows<T>,
) {
  const db = clickHouse(clickhouse, { what })
  const server = clickHouse(clickhouse, { what, isMissing: true })
  const prepare = () => prepareTables(server, { ...clickhouse, days })
  const opened = BatchSpool.open(spool.folder, spool.max_bytes).then(
    (batches) => new Intake({ db, spool: batches, pause_ms, prepare, rows }),
  )
  return {
    db,
    /** Resolves when ClickHouse was asked for the first time, whatever it said. */
    begun: async () => (await opened).begun,
    write: async (items: readonly T[]) => (await opened).write(items),
    /** Rows that wait for ClickHouse in this process, and why, and those that it refused. */
    async waiting(): Promise<WaitingRows> {
      const { problem, ...rows } = (await opened).state()
      return { ...rows, problem: problem === undefined ? undefined : reasonOf(problem) }
    },
    async close() {
      await (await opened).close()
      await Promise.all([db.close(), server.close()])
    },
  }
}
