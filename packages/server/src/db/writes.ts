import {
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  type CompiledQuery,
  type DatabaseConnection,
  type Kysely,
  type OperationNode,
  OperatorNode,
  PrimitiveValueListNode,
  type QueryResult,
  ReferenceNode,
  type RootOperationNode,
  TableNode,
  ValueNode,
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
  /** The deleted rows by what listeners counted before; undefined if others may have been deleted. */
  counted?: readonly { of: object; count: number }[] | undefined
}

/**
 * Called with the writes as soon as others can read them: after the statement, or its transaction's commit. The writer
 * waits until the result resolves; it must not reject.
 */
export type WriteListener = ((writes: readonly Write[]) => unknown) & {
  /** Counts, each as `total`, that the listener needs of rows which are about to be deleted by their primary keys. */
  beforeDelete?: (table: string, sids: readonly string[]) => { of: object; query: CompiledQuery }[]
}

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
  /** Runs the counts of listeners. Undefined if one fails: then nothing is known of these rows. */
  async function countBefore({ table, sids }: Deletion) {
    const counted: { of: object; count: number }[] = []
    for (const { beforeDelete } of listeners)
      for (const { of, query } of beforeDelete?.(table, sids) ?? []) {
        const found = await execute<{ total: unknown }>(query).catch(() => undefined)
        if (!found) return undefined
        counted.push({ of, count: Number(found.rows[0]?.total) })
      }
    return counted
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
    if (does === 'undo') {
      // which of the rows are deleted after all is not known
      for (const write of uncommitted?.values() ?? []) write.counted = undefined
      return execute(query, options)
    }
    const deletion = typeof does === 'object' && deletionOf(query.query)
    const counted = deletion ? await countBefore(deletion) : undefined
    let affected: bigint | undefined
    // a failed statement may have been run: perhaps only its answer was lost
    try {
      const result = await execute<R>(query, options)
      affected = result.numAffectedRows
      return result
    } finally {
      if (does === 'commit') await end()
      else if (does === 'rollback') uncommitted = undefined
      else {
        changing.set(connection, countOf(connection) + 1)
        const { table, change, columns } = does
        const of = `${change} ${table} ${columns}`
        const isAll = deletion && affected === BigInt(deletion.sids.length)
        const write = isAll ? { ...does, counted } : does
        if (uncommitted) uncommitted.set(of, together(uncommitted.get(of), write))
        else await tell([write])
      }
    }
  }
}

/** `undo`: a part of a transaction is rolled back. */
type Effect = Write | 'begin' | 'commit' | 'undo' | 'rollback' | undefined

/** The effect of a statement on the tables, or on its transaction; undefined if it only reads. */
function effectOf({ query, sql, parameters }: CompiledQuery): Effect {
  return query.kind === 'RawNode' ? effectOfText(sql, parameters) : writeOf(query)
}

/** Two writes of the same kind. */
function together(before: Write | undefined, { sids, counted, ...write }: Write): Write {
  if (!before) return { ...write, sids, counted }
  const all = before.sids && sids && [...before.sids, ...sids]
  return {
    ...write,
    sids: all && all.length <= MAX_SIDS ? all : undefined,
    counted: before.counted && counted && [...before.counted, ...counted],
  }
}

type Deletion = { table: string; sids: readonly string[] }

/** The rows of a deletion by primary keys, if it deletes no others; undefined for any other statement, or many. */
function deletionOf(query: RootOperationNode): Deletion | undefined {
  if (query.kind !== 'DeleteQueryNode' || query.joins || query.using || query.limit)
    return undefined
  const table = tableOf(query.from.froms[0])
  const primary = table === undefined ? undefined : platformTables[table]?.keys.primary
  const sids = primary === undefined ? undefined : valuesOf(primary, query.where?.where)
  return table === undefined || !sids || sids.length > MAX_SIDS ? undefined : { table, sids }
}

/** The texts that a column must be one of, each once. */
function valuesOf(column: string, condition: OperationNode | undefined): string[] | undefined {
  if (!condition) return undefined
  if (AndNode.is(condition))
    return valuesOf(column, condition.left) ?? valuesOf(column, condition.right)
  if (!BinaryOperationNode.is(condition) || columnOf(condition.leftOperand) !== column)
    return undefined
  const { operator, rightOperand: right } = condition
  const name = OperatorNode.is(operator) ? operator.operator : undefined
  const values =
    name === '=' && ValueNode.is(right)
      ? [right.value]
      : name === 'in' && PrimitiveValueListNode.is(right)
        ? right.values
        : undefined
  return values?.every((value) => typeof value === 'string') ? [...new Set(values)] : undefined
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
  [/^(savepoint|release)\b/i, () => undefined],
  [/^rollback to\b/i, () => 'undo'],
  [/^rollback\b/i, () => 'rollback'],
  [/^(select|show|explain|set|pragma|kill)\b/i, () => undefined],
  // of one connection alone
  [/^(create temp table|insert into temp\.)/i, () => undefined],
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
