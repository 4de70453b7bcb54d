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
  /** The body, where it is a list. */
  items?: Row[]
}

export type Answer = { status: number; json?: unknown; text?: string; audio?: Buffer }

/** `POST /Accounts/:sid` and what answers it. */
export type Routes = Record<string, (call: Call) => Promise<Answer> | Answer>

export const ok = (json: unknown): Answer => ({ status: 200, json })
export const made = (json: Row): Answer => ({ status: 201, json })
export const done: Answer = { status: 204 }
export const missing: Answer = { status: 404, text: 'Not Found' }

/** Ends a handler with this answer. */
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
/** As the guards in front of nested routes put it. */
export const turnAway = (status: number, message: string): never => {
  throw new Refused({ status, json: { status: 'fail', message } })
}

export const checkUuid = (sid: string) => {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(sid)) refuse(400, 'Bad request')
}

/** Members that have to be there; null and "" count as being there. */
export const requireKeys = (body: Row, ...keys: string[]) => {
  for (const key of keys) if (!(key in body)) refuse(400, `missing field ${key}`)
}

/** A list that is paged where the query says which page. Its SQL begins after `SELECT t.*`. */
export async function paged(
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
