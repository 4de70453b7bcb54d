import {
  ColumnNode,
  type CompiledQuery,
  type DatabaseConnection,
  type OperationNode,
  type QueryResult,
  ReferenceNode,
  type RootOperationNode,
  TableNode,
} from 'kysely'

/**
 * What a statement changes. Without a table it may be anything. `columns` are those that an update sets;
 * undefined if they are not known.
 */
export type Write = {
  table: string | undefined
  change: 'insert' | 'update' | 'delete'
  columns?: readonly string[] | undefined
}

/** Told what was written, as soon as others can read it: after the statement, or its transaction's commit. */
export type WriteListener = (writes: readonly Write[]) => void

const ANYTHING: Write = { table: undefined, change: 'update' }

/** Makes a connection tell what its statements write, whoever runs them. */
export function tellWrites(connection: DatabaseConnection, listeners: ReadonlySet<WriteListener>) {
  const execute = connection.executeQuery.bind(connection)
  /** The writes of the open transaction, each once: large imports repeat the same statements. */
  let uncommitted: Map<string, Write> | undefined
  const tell = (writes: readonly Write[]) => {
    if (writes.length > 0) for (const listener of listeners) listener(writes)
  }
  const end = () => {
    const writes = [...(uncommitted?.values() ?? [])]
    uncommitted = undefined
    tell(writes)
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
    // a statement that failed may have been run: its answer may be what was lost
    try {
      return await execute(query, options)
    } finally {
      if (does === 'commit') end()
      else if (does === 'rollback') uncommitted = undefined
      else {
        const { table, change, columns } = does
        if (uncommitted) uncommitted.set(`${change} ${table} ${columns}`, does)
        else tell([does])
      }
    }
  }
}

type Effect = Write | 'begin' | 'commit' | 'rollback' | undefined

/** What a statement does to the tables, or to its transaction; undefined if it only reads. */
function effectOf({ query, sql }: CompiledQuery): Effect {
  return query.kind === 'RawNode' ? effectOfText(sql) : writeOf(query)
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
const TEXTS: [RegExp, (name: string | undefined) => Effect][] = [
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
    (table) => ({ table, change: 'insert' }),
  ],
  [new RegExp(`^update ${NAME}\\s+set\\b`, 'i'), (table) => ({ table, change: 'update' })],
  [
    new RegExp(`^delete from ${NAME}(?:\\s+where\\b|\\s*$)`, 'i'),
    (table) => ({ table, change: 'delete' }),
  ],
]

/** The same of a statement that was written by hand. What is not understood may change anything. */
function effectOfText(sql: string): Effect {
  const text = sql.trimStart()
  for (const [pattern, effect] of TEXTS) {
    const found = pattern.exec(text)
    if (found) return effect(found[1])
  }
  return ANYTHING
}
