import { MysqlIntrospector, sql, type TableMetadata } from 'kysely'

type Row = { name: string; schema: string; type: string; engine: string | null }
type ColumnRow = {
  of: string
  name: string
  type: string
  nullable: string
  extra: string
  standard: string | null
}

/**
 * Reads tables and columns one after the other. Kysely joins them, for which MariaDB opens a table again for each of
 * its columns: a fifth of a second of a processor, at each of the times that a migration or the migrator asks.
 */
export class PlainIntrospector extends MysqlIntrospector {
  readonly #db

  constructor(db: ConstructorParameters<typeof MysqlIntrospector>[0]) {
    super(db)
    this.#db = db
  }

  override async getTables(): Promise<TableMetadata[]> {
    const tables = await sql<Row>`
      select table_name as name, table_schema as \`schema\`, table_type as type, engine
      from information_schema.tables where table_schema = database() order by table_name`.execute(
      this.#db,
    )
    const columns = await sql<ColumnRow>`
      select table_name as of, column_name as name, data_type as type, is_nullable as nullable, extra,
        column_default as standard
      from information_schema.columns where table_schema = database() order by ordinal_position`.execute(
      this.#db,
    )
    const byTable = Map.groupBy(columns.rows, ({ of }) => of)
    return tables.rows.map(({ name, schema, type, engine }) => ({
      name,
      schema,
      isView: type === 'VIEW',
      isForeign: engine === 'FEDERATED',
      columns: (byTable.get(name) ?? []).map((column) => ({
        name: column.name,
        dataType: column.type,
        isNullable: column.nullable === 'YES',
        isAutoIncrementing: column.extra.toLowerCase().includes('auto_increment'),
        hasDefaultValue: column.standard !== null,
      })),
    }))
  }
}
