import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { BASE_PATH, SHORT_BASE_PATH } from '../src/http/base-paths.ts'
import { openapi } from '../src/http/openapi.ts'
import type { Document } from '../src/http/openapi-document.ts'

// For tests only: checks each response of the API against its OpenAPI description.

type Route = { method: string; pattern: RegExp; at: string }
type Described = { document: Document; routes: Route[]; ajv: Ajv2020 }

let known: Described | undefined

/** Built once per test file. Each schema is compiled on first use. */
function described(): Described {
  if (known) return known
  const document = openapi({ version: 'test', hosted: 'both' })
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema(document, 'api')
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      method,
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`, 'i'),
      at: path,
    })),
  )
  // fixed segments take precedence over parameters, as in the router
  routes.sort((a, b) => a.at.split('{').length - b.at.split('{').length)
  known = { document, routes, ajv }
  return known
}

const BASES = [BASE_PATH, SHORT_BASE_PATH].map((base) => base.slice(1)).join('|')
const BASE = new RegExp(`^/*(?:${BASES})(?=/)`, 'i')

const pointer = (...parts: string[]) =>
  parts.map((p) => encodeURIComponent(p.replace(/~/g, '~0').replace(/\//g, '~1'))).join('/')

function validator({ ajv }: Described, ...parts: string[]): ValidateFunction {
  const key = `api#/${pointer(...parts)}`
  return ajv.getSchema(key) ?? ajv.compile({ $ref: key })
}

/** Throws the differences with operation and status. Ignores requests outside the contract. */
function check(method: string, url: string, answer: LightMyRequestResponse) {
  const path = url.split('?')[0]!.replace(/\/{2,}/g, '/')
  if (!BASE.test(path) || method === 'OPTIONS' || method === 'HEAD') return
  const d = described()
  const below = path.replace(BASE, '')
  const route = d.routes.find((r) => r.method === method.toLowerCase() && r.pattern.test(below))
  if (!route) return
  const { statusCode, headers } = answer
  const operation = d.document.paths[route.at]![route.method]!
  const reportMismatch = (what: string) =>
    new Error(`${operation.operationId} answers ${statusCode}, but its description: ${what}`)
  const status = [String(statusCode), `${String(statusCode)[0]}XX`].find(
    (s) => s in operation.responses,
  )
  if (!status) throw reportMismatch(`has no such status\n${answer.body.slice(0, 500)}`)
  const response = operation.responses[status]!
  const at =
    '$ref' in response
      ? response.$ref.slice(2).split('/')
      : ['paths', route.at, route.method, 'responses', status]
  const content = contentOf(d.document, operation.responses[status]!)
  const type = String(headers['content-type'] ?? '').split(';')[0]!
  if (!content) {
    if (answer.rawPayload.length > 0)
      throw reportMismatch(`has no body, and this has one of ${type}`)
    return
  }
  if (answer.rawPayload.length === 0 && status === '2XX') return
  const media = [type, type.replace(/\/.*/, '/*')].find((m) => m in content)
  if (!media) throw reportMismatch(`has ${Object.keys(content)}, and this is ${type || 'nothing'}`)
  if (headers['content-encoding']) return
  const validate = validator(d, ...at, 'content', media, 'schema')
  for (const value of valuesOf(media, answer))
    if (!validate(value)) {
      const issues = (validate.errors ?? []).slice(0, 5)
      const lines = issues.map(
        (e) => `${e.instancePath || '/'} ${e.message} ${JSON.stringify(e.params)}`,
      )
      throw reportMismatch(
        `differs in\n${lines.join('\n')}\n${JSON.stringify(value).slice(0, 500)}`,
      )
    }
}

type Response = Document['paths'][string][string]['responses'][string]
function contentOf({ components }: Document, response: Response) {
  if (!('$ref' in response)) return response.content
  const named = components.responses![response.$ref.split('/').at(-1)!] as { content: object }
  return named.content as Record<string, unknown>
}

/** The JSON of a body, or of each line. Bytes and CSV are not checked. */
function valuesOf(media: string, { body }: LightMyRequestResponse): unknown[] {
  if (media === 'application/json') return [JSON.parse(body)]
  if (media === 'application/x-ndjson')
    return body
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  return []
}

/** Makes responses that the description does not allow fail the test, while `isChecked`. */
export function checkAgainstDescription(app: FastifyInstance, isChecked = () => true) {
  const inject = app.inject.bind(app) as (request: unknown) => Promise<LightMyRequestResponse>
  app.inject = (async (request: string | { method?: string; url?: string }) => {
    const answer = await inject(request)
    const { method = 'GET', url = '' } = typeof request === 'string' ? { url: request } : request
    if (isChecked()) check(method, url, answer)
    return answer
  }) as typeof app.inject
}
