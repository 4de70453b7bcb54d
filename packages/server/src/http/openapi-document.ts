import { z } from 'zod'

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
export type Parameter = {
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
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Schema {
  // by its type a member may be true or false, which the contract's schemas never come to
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema
  return rest
}
