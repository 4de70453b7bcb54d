import { t } from '@switchroom/contract'
import { sql } from 'kysely'
import { kindOf } from '../../../db/open.ts'
import { platformTables } from '../../../db/platform.ts'
import { MIGRATIONS } from '../../../db/prepare.ts'
import type { Check } from '../check.ts'
import { type Finding, named, notChecked, ok, warning } from '../finding.ts'

/** Imports and long texts are sent in statements of up to this size. */
const LEAST_PACKET = 4 * 2 ** 20
/** Connections that others need: migrations, probes, the platform's components, an administrator. */
const SPARE_CONNECTIONS = 10

/** Settings of the database server that cause errors later. */
export const databaseSettings: Check = {
  name: 'database_settings',
  needs: /^JAMBONES_MYSQL_/,
  async run({ database, config }) {
    const opened = await database()
    if ('failure' in opened) return notChecked(t('The database cannot be used.'))
    const { it: db } = opened
    if (kindOf(db) === 'sqlite' || config.database?.kind !== 'mysql') return undefined
    const { rows } = await sql<Record<'packet' | 'connections' | 'per_user', number>>`
      select @@max_allowed_packet as packet, @@max_connections as connections,
        @@max_user_connections as per_user`.execute(db)
    const { rows: tables } = await sql<Record<'name' | 'engine' | 'collation', string | null>>`
      select table_name as name, engine as engine, table_collation as collation
      from information_schema.tables
      where table_schema = database() and table_type = 'BASE TABLE'`.execute(db)
    const ours = tables.filter(
      ({ name }) =>
        name &&
        (name in platformTables || name.startsWith('switchroom_')) &&
        // have the server's defaults, and no texts of users
        !name.startsWith(MIGRATIONS),
    )
    const found = [
      ...serverFindings(rows[0]!, config.database.connectionLimit),
      ...engineFindings(ours),
      ...charsetFindings(ours),
    ]
    return found.length > 0
      ? found
      : ok(t('Packet size, connections, engines and character sets fit.'))
  },
}

function* serverFindings(
  server: Record<'packet' | 'connections' | 'per_user', number>,
  limit: number,
): Generator<Finding> {
  if (Number(server.packet) < LEAST_PACKET)
    yield warning(
      t(
        'max_allowed_packet of the database is {kilobytes} kB. Imports and long texts may be refused.',
        { kilobytes: Math.round(Number(server.packet) / 1024) },
      ),
      t('Set max_allowed_packet = 16M in the configuration of the database server.'),
    )
  const per_user = Number(server.per_user)
  const [name, most] =
    per_user > 0
      ? ['max_user_connections', per_user]
      : ['max_connections', Number(server.connections) - SPARE_CONNECTIONS]
  if (limit > most)
    yield warning(
      t(
        'JAMBONES_MYSQL_CONNECTION_LIMIT is {limit} per process, and {name} of the database leaves room for {max}.',
        { limit, name, max: Math.max(0, most) },
      ),
      t('Lower JAMBONES_MYSQL_CONNECTION_LIMIT, or raise {name} of the database.', { name }),
    )
}

type Table = Record<'name' | 'engine' | 'collation', string | null>

function* engineFindings(tables: Table[]): Generator<Finding> {
  const others = tables.filter(({ engine }) => engine !== 'InnoDB').map(({ name }) => name!)
  if (others.length > 0)
    yield warning(
      t('{named}: not InnoDB, so that changes cannot be taken back half-way and are not locked.', {
        named: named(others),
      }),
      `alter table ${others[0]} engine=InnoDB`,
    )
}

function* charsetFindings(tables: Table[]): Generator<Finding> {
  const others = tables
    .filter(({ collation }) => !collation?.startsWith('utf8'))
    .map(({ name }) => name!)
  if (others.length > 0)
    yield warning(
      t('{named}: not UTF-8, so that names in most scripts are refused.', { named: named(others) }),
      t('After a backup: alter table {others} convert to character set utf8mb4', {
        others: others[0],
      }),
    )
}
