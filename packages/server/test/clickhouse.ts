import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { clickHouse } from '../src/stores/clickhouse/client.ts'
import type { IntakeSettings } from '../src/stores/clickhouse/open-intake.ts'
import { caseCount } from './trust.ts'

/** Stores of records: our own files, and ClickHouse where it is available. */
export const ownOrClickHouse = [
  'embedded',
  ...(process.env.TEST_CLICKHOUSE_URL ? (['ClickHouse'] as const) : []),
] as const

/**
 * The number of generated cases for a store: all for our own files, a quarter for others in `npm test`, whose requests cost
 * ten times as much.
 */
export const casesFor = (kind: string, all: number) =>
  kind === 'embedded' ? all : caseCount(Math.ceil(all / 4), all)

/** A database of a test's own. `folder` is where batches wait. */
export function ownClickHouse(folder: string, days = 30) {
  const clickhouse = {
    url: process.env.TEST_CLICKHOUSE_URL!,
    user: undefined,
    password: undefined,
    database: `test_${randomUUID().slice(0, 8)}`,
    cluster: undefined,
    ca: undefined,
  }
  const settings: IntakeSettings = {
    clickhouse,
    days,
    spool: { folder: join(folder, 'spool'), max_bytes: 1e8 },
    pause_ms: 0,
  }
  return {
    settings,
    async drop() {
      const server = clickHouse(clickhouse, { isMissing: true })
      await server.command(`DROP DATABASE IF EXISTS ${clickhouse.database}`)
      await server.close()
    },
  }
}
