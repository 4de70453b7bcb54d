import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { ProgramUse } from '@switchroom/contract'
import type { FastifyInstance, FastifyRequest, InjectOptions } from 'fastify'
import fp from 'fastify-plugin'
import { neighborhoodOf } from './network.ts'
import type { Scope } from './scope.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Use that a program's token must have here; `api` by default. */
    programUse?: ProgramUse
  }
  interface FastifyRequest {
    /** The caller, once known. */
    scope: Scope | undefined
  }
}

const current = new AsyncLocalStorage<FastifyRequest>()

/** Lets everything that a request starts find it, for the log. */
export const currentRequest = fp(async (app: FastifyInstance) => {
  app.addHook('onRequest', (request, _, done) => current.run(request, done))
})

/** Fields that identify the caller in every log line that a request writes. */
export function callerFields(): Record<string, string> {
  const request = current.getStore()
  if (!request) return {}
  const { id, ip, scope } = request
  return {
    request_id: id,
    network: neighborhoodOf(ip),
    ...(scope?.user_sid && { user_sid: scope.user_sid }),
    ...(scope?.api_key_sid && { api_key_sid: scope.api_key_sid }),
  }
}

/** The outer request, while the server sends itself a part of it. */
const outer = new AsyncLocalStorage<FastifyRequest>()

/** A request that is a part of another has its id, so that the audit log and the server's log show them together. */
export const newRequestId = () => outer.getStore()?.id ?? randomUUID()

/** The use that a program's token must have now: an inner request takes that of the request it is part of. */
export const wantedUse = (): ProgramUse =>
  (outer.getStore() ?? current.getStore())?.routeOptions.config.programUse ?? 'api'

/** Headers that identify the caller and its address. */
const CALLER = ['authorization', 'user-agent', 'x-forwarded-for', 'x-real-ip'] as const

/** Sends a request to this server as a part of another, from its caller: it passes every door that others pass. */
export const askItself = (
  app: FastifyInstance,
  request: FastifyRequest,
  { headers, ...options }: Pick<InjectOptions, 'method' | 'url' | 'headers' | 'payload' | 'signal'>,
) =>
  outer.run(request, () => {
    const own = CALLER.flatMap((name) => {
      const value = request.headers[name]
      return value === undefined ? [] : [[name, value]]
    })
    return app.inject({
      ...options,
      remoteAddress: request.socket.remoteAddress ?? '',
      headers: { ...headers, ...Object.fromEntries(own) },
    })
  })
