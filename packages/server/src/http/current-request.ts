import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { neighborhoodOf } from './network.ts'
import type { Scope } from './scope.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, once that is known. */
    scope: Scope | undefined
  }
}

const current = new AsyncLocalStorage<FastifyRequest>()

/** Lets everything that a request starts find it, for the log. */
export const currentRequest = fp(async (app: FastifyInstance) => {
  app.addHook('onRequest', (request, _, done) => current.run(request, done))
})

/** Who asks for what is being done: fields of every log line that a request writes. */
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
