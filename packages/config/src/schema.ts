import { isRecord } from '@switchroom/contract'
import { z } from 'zod'
import { type Kind, REFERENCES } from './kinds.ts'
import { bodyFrom, endpointOf } from './read.ts'
import { type Members, mapped, written } from './shapes.ts'

type Schema = {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  [more: string]: unknown
}

const REFERENCE = { type: ['string', 'number'], description: 'its name' }
/** Any value may come from a variable or the environment. */
const FILLED = { type: 'string', pattern: '^(?:env:|text:)|\\$\\{' }

/** The JSON Schema of the file of a kind, for editors. */
export function schemaOf(kind: Kind): object {
  const { body } = endpointOf(kind.group, bodyFrom(kind))
  const made = z.toJSONSchema(body as z.ZodType, { io: 'input', unrepresentable: 'any' }) as Schema
  const { properties = {}, required = [] } = made
  const out = ['account_sid', 'service_provider_sid', kind.parent?.member, ...(kind.omitted ?? [])]
  const own = Object.entries(properties).filter(([name]) => !out.includes(name))
  const isOfAccount = kind.file !== 'accounts' && kind.file !== 'service-providers'
  const isPart = kind.parent && kind.parent.file !== 'accounts'
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: kind.file,
    type: 'array',
    items: {
      type: 'object',
      properties: {
        ...Object.fromEntries(own.map(([name, schema]) => memberOf(name, schema))),
        ...(isPart && { [written(kind.parent!.member)]: REFERENCE }),
        ...(isOfAccount && { account: REFERENCE }),
        ...(kind.id && {
          sid: { type: 'string', description: 'only where names do not tell things apart' },
        }),
      },
      required: [
        ...required.filter((name) => !out.includes(name)).map(written),
        ...(isPart ? [written(kind.parent!.member)] : []),
      ],
      // a speech vendor has its own
      ...(kind.id !== 'speech_credential_sid' && { additionalProperties: false }),
    },
  }
}

function memberOf(name: string, schema: Schema): [string, object] {
  if (name in REFERENCES) return [written(name), REFERENCE]
  const inner = renamed(schema) as object
  return [name, { anyOf: [inner, FILLED] }]
}

/** Replaces sids by references, at any depth. */
function renamed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(renamed)
  if (!isRecord(schema)) return schema
  const { properties, required, ...rest } = schema as Schema
  const more = mapped(rest as Members, renamed)
  if (!properties) return { ...more, ...(required && { required }) }
  const isOwnSid = (name: string) => name.endsWith('_sid') && !(name in REFERENCES)
  const members = Object.entries(properties).filter(([name]) => !isOwnSid(name))
  return {
    ...more,
    properties: Object.fromEntries(members.map(([name, of]) => memberOf(name, of))),
    ...(required && { required: required.map(written) }),
  }
}
