import {
  type Call,
  created,
  noContent,
  notFound,
  ok,
  type Routes,
  refuse,
  requireKeys,
} from './wire.ts'

type Resource = {
  table: string
  primary: string
  /** Fields required on POST. */
  required?: string[]
  /** Runs before every write. */
  before?: (call: Call, op: 'add' | 'update' | 'delete') => Promise<void> | void
}

/** The five routes most tables have. Every field of a body is written to the column of its name. */
export function crud(path: string, { table, primary, required = [], before }: Resource): Routes {
  return {
    [`GET ${path}`]: async ({ db }) => ok(await db.rows('SELECT * FROM ??', [table])),
    [`POST ${path}`]: async (call) => {
      await before?.(call, 'add')
      requireKeys(call.body, ...required)
      return created({ sid: await call.db.insert(table, primary, call.body) })
    },
    [`GET ${path}/:sid`]: async ({ db, params }) => {
      const row = await db.row(table, primary, params.sid)
      return row ? ok(row) : notFound
    },
    [`PUT ${path}/:sid`]: async (call) => {
      await before?.(call, 'update')
      if (primary in call.body) refuse(400, `primary key ${primary} is immutable`)
      const matched = await call.db.update(table, primary, call.params.sid, call.body)
      return matched ? noContent : notFound
    },
    [`DELETE ${path}/:sid`]: async (call) => {
      await before?.(call, 'delete')
      return (await call.db.remove(table, primary, call.params.sid)) ? noContent : notFound
    },
  }
}
