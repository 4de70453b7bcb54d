import type { Column } from './column.ts'
import { platformTables } from './platform.ts'

const tables = Object.entries(platformTables)
const primaryOf = (table: string) => platformTables[table]!.keys.primary

/** CREATE TABLE statements for MySQL and MariaDB, without foreign keys: some tables reference each other. */
export const mysqlTables = () =>
  tables.map(([name, { columns, keys }]) => {
    const parts = [
      ...Object.entries(columns).map(([c, { is }]) => `\`${c}\` ${is.type} ${rest(is)}`),
      ...(keys.primary ? [`primary key (\`${keys.primary}\`)`] : []),
      ...named('unique key', keys.unique),
      ...named('key', keys.index),
    ]
    const body = parts.join(',\n  ')
    return `create table if not exists \`${name}\` (\n  ${body}\n) engine=InnoDB default charset=utf8mb4`
  })

const named = (kind: string, keys: Record<string, string[]> = {}) =>
  Object.entries(keys).map(
    ([name, columns]) => `${kind} \`${name}\` (${columns.map((c) => `\`${c}\``).join(', ')})`,
  )

/** One ALTER TABLE statement per table, without the keys that exist (`there`, as `table.name`). */
export const mysqlForeignKeys = (existing: Set<string>) =>
  tables.flatMap(([table, { keys }]) => {
    const parts = Object.entries(keys.foreign ?? {})
      .filter(([name]) => !existing.has(`${table}.${name}`))
      .map(
        ([name, [column, to, onDelete = 'restrict']]) =>
          `add constraint \`${name}\` foreign key (\`${column}\`) references \`${to}\` (\`${primaryOf(to)}\`) on delete ${onDelete} on update restrict`,
      )
    return parts.length > 0 ? [`alter table \`${table}\`\n  ${parts.join(',\n  ')}`] : []
  })

export const sqliteTables = () =>
  tables.flatMap(([table, { columns, keys }]) => {
    const parts = [
      ...Object.entries(columns).map(([name, { is }]) => sqliteColumn(name, is)),
      ...(keys.primary ? [`primary key (${keys.primary})`] : []),
      ...Object.values(keys.unique ?? {})
        .filter((on) => on.join() !== keys.primary)
        .map((on) => `unique (${on.join(', ')})`),
      ...Object.values(keys.foreign ?? {}).map(
        ([column, to, onDelete]) =>
          `foreign key (${column}) references ${to} (${primaryOf(to)})${onDelete ? ` on delete ${onDelete}` : ''}`,
      ),
    ]
    // the platform indexes most unique columns twice, which only costs time
    const served = new Set([keys.primary, ...Object.values(keys.unique ?? {}).map(String)])
    const indexes = Object.entries(keys.index ?? {})
      .filter(([, on]) => !served.has(on.join()))
      .map(([name, on]) => `create index ${table}_${name} on ${table} (${on.join(', ')})`)
    return [`create table ${table} (\n  ${parts.join(',\n  ')}\n)`, ...indexes]
  })

/** SQLite does not enforce lengths, ranges or enums: checks named after the column do. */
function sqliteColumn(name: string, is: Column<unknown>['is']) {
  const length = /^(?:var)?(?:char|binary)\((\d+)\)$/.exec(is.type)?.[1]
  const [type, check] =
    is.values.length > 0
      ? ['text collate nocase', `${name} in (${is.values.map((v) => `'${v}'`).join(', ')})`]
      : length
        ? ['text collate nocase', `length(${name}) <= ${length}`]
        : SQLITE[is.type]!(name)
  return `${name} ${type} ${rest(is)} constraint ${name} check (${check})`
}

const SQLITE: Record<string, (name: string) => [type: string, check: string]> = {
  int: (c) => ['int', `${c} between -2147483648 and 2147483647`],
  'tinyint(1)': (c) => ['int', `${c} between -128 and 127`],
  text: (c) => ['text collate nocase', `octet_length(${c}) <= 65535`],
  mediumtext: (c) => ['text collate nocase', `octet_length(${c}) <= 16777215`],
  datetime: (c) => ['datetime', `datetime(${c}) is ${c}`],
  timestamp: (c) => ['timestamp', `datetime(${c}) is ${c}`],
}

const rest = (is: Column<unknown>['is']) =>
  `${is.nullable ? 'null' : 'not null'}${is.preset === undefined ? '' : ` default ${is.preset}`}`
