import {
  ApiError,
  callUnchecked,
  type Endpoint,
  IDEMPOTENCY_HEADER,
  type Transport,
} from '@switchroom/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BASE_PATH } from '../../http/base-paths.ts'
import type { Context } from '../../http/context.ts'
import { askItself } from '../../http/current-request.ts'
import { Failure } from '../../http/failure.ts'
import { hide } from '../../http/hide.ts'
import type { Scope } from '../../http/scope.ts'

export type Asked = {
  params?: object
  query?: object
  body?: unknown
  /** Version that a change was made from. */
  version?: string | undefined
  idempotencyKey?: string
}

/** The caller of a tool, with a function that requests the API as them. */
export type Caller = {
  ctx: Context
  scope: Scope
  request: FastifyRequest
  /** Aborted once the client has left. */
  signal: AbortSignal
  /**
   * Sends a request to an endpoint as clients do. Secrets are hidden from agents, whoever they work for. Throws
   * `ApiError`.
   */
  ask: (e: Endpoint, asked?: Asked) => Promise<unknown>
}

export function callerOf(
  app: FastifyInstance,
  ctx: Context,
  request: FastifyRequest,
  signal: AbortSignal,
): Caller {
  const ask: Caller['ask'] = async (e, { idempotencyKey, ...sent } = {}) => {
    // as parts of a path these would lead to another endpoint
    if (Object.values(sent.params ?? {}).some((part) => part === '.' || part === '..'))
      throw new Failure('not_found', 'Not Found')
    const via: Transport = async (method, path, body, headers) => {
      const answer = await askItself(app, request, {
        method: method as 'GET',
        url: BASE_PATH + path,
        headers: { ...headers, ...(idempotencyKey && { [IDEMPOTENCY_HEADER]: idempotencyKey }) },
        ...(body === undefined ? {} : { payload: body as object }),
        signal,
      })
      return { status: answer.statusCode, json: () => answer.json() }
    }
    return hide(e.response, await callUnchecked(via, e, sent))
  }
  return { ctx, scope: request.scope!, request, signal, ask }
}

/** A refusal as an agent may read it. Rethrows any other error. */
export function refusalIn(error: unknown) {
  if (!(error instanceof ApiError)) throw error
  const { code, msg, issues, used_by, request_id } = error.body
  return {
    refused: msg,
    code,
    ...(issues.length > 0 && { issues }),
    ...(used_by && { used_by }),
    request_id,
  }
}
