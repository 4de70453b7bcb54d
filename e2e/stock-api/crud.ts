import { type Call, done, made, missing, ok, type Routes, refuse, requireKeys } from './wire.ts'

type Resource = {
  table: string
  primary: string
  /** Keys that an addition needs. */
  required?: string[]
  /** Before an addition, a change or a deletion. */
  before?: (call: Call, op: 'add' | 'update' | 'delete') => Promise<void> | void
}

/** The five routes that most tables have. There is no whitelist: a member of the body is a column. */
export function crud(path: string, { table, primary, required = [], before }: Resource): Routes {
  return {
    [`GET ${path}`]: async ({ db }) => ok(await db.rows('SELECT * FROM ??', [table])),
    [`POST ${path}`]: async (call) => {
      await before?.(call, 'add')
      requireKeys(call.body, ...required)
      return made({ sid: await call.db.insert(table, primary, call.body) })
    },
    [`GET ${path}/:sid`]: async ({ db, params }) => {
      const row = await db.row(table, primary, params.sid)
      return row ? ok(row) : missing
    },
    [`PUT ${path}/:sid`]: async (call) => {
      await before?.(call, 'update')
      if (primary in call.body) refuse(400, `primary key ${primary} is immutable`)
      const matched = await call.db.update(table, primary, call.params.sid, call.body)
      return matched ? done : missing
    },
    [`DELETE ${path}/:sid`]: async (call) => {
      await before?.(call, 'delete')
      return (await call.db.remove(table, primary, call.params.sid)) ? done : missing
    },
  }
}
