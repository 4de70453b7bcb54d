import {
  ColumnNode,
  type CompiledQuery,
  type DatabaseConnection,
  type Kysely,
  type OperationNode,
  type QueryResult,
  ReferenceNode,
  type RootOperationNode,
  TableNode,
} from 'kysely'
import { platformTables } from './platform.ts'

/**
 * The change that a statement makes. Without a table it may be anything. `columns` are those that an update sets;
 * undefined if unknown.
 */
export type Write = {
  table: string | undefined
  change: 'insert' | 'update' | 'delete'
  columns?: readonly string[] | undefined
  /** The primary keys of the inserted rows; undefined if they are not known, or many. */
  sids?: readonly string[] | undefined
}

/**
 * Called with the writes as soon as others can read them: after the statement, or its transaction's commit. The writer
 * waits until the result resolves; it must not reject.
 */
export type WriteListener = (writes: readonly Write[]) => unknown

/** Most sids that are listed: of more, nobody needs to know which. */
const MAX_SIDS = 1_000

export const ANYTHING: Write = { table: undefined, change: 'update' }

/** Number of statements of a connection that may have changed something. */
const changing = new WeakMap<DatabaseConnection, number>()
const countOf = (connection: DatabaseConnection) => changing.get(connection) ?? 0

/** Number of statements so far that may have changed something, on the connection of a transaction. */
export const changesOn = async (tx: Pick<Kysely<unknown>, 'getExecutor'>) => {
  const connection = await tx.getExecutor().provideConnection(async (its) => its)
  return () => countOf(connection)
}

/** Makes a connection report the writes of its statements, whoever runs them. */
export function tellWrites(connection: DatabaseConnection, listeners: ReadonlySet<WriteListener>) {
  const execute = connection.executeQuery.bind(connection)
  /** The writes of the open transaction, each once: large imports repeat the same statements. */
  let uncommitted: Map<string, Write> | undefined
  const tell = async (writes: readonly Write[]) => {
    if (writes.length > 0) await Promise.all([...listeners].map((listener) => listener(writes)))
  }
  const end = () => {
    const writes = [...(uncommitted?.values() ?? [])]
    uncommitted = undefined
    return tell(writes)
  }
  connection.executeQuery = async <R>(
    query: CompiledQuery,
    options?: Parameters<DatabaseConnection['executeQuery']>[1],
  ): Promise<QueryResult<R>> => {
    const does = effectOf(query)
    if (!does) return execute(query, options)
    if (does === 'begin') {
      const begun = await execute<R>(query, options)
      uncommitted ??= new Map()
      return begun
    }
    // a failed statement may have been run: perhaps only its answer was lost
    try {
      return await execute(query, options)
    } finally {
      if (does === 'commit') await end()
      else if (does === 'rollback') uncommitted = undefined
      else {
        changing.set(connection, countOf(connection) + 1)
        const { table, change, columns } = does
        const of = `${change} ${table} ${columns}`
        if (uncommitted) uncommitted.set(of, together(uncommitted.get(of), does))
        else await tell([does])
      }
    }
  }
}

type Effect = Write | 'begin' | 'commit' | 'rollback' | undefined

/** The effect of a statement on the tables, or on its transaction; undefined if it only reads. */
function effectOf({ query, sql, parameters }: CompiledQuery): Effect {
  return query.kind === 'RawNode' ? effectOfText(sql, parameters) : writeOf(query)
}

/** Two writes of the same kind. */
function together(before: Write | undefined, { sids, ...write }: Write): Write {
  if (!before || !sids) return { ...write, sids }
  const all = before.sids && [...before.sids, ...sids]
  return { ...write, sids: all && all.length <= MAX_SIDS ? all : undefined }
}

function writeOf(query: RootOperationNode): Write | undefined {
  switch (query.kind) {
    case 'SelectQueryNode':
      return undefined
    case 'InsertQueryNode': {
      const { into, replace, orAction, onConflict, onDuplicateKey } = query
      const changes = replace || orAction?.action === 'replace' || onDuplicateKey
      const updates = changes || (onConflict && !onConflict.doNothing)
      return { table: tableOf(into), change: updates ? 'update' : 'insert' }
    }
    case 'UpdateQueryNode': {
      const { table, joins, from, updates } = query
      if (joins || from) return ANYTHING
      const columns = updates?.map(({ column }) => columnOf(column))
      const areKnown = columns?.every((name) => name !== undefined)
      return { table: tableOf(table), change: 'update', ...(areKnown && { columns }) }
    }
    case 'DeleteQueryNode': {
      const { from, joins, using } = query
      if (joins || using || from.froms.length !== 1) return ANYTHING
      return { table: tableOf(from.froms[0]), change: 'delete' }
    }
    default:
      return ANYTHING
  }
}

const tableOf = (node: OperationNode | undefined) =>
  node && TableNode.is(node) ? node.table.identifier.name : undefined

const columnOf = (node: OperationNode) => {
  const column = ReferenceNode.is(node) ? node.column : node
  return ColumnNode.is(column) ? column.column.name : undefined
}

const NAME = '[`"]?(\\w+)[`"]?'
type Values = readonly unknown[]

const TEXTS: [RegExp, (name: string | undefined, text: string, values: Values) => Effect][] = [
  [/^(begin|start transaction)\b/i, () => 'begin'],
  [/^commit\b/i, () => 'commit'],
  [/^(savepoint|release|rollback to)\b/i, () => undefined],
  [/^rollback\b/i, () => 'rollback'],
  [/^(select|show|explain|set|pragma|kill)\b/i, () => undefined],
  [
    new RegExp(
      `^insert (?:or )?(?:ignore )?into ${NAME}(?!.*\\bon (?:duplicate|conflict)\\b)`,
      'is',
    ),
    (table, text, values) => ({
      table,
      change: 'insert',
      sids: insertedSids(table, text, values),
    }),
  ],
  [new RegExp(`^update ${NAME}\\s+set\\b`, 'i'), (table) => ({ table, change: 'update' })],
  [
    new RegExp(`^delete from ${NAME}(?:\\s+where\\b|\\s*$)`, 'i'),
    (table) => ({ table, change: 'delete' }),
  ],
]

/** The same for a hand-written statement. One that is not understood may change anything. */
function effectOfText(sql: string, values: Values): Effect {
  const text = sql.trimStart()
  for (const [pattern, effect] of TEXTS) {
    const found = pattern.exec(text)
    if (found) return effect(found[1], text, values)
  }
  return ANYTHING
}

/** The primary keys in a statement of `insertMany` or `insertOne`; undefined for any other. */
function insertedSids(table = '', text: string, values: Values) {
  const [, list] =
    /^insert into `\w+` \(([\w`,]+)\) values [(?,)]+(?: returning \*)?$/.exec(text) ?? []
  const columns = list?.split(',') ?? []
  const primary = columns.indexOf(`\`${platformTables[table]?.keys.primary}\``)
  if (primary < 0) return undefined
  const sids = values.filter((_, i) => i % columns.length === primary)
  return sids.every((sid) => typeof sid === 'string') ? sids : undefined
}
