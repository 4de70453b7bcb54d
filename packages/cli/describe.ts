import { api, commandParameters, type Group } from '@switchroom/contract'
import { z } from 'zod'
import { commands } from '../client/src/commands.ts'
import type { Flag, Row } from './src/rows.ts'

/** Makes the table of commands from the contract. Runs when the command line is built, since it loads all schemas. */

type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

const schemaOf = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema

/** The kinds of value that a schema takes. */
function kindsOf(schema: Schema): Set<string> {
  const inner = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (inner) return new Set(inner.flatMap((one) => [...kindsOf(one)]))
  const values = schema.const === undefined ? schema.enum : [schema.const]
  if (values) return new Set(values.map((value) => (value === null ? 'null' : typeof value)))
  return new Set([schema.type ?? 'any'].flat())
}

function choicesOf(schema: Schema): string[] {
  const inner = schema.anyOf ?? schema.oneOf
  const texts = inner ? inner.flatMap(choicesOf) : (schema.enum ?? [schema.const])
  return texts.filter((one): one is string => typeof one === 'string' && one !== '')
}

/** A text where it may be one: other values are written as JSON. */
function typeOf(schema: Schema): Flag['type'] {
  const kinds = kindsOf(schema)
  if (kinds.has('boolean')) return 'flag'
  if (kinds.has('string')) return 'text'
  if (kinds.has('number') || kinds.has('integer')) return 'number'
  return 'json'
}

function flagsOf(where: Flag['in'], schema: z.ZodType | undefined): Flag[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema)
  return Object.entries(properties).map(([name, property]) => {
    const type = typeOf(property)
    const choices = type === 'text' ? choicesOf(property) : []
    // a choice beside free text is none
    const isClosed = choices.length > 0 && !isFree(property)
    return {
      ...{ name, in: where, type },
      ...(isClosed && { choices }),
      ...(required.includes(name) && { required: true as const }),
    }
  })
}

/** True if a schema takes any text. */
function isFree(schema: Schema): boolean {
  const inner = schema.anyOf ?? schema.oneOf
  if (inner) return inner.some(isFree)
  return schema.enum === undefined && schema.const === undefined && schema.type === 'string'
}

export const table: Record<string, Record<string, Row>> = Object.fromEntries(
  Object.entries(api as Record<string, Group>).map(([group, endpoints]) => [
    group,
    Object.fromEntries(
      Object.entries(endpoints).map(([name, e]) => {
        const { args, flags } = commandParameters(e.path)
        const owners = flagsOf('path', e.params).filter((flag) => flags.includes(flag.name))
        const body = e.takesCsv || e.takesFile ? undefined : e.body
        const row: Row = {
          ...commands[group]![name]!,
          ...{ summary: e.summary, args },
          ...(e.versioned && e.method === 'PUT' && { versioned: true as const }),
          flags: [...owners, ...flagsOf('query', e.query), ...flagsOf('body', body)],
        }
        return [name, row]
      }),
    ),
  ]),
)
