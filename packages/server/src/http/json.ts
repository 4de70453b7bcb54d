import type { FastifyInstance } from 'fastify'

/**
 * Platform clients send a JSON content type with every request, even without a body: an empty JSON body is
 * no body.
 */
export function takeEmptyJson(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, text, done) => (text === '' ? done(null, undefined) : parse(request, text, done)),
  )
}
