import { type ClickHouse, identifier } from './client.ts'

/** Number of servers of a cluster, and of those that each insert into a Distributed table is sent to, although they replicate. */
export async function clusterOf(
  db: ClickHouse,
  cluster: string,
): Promise<{ servers: number; written_twice: number }> {
  const [row] = await db.rows<{ n: string; written_twice: string }>(
    'SELECT count() AS n, countIf(internal_replication = 0) AS written_twice FROM system.clusters WHERE cluster = {cluster:String}',
    { cluster },
  )
  return { servers: Number(row?.n ?? 0), written_twice: Number(row?.written_twice ?? 0) }
}

type OnCluster = { name: string; uuid: string; statement: string; servers: string }

/**
 * Tables that some servers of a cluster have and others, which were added later, do not: as the others have them, so that
 * they become replicas of the same.
 */
export async function lackingOnCluster(
  db: ClickHouse,
  { database, cluster }: { database: string; cluster: string },
) {
  const of = (table: string) =>
    `clusterAllReplicas(${identifier(cluster)}, system.${table}) WHERE database = {database:String}`
  // those that are down make their tables when they are back
  const settings = 'SETTINGS final = 0, skip_unavailable_shards = 1'
  const count = async (from: string) => {
    const [row] = await db.rows<{ n: string }>(`SELECT count() AS n FROM ${from} ${settings}`, {
      database,
    })
    return Number(row?.n ?? 0)
  }
  const servers = await count(`clusterAllReplicas(${identifier(cluster)}, system.one)`)
  const databases = await count(of('databases').replace('database =', 'name ='))
  const tables = await db.rows<OnCluster>(
    `SELECT name, toString(any(uuid)) AS uuid, any(create_table_query) AS statement, count() AS servers
     FROM ${of('tables')} GROUP BY name ${settings}`,
    { database },
  )
  const { servers: all } = await clusterOf(db, cluster)
  return {
    isDatabaseMissing: databases < servers,
    isOneDown: servers < all,
    statements: new Map(
      tables
        .filter((table) => Number(table.servers) < servers)
        .map((table) => [table.name, copyOf(table, cluster)]),
    ),
  }
}

/** The statement that makes a table on all servers as one of them has it: with its UUID, which is in its replicas' path. */
export const copyOf = ({ uuid, statement }: Omit<OnCluster, 'servers'>, cluster: string) =>
  statement.replace(
    /^CREATE (TABLE|MATERIALIZED VIEW) (\S+)/,
    (_, kind: string, name: string) =>
      `CREATE ${kind} IF NOT EXISTS ${name}${kind === 'TABLE' ? ` UUID '${uuid}'` : ''} ON CLUSTER ${identifier(cluster)}`,
  )
