import type { ColumnType } from 'kysely'

type Definition = {
  /** The MySQL type. */
  type: string
  /** The values of an enum. */
  values: readonly string[]
  nullable: boolean
  /** SQL of the default value. */
  preset: string | undefined
  /** True if existing platforms may lack this column. */
  optional: boolean
}

/** A column's definition; `row` has the type that Kysely uses. */
export class Column<T, Insert = T> {
  declare readonly row: ColumnType<T, Insert, T>
  readonly is: Definition

  constructor(is: Definition) {
    this.is = is
  }
  get null() {
    return new Column<T | null, Insert | null | undefined>({ ...this.is, nullable: true })
  }
  default(value: T & (string | number)) {
    const preset = typeof value === 'number' ? String(value) : `'${value}'`
    return new Column<T, Insert | undefined>({ ...this.is, preset })
  }
  get now() {
    return new Column<T, Insert | undefined>({ ...this.is, preset: 'current_timestamp' })
  }
  get optional() {
    return new Column<T, Insert>({ ...this.is, optional: true })
  }
}

const column = <T>(type: string, values: readonly string[] = []) =>
  new Column<T>({ type, values, nullable: false, preset: undefined, optional: false })

export const char = (length: number) => column<string>(`char(${length})`)
export const varchar = (length: number) => column<string>(`varchar(${length})`)
/** Holds text and is read as text. */
export const varbinary = (length: number) => column<string>(`varbinary(${length})`)
export const oneOf = <const V extends string>(...values: V[]) =>
  column<V>(`enum(${values.map((v) => `'${v}'`).join(',')})`, values)
export const sid = char(36)
export const flag = column<0 | 1>('tinyint(1)')
export const int = column<number>('int')
export const text = column<string>('text')
export const mediumtext = column<string>('mediumtext')
/** Read as 2026-01-31T12:00:00.000Z, written as `timestamp()` in open.ts does. */
export const datetime = column<string>('datetime')
export const timestamp = column<string>('timestamp')

type Keys<C extends string> = {
  primary?: C
  unique?: Record<string, C[]>
  index?: Record<string, C[]>
  /** Column, and the table whose primary key it references. Restricts deletion by default. */
  foreign?: Record<string, [column: C, table: string, onDelete?: 'cascade']>
  /** True if existing platforms may lack this table. */
  optional?: boolean
}

export type Table = { columns: Record<string, Column<unknown, unknown>>; keys: Keys<string> }

export const table = <C extends Table['columns']>(
  columns: C,
  keys: Keys<keyof C & string> = {},
) => ({
  columns,
  keys,
})

export type Rows<P extends Record<string, { columns: Table['columns'] }>> = {
  [T in keyof P]: { [C in keyof P[T]['columns']]: P[T]['columns'][C]['row'] }
}
