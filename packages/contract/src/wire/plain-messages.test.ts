import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { api } from '../api.ts'
import type { Endpoint } from './endpoint.ts'
import { labelOf, plainError } from './plain-messages.ts'

type Json = {
  properties?: Record<string, Json>
  items?: Json
  anyOf?: Json[]
  oneOf?: Json[]
  additionalProperties?: Json | boolean
  type?: string
}

/** Endpoints that no screen uses. Their messages are the platform's, for programs. */
const FOR_PROGRAMS = ['/Accounts/:account_sid/Calls', '/Accounts/:account_sid/Messages']
/** The platform's sentences about a bucket, about its own names of members, and about sids, which no screen lets a person type. */
const KEPT = [/^invalid (aws|google|azure|endpoint)/, /jambonz payload/, /^unknown \w+_sid$/]

const ZOD =
  /Invalid (input|option|string|value|element|key)|expected |received|Too (small|big)|Unrecognized/
const SNAKE = /[a-z]_[a-z]/

const BAD = [
  undefined,
  null,
  '',
  7,
  -1,
  1e21,
  0.5,
  true,
  'x'.repeat(100_000),
  [],
  [null],
  {},
  { a: 1 },
]

/** All values to try for a schema: invalid ones, and objects and lists with an invalid value inside. */
function* tries(schema: Json): Generator<unknown> {
  yield* BAD
  for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])])
    if (part.properties ?? part.items) yield* tries(part)
  for (const [name, inner] of Object.entries(schema.properties ?? {}))
    for (const value of tries(inner)) yield { [name]: value }
  if (schema.items) for (const value of tries(schema.items)) yield [value]
}

/** True if a schema has a field, by dotted name. Looks into lists and unions. */
function hasMember(schema: Json | undefined, [name, ...rest]: string[]): boolean {
  if (!schema) return false
  if (name === undefined) return true
  return [schema, schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].some((part) =>
    part === schema
      ? part.properties?.[name] !== undefined && hasMember(part.properties[name], rest)
      : hasMember(part, [name, ...rest]),
  )
}

const said = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: plainError }).error?.issues.map((i) => i.message) ?? []

const all = Object.entries(api).flatMap(([group, endpoints]) =>
  Object.entries(endpoints as Record<string, Endpoint>)
    .filter(([, e]) => !FOR_PROGRAMS.some((p) => e.path.startsWith(p)))
    .flatMap(([name, { body, query }]) =>
      Object.entries({ body, query }).flatMap(([part, schema]) =>
        schema ? { title: `${group}.${name}`, part, schema } : [],
      ),
    ),
)
/** The first who takes each: many lists share their query. */
const first = [...new Map(all.toReversed().map((one) => [one.schema, one])).values()].reverse()

describe.each(first)('$title', ({ part, schema }) => {
  it(`says in words what is wrong with its ${part}`, () => {
    const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json
    const messages = new Set<string>()
    for (const value of tries(json)) for (const m of said(schema, value)) messages.add(m)
    const strange = [...messages].filter(
      (m) => (ZOD.test(m) || SNAKE.test(m)) && !KEPT.some((kept) => kept.test(m)),
    )
    expect(strange).toEqual([])
  })
})

it('gives texts of the platform only to members that are there', () => {
  const strange = Object.values(api)
    .flatMap((group) => Object.values(group as Record<string, Endpoint>))
    .flatMap((e) => {
      const schemas = [e.body, e.query].map(
        (s) => s && (z.toJSONSchema(s, { io: 'input', unrepresentable: 'any' }) as Json),
      )
      return Object.keys(e.refusals ?? {})
        .filter((key) => !schemas.some((schema) => hasMember(schema, key.split('.'))))
        .map((key) => `${e.method} ${e.path}: ${key}`)
    })
  expect(strange).toEqual([])
})

it.each([
  [['register_username'], 'register username'],
  [['sip_gateways', 0, 'ipv4'], 'address'],
  [['voip_carrier_sid'], 'carrier'],
  [['env_vars', 'API_KEY'], 'API_KEY'],
  [['outbound_sip_proxy'], 'outbound SIP proxy'],
  [['is_active'], 'active'],
  [[], 'request'],
])('calls %j %s', (path, label) => {
  expect(labelOf(path)).toBe(label)
})

it.each([
  [{}, 'Enter the name'],
  [{ name: 5 }, 'Name must be text'],
  [{ name: 'abcd' }, 'Name can have at most 3 characters'],
  [{ name: 'a', port: 'x' }, 'Port must be a number'],
  [{ name: 'a', port: 1.5 }, 'Port must be a whole number'],
  [{ name: 'a', port: 0 }, 'Port must be at least 1'],
  [{ name: 'a', port: 70_000 }, 'Port can be at most 65535'],
  [{ name: 'a', trunk_type: 'x' }, 'Choose a valid trunk type'],
  [{ name: 'a', email: 'x' }, 'Enter a valid email'],
])('says of %j: %s', (value, message) => {
  const schema = z.object({
    name: z.string().min(1).max(3),
    port: z.coerce.number().int().min(1).max(65_535).optional(),
    trunk_type: z.enum(['reg']).optional(),
    email: z.email().optional(),
  })
  expect(said(schema, value)).toEqual([message])
})
