import { expect, it } from 'vitest'
import { z } from 'zod'
import { api } from '../api.ts'
import type { Endpoint, Group } from './endpoint.ts'
import { hidden, hidingOf } from './hidden.ts'

const SECRET = /password|secret|token|_key$|credentials?$|env_vars|app_json/
/** Text with such a name that is no secret, or that everybody may read. */
const HARMLESS = [
  // templates that carriers publish
  'predefinedCarriers.list register_password',
  'predefinedCarriers.list inbound_auth_password',
  // its secrets are masked for everybody
  'singleSignOn.view client_secret',
  ...['accounts.list', 'accounts.ofServiceProvider', 'accounts.view', 'users.me'].map(
    (title) => `${title} bucket_credential`,
  ),
]

/** The text fields of a response by name, and whether each is hidden from view-only callers. */
function* textsIn(schema: z.ZodType, name = '', isHidden = false): Generator<[string, boolean]> {
  const hides = isHidden || hidingOf(schema) !== undefined
  const part = (of: unknown, key = name) => (of instanceof z.ZodType ? textsIn(of, key, hides) : [])
  if (schema instanceof z.ZodObject)
    for (const [key, field] of Object.entries(schema.shape)) yield* part(field, key)
  else if (schema instanceof z.ZodUnion) for (const o of schema.options) yield* part(o)
  else if (schema instanceof z.ZodArray) yield* part(schema.element)
  else if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    yield* part(schema.unwrap())
  else if (schema instanceof z.ZodRecord) yield* part(schema.valueType)
  else if (schema instanceof z.ZodString || schema instanceof z.ZodUnknown) yield [name, hides]
}

const reads = Object.entries<Group>(api).flatMap(([group, all]) =>
  Object.entries<Endpoint>(all)
    .filter(([, e]) => e.method === 'GET')
    .map(([name, e]) => [`${group}.${name}`, e] as const),
)

it.each(reads)('%s hides its secrets from view-only callers', (title, { response }) => {
  const open = [...textsIn(response)].filter(([name, hides]) => SECRET.test(name) && !hides)
  expect(open.map(([name]) => `${title} ${name}`).filter((f) => !HARMLESS.includes(f))).toEqual([])
})

it('hides a field, not others of the same schema', () => {
  const shared = z.string()
  expect(hidingOf(hidden(shared))).toBe('secret')
  expect(hidingOf(shared)).toBeUndefined()
})
