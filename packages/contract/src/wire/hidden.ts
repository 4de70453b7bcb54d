import { z } from 'zod'

/**
 * How a field is hidden from view-only callers:
 * - `secret`: text becomes a mask
 * - `values`: the values of a record become masks
 * - `url`: URLs in the text lose their credentials
 * - `host`: a URL loses all after its host, since whoever has it can use it
 * - `verbs`: an application's JSON loses the secrets in it
 * - `text`: a text of the platform, JSON or not, loses the secrets in it
 * - `attribute`: an attribute of a span becomes a mask, or its text loses the secrets in it
 */
export type Hiding = 'secret' | 'values' | 'url' | 'host' | 'verbs' | 'text' | 'attribute'

const registry = z.registry<{ as: Hiding }>()

/** A field of a response that view-only callers must not read in clear text. Others of the same schema stay readable. */
export function hidden<S extends z.ZodType>(schema: S, as: Hiding = 'secret'): S {
  const copy = schema.clone()
  registry.add(copy, { as })
  return copy
}

export const hidingOf = (schema: z.ZodType): Hiding | undefined => registry.get(schema)?.as
