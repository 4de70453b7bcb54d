import type { Database, Row } from './database.ts'

export type Scope = 'admin' | 'service_provider' | 'account'

export type Caller = {
  scope: Scope
  /** Absent for API keys. */
  user_sid?: string
  account_sid: string | null
  service_provider_sid: string | null
  is_view_only?: boolean
}

export type Call = {
  db: Database
  caller: Caller
  params: Record<string, string>
  query: Record<string, string | undefined>
  body: Row
  /** The body, if it is an array. */
  items?: Row[]
}

export type Answer = { status: number; json?: unknown; text?: string; audio?: Buffer }

/** Handlers by route, like `POST /Accounts/:sid`. */
export type Routes = Record<string, (call: Call) => Promise<Answer> | Answer>

export const ok = (json: unknown): Answer => ({ status: 200, json })
export const created = (json: Row): Answer => ({ status: 201, json })
export const noContent: Answer = { status: 204 }
export const notFound: Answer = { status: 404, text: 'Not Found' }

/** Thrown to end a handler with this response. */
export class Refused extends Error {
  answer: Answer
  constructor(answer: Answer) {
    super(JSON.stringify(answer))
    this.answer = answer
  }
}
export const refuse = (status: number, msg: string): never => {
  throw new Refused({ status, json: { msg } })
}
/** Refuses in the error format of the guards of nested routes. */
export const refuseInGuard = (status: number, message: string): never => {
  throw new Refused({ status, json: { status: 'fail', message } })
}

export const checkUuid = (sid: string) => {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(sid)) refuse(400, 'Bad request')
}

/** Checks that required fields are present, null and "" included. */
export const requireKeys = (body: Row, ...keys: string[]) => {
  for (const key of keys) if (!(key in body)) refuse(400, `missing field ${key}`)
}

/** A list, paged if the query has a page. `from` is the SQL after `SELECT t.*`. */
export async function paginate(
  { db, query }: Call,
  from: string,
  values: unknown[],
  order: string,
  shape: (row: Row) => unknown = (row) => row,
) {
  if (query.page === undefined) {
    const rows = await db.rows(`SELECT t.* ${from} ${order}`, values)
    return ok(await Promise.all(rows.map(shape)))
  }
  const size = query.page_size === undefined ? 50 : Number(query.page_size)
  const [count] = await db.rows(`SELECT count(*) AS total ${from}`, values)
  const rows = await db.rows(`SELECT t.* ${from} ${order} LIMIT ? OFFSET ?`, [
    ...values,
    size,
    (Number(query.page) - 1) * size,
  ])
  return ok({
    total: count!.total,
    page: Number(query.page),
    page_size: Number(query.page_size),
    data: await Promise.all(rows.map(shape)),
  })
}
