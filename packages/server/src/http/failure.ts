import {
  choose,
  ERROR_STATUS,
  type ErrorBody,
  type ErrorCode,
  type Issue,
  type Refusal,
  type SecondFactorRequest,
  t,
  textOf,
  type Usage,
} from '@switchroom/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  hasGivenWay,
  isBadValue,
  isDiskFull,
  isDuplicate,
  isForeignKeyViolation,
  isUnreachable,
} from '../db/open.ts'
import { errorCode, errorNumber } from '../errors/members.ts'
import { StateUnreachable } from '../live/state.ts'
import { StoreTimeout, StoreUnavailable } from '../stores/kit/unavailable.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    errorMember?: 'error'
  }
}

/** An error whose message the caller may read. Any other thrown error is answered with 500. */
export class Failure extends Error {
  override name = 'Failure'
  code: ErrorCode
  issues: Issue[]
  used_by: Usage[] | undefined
  /** The current version, for a caller who tried to change an older one. */
  current: unknown
  /** Seconds after which a retry makes sense. */
  retry_after: number | undefined
  /** How a log-in goes on. */
  second_factor: SecondFactorRequest | undefined
  constructor(
    code: ErrorCode,
    message: string,
    more: {
      issues?: Issue[]
      used_by?: Usage[]
      current?: unknown
      retry_after?: number | undefined
      second_factor?: SecondFactorRequest
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: more.cause })
    this.code = code
    this.issues = more.issues ?? []
    this.used_by = more.used_by
    this.current = more.current
    this.retry_after = more.retry_after
    this.second_factor = more.second_factor
  }
}

/**
 * A 400 that names the invalid fields. The sentence for older clients, which read only that, is the first
 * issue's, in the platform's words where it has any.
 */
export const invalid = (...refusals: Refusal[]) =>
  new Failure('invalid', refusals[0] ? textOf(refusals[0]) : t('Bad request'), {
    issues: refusals.map(({ path, message }) => ({ path, message })),
  })

/** A 400 for one field: `invalidField('account_sid', 'No such account')`. */
export const invalidField = (field: string, message: string, msg = message) =>
  invalid({ path: [field], message, params: { msg } })

/** A 400 for a required sid that some callers may omit. */
export const missingField = (field: string) =>
  invalidField(field, choose([field]), t('missing field {field}', { field }))

/** A 403 for a field that only others may change; the caller may only repeat the stored value. */
export const notPermitted = (...path: Issue['path']) => {
  const message = t('You may not change {path}', { path: path.join('.') })
  return new Failure('forbidden', message, { issues: [{ path, message }] })
}

export const conflict = (field: string, message: string, cause?: unknown) =>
  new Failure('conflict', message, { issues: [{ path: [field], message }], cause })

/** For `.catch`: turns a unique key violation into a 400 on the column's field, with the given sentence. */
export const onDuplicate =
  (messages: Record<string, string>) =>
  (e: unknown): never => {
    const columns = isDuplicate(e) || { columns: [] }
    const column = columns.columns.find((c) => c in messages)
    throw column ? conflict(column, messages[column]!, e) : e
  }

/** Unwraps a row, or throws 404. Rows outside the caller's scope count as missing. */
export function found<T>(row: T | undefined | null, what: string): T {
  if (row === undefined || row === null)
    throw new Failure('not_found', t('No such {what}', { what }))
  return row
}

/** Throws when anything still uses what is to be deleted, and lists it. */
export function refuseInUse(message: string, used_by: Usage[]) {
  const inTheWay = used_by.filter((u) => u.total > 0)
  if (inTheWay.length > 0) throw new Failure('in_use', message, { used_by: inTheWay })
}

/** What may be said of an error, and its body. It is logged. */
export function refusalOf(error: unknown, request: Pick<FastifyRequest, 'id' | 'log'>) {
  const failure = toFailure(error)
  const status = ERROR_STATUS[failure.code]
  if (status === 500 || status === 503) request.log.error({ err: error }, 'request failed')
  else
    request.log.info(
      { code: failure.code, fields: failure.issues.map((i) => i.path.join('.')) },
      'request refused',
    )
  const body: ErrorBody = {
    msg: failure.message,
    code: failure.code,
    request_id: request.id,
    issues: failure.issues,
    ...(failure.used_by && { used_by: failure.used_by }),
    ...(failure.current !== undefined && { current: failure.current }),
    ...(failure.second_factor && { second_factor: failure.second_factor }),
  }
  return { failure, status, body }
}

export function onError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { failure, status, body } = refusalOf(error, request)
  // of a list that failed after its compression was announced; this body is not compressed
  reply.removeHeader('content-encoding')
  // requests that were never routed have no route options
  const { errorMember } = request.routeOptions.config ?? {}
  if (failure.code === 'unauthenticated' && !reply.hasHeader('www-authenticate'))
    reply.header('www-authenticate', 'Bearer realm="Users"')
  if (failure.retry_after) reply.header('retry-after', failure.retry_after)
  return reply.status(status).send(errorMember ? { ...body, [errorMember]: failure.message } : body)
}

/** Answers to the framework's own errors, by status. The framework's own messages may quote the input. */
const FRAMEWORK: Record<number, [ErrorCode, string]> = {
  413: ['too_large', t('request entity too large')],
  415: ['invalid', t('Send JSON')],
  429: ['too_many', t('Too many requests, please try again later.')],
}

/** What may be said of any error: neither texts of the database nor of the framework. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof StoreUnavailable)
    return new Failure(
      error instanceof StoreTimeout ? 'store_timeout' : 'unavailable',
      error.message,
      { retry_after: 5, cause: error },
    )
  const duplicate = isDuplicate(error)
  if (duplicate) {
    const message = t('This is already in use.')
    const issues = duplicate.columns.map((column) => ({ path: [column], message }))
    return new Failure('conflict', message, { issues, cause: error })
  }
  if (isForeignKeyViolation(error))
    return new Failure('in_use', t('It is in use, or refers to something that no longer exists.'))
  const bad = isBadValue(error)
  if (bad) {
    const issues = bad.column ? [{ path: [bad.column], message: t('Cannot be stored') }] : []
    return new Failure('invalid', t('A value cannot be stored'), { issues })
  }
  if (isDiskFull(error) || errorCode(error) === 'ENOSPC')
    return new Failure('unavailable', t('The disk is full. Nothing was saved.'), {
      retry_after: 60,
    })
  if (hasGivenWay(error))
    return new Failure(
      'unavailable',
      t('Someone else is changing the same data. Please try again.'),
      {
        retry_after: 1,
      },
    )
  if (isUnreachable(error))
    return new Failure('unavailable', t('The database cannot be reached'), { retry_after: 5 })
  if (error instanceof StateUnreachable)
    return new Failure('unavailable', t('Live state is unavailable right now'), {
      retry_after: 5,
      cause: error.cause,
    })
  const status = errorNumber(error, 'statusCode') ?? 500
  const known = FRAMEWORK[status]
  if (known) return new Failure(known[0], known[1])
  if (status >= 400 && status < 500)
    return new Failure('invalid', t('The request could not be parsed'))
  return new Failure('internal', t('Internal server error'))
}
