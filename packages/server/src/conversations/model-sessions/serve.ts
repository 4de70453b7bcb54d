import type { FastifyInstance } from 'fastify'
import type { Context } from '../../http/context.ts'
import type { Sent } from './receive.ts'

export const MODEL_EVENTS_PATH = '/model-events'
/** More than an event may have: one that is somewhat too large is counted. */
const BODY_LIMIT = 262_144

/**
 * The address for events of model sessions, beside the API: the platform signs the bytes that it sends, and sends more than
 * callers of the API may.
 */
export async function receiveModelEvents(app: FastifyInstance, ctx: Context) {
  await app.register(
    async (own) => {
      own.removeAllContentTypeParsers()
      own.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_, body, done) =>
        done(null, body),
      )
      for (const path of ['/:account_sid', '/:account_sid/:call_sid'])
        own.post(path, { bodyLimit: BODY_LIMIT }, async (request, reply) => {
          // many servers receive none
          const { takeEvent } = await import('./receive.ts')
          const sent = Object.assign(request, { body: request.body ?? Buffer.alloc(0) }) as Sent
          return reply.status(202).send(await takeEvent(ctx, sent))
        })
    },
    { prefix: MODEL_EVENTS_PATH },
  )
}
