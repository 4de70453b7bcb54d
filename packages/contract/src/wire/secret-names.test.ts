import { expect, it } from 'vitest'
import { z } from 'zod'
import { api } from '../api.ts'
import { isSecret } from '../speech/field.ts'
import { type Field, type Vendor, vendors } from '../speech/index.ts'
import { BUCKET_SECRETS } from '../tenants/buckets.ts'
import { hidingOf } from './hidden.ts'
import { isSecretName } from './secret-names.ts'

/** Names of fields that view-only callers read as masks. */
function hiddenNames() {
  const found = new Set<string>()
  const seen = new Set<unknown>()
  const walk = (schema: unknown, name: string) => {
    if (!(schema instanceof z.ZodType)) return
    const as = hidingOf(schema)
    if (as === 'secret' || as === 'values') found.add(name)
    if (seen.has(schema)) return
    seen.add(schema)
    const def = schema.def as unknown as Record<string, unknown>
    for (const [key, member] of Object.entries(def.shape ?? {})) walk(member, key)
    for (const part of ['element', 'innerType', 'in', 'out', 'valueType']) walk(def[part], name)
    if (Array.isArray(def.options)) for (const option of def.options) walk(option, name)
  }
  for (const group of Object.values(api))
    for (const endpoint of Object.values(group)) walk(endpoint.response, '')
  return found
}

it('knows every secret of the contract by its name', () => {
  const hidden = [...hiddenNames()]
  expect(hidden).toContain('smpp_password')
  const ofVendors = Object.values<Vendor>(vendors).flatMap(({ fields, modes }) =>
    [fields, ...Object.values(modes ?? {}).map((mode) => mode.fields)].flatMap((all) =>
      Object.entries<Field>(all ?? {}).flatMap(([name, f]) => (isSecret(f) ? name : [])),
    ),
  )
  expect(ofVendors.length).toBeGreaterThan(5)
  const all = [...hidden, ...BUCKET_SECRETS, ...ofVendors, 'initial_password', 'old_password']
  expect(all.filter((name) => !isSecretName(name))).toEqual([])
})

it('takes counts of a language model’s tokens for no secret', () => {
  expect(['max_tokens', 'tokens', 'tokens_a_day', 'tokens_today'].filter(isSecretName)).toEqual([])
  expect(['token', 'API_TOKENS', 'access_token', 'TOKENS'].filter(isSecretName)).toHaveLength(4)
})
