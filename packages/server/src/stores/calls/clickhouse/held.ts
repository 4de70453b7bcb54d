import { type ClickHouse, identifier } from '../../clickhouse/client.ts'
import type { TableOptions } from '../../clickhouse/table-statements.ts'
import type { Held } from '../store.ts'

/** Rows and bytes of each table, on all shards. */
export async function heldBy(
  db: ClickHouse,
  { database, cluster }: Pick<TableOptions, 'database' | 'cluster'>,
): Promise<Held[]> {
  const from = cluster ? `cluster(${identifier(cluster)}, system.parts)` : 'system.parts'
  type Row = { table: string; rows: string; bytes: string; oldest_day: string }
  const rows = await db.rows<Row>(
    `SELECT table, sum(rows) AS rows, sum(bytes_on_disk) AS bytes, min(partition) AS oldest_day FROM ${from}
     WHERE database = {database:String} AND active GROUP BY table SETTINGS final = 0`,
    { database },
  )
  return rows.map(({ table, oldest_day, ...row }) => ({
    table: table.replace(/_local$/, ''),
    oldest_day: oldest_day.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'),
    rows: Number(row.rows),
    bytes: Number(row.bytes),
  }))
}
