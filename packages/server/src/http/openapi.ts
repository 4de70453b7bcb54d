import { type Endpoint, ErrorBody, type Group, type pageOf } from '@switchroom/contract'
import { z } from 'zod'

type Schema = Record<string, unknown>
type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }
type Content = Record<string, { schema: Schema }>
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
export type Document = {
  openapi: '3.1.0'
  info: { title: string; version: string; license: { name: string; identifier: string } }
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}

/** What a caller sends is described before the contract tidies it, what it gets as it is answered. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema
  return rest
}

const WHO = {
  public: 'Open to everybody.',
  account: 'For every signed-in caller, within its scope.',
  service_provider: 'For service providers and administrators.',
  admin: 'For administrators.',
} as const

const REFUSALS = {
  400: 'Something in the request is wrong; `issues` names it',
  401: 'No session, or one that has ended',
  403: 'The caller may not do this',
  404: 'Not there, or not for this caller',
  422: 'In use, or taken',
  429: 'Too many requests',
  480: 'There is no feature server that takes calls',
  503: 'A store cannot be reached',
} as const

function parameters(e: Endpoint): Parameter[] {
  const of = (where: 'path' | 'query', schema: z.ZodObject | undefined): Parameter[] => {
    if (!schema) return []
    const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
      properties?: Record<string, Schema>
      required?: string[]
    }
    return Object.entries(properties).map(([name, shape]) => ({
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      schema: shape,
    }))
  }
  return [...of('path', e.params), ...of('query', e.query)]
}

function success(e: Endpoint): Content {
  if (e.relayed) return { 'application/json': { schema: {} } }
  if (e.sound || e.stream) return { 'audio/*': { schema: { type: 'string', format: 'binary' } } }
  if (e.download)
    return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
  return { 'application/json': { schema: answered(e) } }
}

function answered(e: Endpoint): Schema {
  if (!e.list) return schemaOf(e.response, 'output')
  const page = e.response as ReturnType<typeof pageOf>
  // with `page` a page of it, without everything
  return { oneOf: [schemaOf(page, 'output'), schemaOf(page.shape.data, 'output')] }
}

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

function operation(tag: string, name: string, e: Endpoint): Operation {
  const json = (schema: Schema): Content => ({ 'application/json': { schema } })
  // a feature server takes a change of a call and says so before it is done
  const done = e.status ?? (e.relayed ? '2XX' : 200)
  const own = e.own ? ' Answered by Switchroom only.' : ''
  const person = e.personOnly ? ' Not for API keys.' : ''
  return {
    operationId: `${tag}.${name}`,
    summary: e.summary,
    description: `${WHO[e.access]}${person}${own}`,
    tags: [tag],
    security: e.access !== 'public' ? [{ bearer: [] }] : e.signedInToo ? [{}, { bearer: [] }] : [],
    parameters: parameters(e),
    ...(e.body && {
      requestBody: {
        required: true,
        content: e.takesFile ? FORM : json(schemaOf(e.body, 'input')),
      },
    }),
    responses: {
      [done]: {
        description: 'Done',
        ...(done !== 204 && { content: success(e) }),
      },
      ...Object.fromEntries(
        Object.keys(REFUSALS).map((status) => [
          status,
          { $ref: `#/components/responses/${status}` },
        ]),
      ),
    },
  }
}

/** The contract as OpenAPI 3.1. */
export function openapi(
  api: Record<string, Group>,
  { version, hosted }: { version: string; hosted: boolean },
): Document {
  const paths: Document['paths'] = {}
  const served = Object.entries(api).map(
    ([tag, group]) => [tag, Object.entries(group).filter(([, e]) => hosted || !e.hosted)] as const,
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
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: schemaOf(ErrorBody, 'output') },
      responses: Object.fromEntries(
        Object.entries(REFUSALS).map(([status, text]) => [status, refusal(text)]),
      ),
    },
  }
}
