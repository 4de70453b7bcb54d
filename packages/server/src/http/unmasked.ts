import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { hide } from './hide.ts'

/** A body in which each member that is sent back as view-only callers read it keeps its stored value. */
export const unmasked = <B extends object>(
  shape: Readonly<Record<string, z.ZodType>>,
  stored: B,
  body: Partial<B>,
): Partial<B> =>
  Object.fromEntries(
    Object.entries(body).map(([name, sent]) => {
      const kept: unknown = stored[name as keyof B]
      const schema = shape[name]
      return [name, schema && isDeepStrictEqual(sent, hide(schema, kept)) ? kept : sent]
    }),
  ) as Partial<B>
