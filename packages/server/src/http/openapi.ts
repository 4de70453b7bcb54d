import {
  api,
  costOf,
  type Endpoint,
  ErrorBody,
  EVENT_KINDS,
  EVENTS,
  type Group,
  isCreation,
  keysOf,
  PROGRESS_TYPE,
  ProgressLine,
  rowsOf,
  TestEvent,
} from '@switchroom/contract'
import { z } from 'zod'
import { takesVersion } from './version.ts'

/** A JSON schema, with the keywords that the reference shows. */
export type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  maxLength?: number
  [keyword: string]: unknown
}
type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: Schema
}
export type Content = Record<string, { schema: Schema }>
export type Operation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, never[]>[]
  parameters: Parameter[]
  requestBody?: { required: true; content: Content }
  responses: Record<string, { description: string; content?: Content } | { $ref: string }>
}
export type Webhook = Pick<Operation, 'summary' | 'description' | 'parameters' | 'responses'> & {
  requestBody: NonNullable<Operation['requestBody']>
}
export type Document = {
  openapi: '3.1.0'
  info: { title: string; version: string; license: { name: string; identifier: string } }
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  /** Requests to webhooks for events, by type. */
  webhooks: Record<string, { post: Webhook }>
  components: Record<string, Record<string, unknown>>
}

/** Request schemas are described before parsing, response schemas after. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Schema {
  // by its type a member may be true or false, which the contract's schemas never come to
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema
  return rest
}

const WHO = {
  public: 'Public.',
  account: 'For every logged-in caller, within its scope.',
  service_provider: 'For service providers and administrators.',
  admin: 'For administrators.',
} as const

type Refusal = { text: string; appliesTo: (e: Endpoint) => unknown }
const always = () => true
const isChange = (e: Endpoint) => e.method !== 'GET'

/** Error statuses, with their meaning and the endpoints that answer them. */
const REFUSALS: Record<number, Refusal> = {
  400: {
    text: 'Invalid request; `issues` lists the problems',
    appliesTo: (e) => isChange(e) || e.params || e.query,
  },
  401: {
    text: 'No session, or the session has ended',
    appliesTo: (e) => e.access !== 'public' || e.optionalLogin,
  },
  403: { text: 'The caller lacks permission', appliesTo: always },
  404: { text: 'Not found, or not visible to this caller', appliesTo: always },
  409: {
    text: '`changed`: there is a newer version; `current` is it where `If-Match` was sent',
    appliesTo: (e) => takesVersion(e) || e.undoes,
  },
  413: { text: 'The body is too large', appliesTo: isChange },
  416: {
    text: 'No such range; `Content-Range` gives the length',
    appliesTo: (e) => e.stream,
  },
  422: { text: 'In use, taken, or in conflict with what is stored', appliesTo: (e) => !e.list },
  429: { text: 'Too many requests; `Retry-After` says when to retry', appliesTo: always },
  480: { text: 'No feature server is available', appliesTo: (e) => e.relayed },
  500: {
    text: 'Internal error; the server’s log has details under `request_id`',
    appliesTo: always,
  },
  502: {
    text: 'An external service failed or rejected the request',
    appliesTo: (e) => e.relayed || e.sound || e.callsOutside,
  },
  503: { text: 'A store is unavailable; `Retry-After` says when to retry', appliesTo: always },
}

function parameters(e: Endpoint): Parameter[] {
  const of = (where: 'path' | 'query', schema: z.ZodObject | undefined): Parameter[] => {
    if (!schema) return []
    const { properties = {}, required = [] } = schemaOf(schema, 'input')
    return Object.entries(properties).map(([name, shape]) => ({
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      schema: shape,
    }))
  }
  return [...of('path', e.params), ...of('query', e.query), ...headers(e)]
}

function headers(e: Endpoint): Parameter[] {
  const optional = (name: string, description: string): Parameter => ({
    name,
    in: 'header',
    required: false,
    schema: { type: 'string', description },
  })
  return [
    ...(takesVersion(e) ? [optional('If-Match', 'The `version` of a single read, in quotes')] : []),
    ...(isCreation(e)
      ? [optional('Idempotency-Key', 'For a day, the same key gets the first answer again')]
      : []),
    ...(e.follows ? [optional('Last-Event-ID', 'As `after`, which it comes before')] : []),
    ...(e.stream ? [optional('Range', 'One part, such as bytes=0-1023')] : []),
  ]
}

const BYTES: Schema = { type: 'string', format: 'binary' }
const TEXT: Schema = { type: 'string' }
const ANYTHING: Schema = {}

function success(e: Endpoint): Content {
  if (e.relayed) return { 'application/json': { schema: ANYTHING }, 'text/plain': { schema: TEXT } }
  if (e.picture) return { 'image/*': { schema: BYTES } }
  if (e.sound || e.stream) return { 'audio/*': { schema: BYTES } }
  if (e.download) return { 'application/octet-stream': { schema: BYTES } }
  // one JSON object per line
  if (e.takesCsv) return { 'application/x-ndjson': { schema: schemaOf(e.response, 'output') } }
  if (e.file)
    return {
      'text/csv': { schema: TEXT },
      ...(e.query && 'format' in e.query.shape && { 'application/x-ndjson': { schema: ANYTHING } }),
    }
  return {
    'application/json': { schema: responseSchema(e) },
    ...(e.follows && { 'text/event-stream': { schema: TEXT } }),
    // one JSON object per line, for clients that accept it
    ...(e.tellsProgress && { [PROGRESS_TYPE]: { schema: schemaOf(ProgressLine, 'output') } }),
  }
}

/** Each success status with its response body. */
function successes(e: Endpoint): Operation['responses'] {
  const doneResponse = (content?: Content) => ({ description: 'Done', ...(content && { content }) })
  if (e.status === 204) return { 204: doneResponse() }
  // a feature server accepts a change of a call before it is done
  if (e.relayed) return { '2XX': doneResponse(success(e)) }
  return {
    [e.status ?? 200]: doneResponse(success(e)),
    ...(e.statusOf && { 200: doneResponse(success(e)), 201: doneResponse(success(e)) }),
    ...(e.stream && {
      206: { description: 'The requested range', content: success(e) },
    }),
    ...(e.response.safeParse(undefined).success && { 204: { description: 'No content' } }),
  }
}

function responseSchema(e: Endpoint): Schema {
  if (!e.list) return schemaOf(e.response, 'output')
  // a page with `page`, else everything
  return { oneOf: [schemaOf(e.response, 'output'), schemaOf(rowsOf(e.response).all, 'output')] }
}

/** Some endpoints repeat the message in `error`. */
const RefusalBody = ErrorBody.extend({ error: z.string().optional() })

/** A form with one file. */
const FORM: Content = {
  'multipart/form-data': {
    schema: {
      type: 'object',
      properties: { file: { type: 'string', format: 'binary' } },
      required: ['file'],
    },
  },
}

function requestContent(e: Endpoint, body: z.ZodType): Content {
  if (e.takesFile) return FORM
  if (e.takesCsv) return { 'text/csv': { schema: TEXT } }
  return { 'application/json': { schema: schemaOf(body, 'input') } }
}

/** A feature server's own errors are relayed with their status and fields, and `msg` gives the reason. */
const PASSED_ON: Content = {
  'application/json': {
    schema: { type: 'object', properties: { msg: TEXT }, required: ['msg'] },
  },
}

function refusals(e: Endpoint): Operation['responses'] {
  const possible = Object.entries(REFUSALS).filter(([, { appliesTo: when }]) => when(e))
  if (!e.relayed)
    return Object.fromEntries(
      possible.map(([status]) => [status, { $ref: `#/components/responses/${status}` }]),
    )
  const description = 'The platform component’s error'
  return {
    ...Object.fromEntries(
      possible.map(([status, { text }]) => [status, { description: text, content: PASSED_ON }]),
    ),
    '4XX': { description, content: PASSED_ON },
    '5XX': { description, content: PASSED_ON },
  }
}

function operation(tag: string, name: string, e: Endpoint): Operation {
  const own = e.own ? ' Switchroom only; not in the stock API.' : ''
  const person = e.personOnly ? ' Not for API keys.' : ''
  const turns = costOf(e, {}) ? ' Takes turns: 429 if its tenant has too many at once.' : ''
  return {
    operationId: `${tag}.${name}`,
    summary: e.summary,
    description: `${WHO[e.access]}${person}${own}${turns}`,
    tags: [tag],
    security:
      e.access !== 'public' ? [{ bearer: [] }] : e.optionalLogin ? [{}, { bearer: [] }] : [],
    parameters: parameters(e),
    ...(e.body && {
      requestBody: {
        required: true,
        content: requestContent(e, e.body),
      },
    }),
    responses: {
      ...successes(e),
      ...refusals(e),
    },
  }
}

/** The headers of a delivery, as standardwebhooks.com has them. */
const SIGNED: Parameter[] = Object.entries({
  'webhook-id': 'The event’s `id`: the same in every attempt',
  'webhook-timestamp': 'Seconds since 1970 of this attempt',
  'webhook-signature':
    '`v1,` and the HMAC-SHA-256 of id, timestamp and body, joined by dots, in base64; one for each valid secret, separated by spaces',
}).map(([name, description]) => ({
  ...{ name, in: 'header', required: true },
  schema: { type: 'string', description },
}))

const webhook = (summary: string, description: string, schema: z.ZodType): { post: Webhook } => ({
  post: {
    ...{ summary, description, parameters: SIGNED },
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemaOf(schema, 'output') } },
    },
    responses: { '2XX': { description: 'Taken; anything else is tried again for a day' } },
  },
})

const webhooks = (): Document['webhooks'] => ({
  ...Object.fromEntries(
    keysOf(EVENT_KINDS).map((type) => {
      const { name, when } = EVENT_KINDS[type]
      return [type, webhook(name, when, EVENTS[type])]
    }),
  ),
  'event.test': webhook('Test', 'Somebody tries the webhook.', TestEvent),
})

/** The contract as an OpenAPI 3.1 document. */
export function openapi({
  version,
  hosted,
}: {
  version: string
  hosted: boolean | 'both'
}): Document {
  const paths: Document['paths'] = {}
  const isServed = (e: Endpoint) => hosted === 'both' || !(hosted ? e.selfHosted : e.hosted)
  const served = Object.entries<Group>(api).map(
    ([tag, group]) => [tag, Object.entries(group).filter(([, e]) => isServed(e))] as const,
  )
  const tags = served.filter(([, group]) => group.length > 0).map(([name]) => ({ name }))
  for (const [tag, group] of served)
    for (const [name, e] of group) {
      const path = e.path.replace(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [e.method.toLowerCase()]: operation(tag, name, e) }
    }
  const refusal = (description: string) => ({
    description,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  })
  return {
    openapi: '3.1.0',
    info: { title: 'Switchroom', version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/api/v1' }, { url: '/v1' }],
    tags,
    paths,
    webhooks: webhooks(),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: schemaOf(RefusalBody, 'output') },
      responses: Object.fromEntries(
        Object.entries(REFUSALS).map(([status, { text }]) => [status, refusal(text)]),
      ),
    },
  }
}
