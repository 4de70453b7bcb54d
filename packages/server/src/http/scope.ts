import type { Access } from '@switchroom/contract'
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Tables } from '../db/open.ts'

type Caller = {
  /** Undefined for an API key. */
  user_sid?: string
  api_key_sid?: string
  /** The user's name, as the session knows it. */
  name?: string
  /** Which token it came with; undefined for API keys and tokens of other issuers. */
  jti?: string
  view_only: boolean
  /** Must choose a new password before anything else. */
  force_change: boolean
}

/** Where a request comes from, and what it says about itself. */
export type By = {
  /** The caller's address, for throttling and the log. */
  ip: string
  request_id: string
  /** The version that a change was made from. */
  version: string | undefined
  /** Which browser asks, where the endpoint is bound to one. */
  browser?: string | undefined
  /** Members of the body that the endpoint does not take, as they were sent. */
  untaken?: Record<string, unknown> | undefined
}

/** Whose eyes a request sees with. Every query takes one, so none can forget. */
export type Scope = Caller &
  (
    | { role: 'admin' }
    | { role: 'service_provider'; service_provider_sid: string }
    | { role: 'account'; service_provider_sid: string; account_sid: string }
  )

const RANK: Record<Access, number> = { admin: 3, service_provider: 2, account: 1, public: 0 }

export const mayAccess = (scope: Scope, access: Access) => RANK[scope.role] >= RANK[access]

const ofProvider = (sid: string) =>
  sql`(select account_sid from accounts where service_provider_sid = ${sid})`

/** The rows whose account the caller may see. For `.where(inScope(scope, 'phone_numbers.account_sid'))`. */
export const inScope =
  (scope: Scope, column: `${keyof Tables & string}.account_sid`) =>
  // biome-ignore lint/suspicious/noExplicitAny: any query may be narrowed, whatever it has joined
  (_: ExpressionBuilder<any, any>): Expression<SqlBool> => {
    switch (scope.role) {
      case 'admin':
        return sql<SqlBool>`1 = 1`
      case 'service_provider':
        return sql<SqlBool>`${sql.ref(column)} in ${ofProvider(scope.service_provider_sid)}`
      case 'account':
        return sql<SqlBool>`${sql.ref(column)} = ${scope.account_sid}`
    }
  }

/** Rows of one provider's accounts, for lists below /ServiceProviders/:sid. */
export const ofServiceProvider =
  (service_provider_sid: string, column: `${keyof Tables & string}.account_sid`) =>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  (_: ExpressionBuilder<any, any>): Expression<SqlBool> =>
    sql<SqlBool>`${sql.ref(column)} in ${ofProvider(service_provider_sid)}`

/** Text contained in a column, as text: wildcards of the database are escaped. */
export const contains =
  (column: string, text: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  (_: ExpressionBuilder<any, any>): Expression<SqlBool> =>
    sql<SqlBool>`${sql.ref(column)} like ${`%${text.replace(/[|%_]/g, '|$&')}%`} escape '|'`
