import type { FastifyInstance } from 'fastify'

/** Clients of the platform name JSON on every request, also where they send nothing: no text is no body. */
export function takeEmptyJson(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, text, done) => (text === '' ? done(null, undefined) : parse(request, text, done)),
  )
}
