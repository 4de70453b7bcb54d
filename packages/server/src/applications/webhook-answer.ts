import type { ParseError } from 'jsonc-parser'
import type { Answer } from '../outbound/outbound.ts'

/** The statuses that the platform takes for success. */
const GOOD = [200, 202, 204]
const STRICT_JSON = { disallowComments: true, allowTrailingComma: false }

/** A webhook's response as the platform reads it. It reads only JSON; `offset` is where that is broken. */
export type ReadAnswer =
  | { kind: 'redirect' | 'status' | 'empty' | 'other_type' }
  | { kind: 'broken'; offset: number }
  | { kind: 'json'; body: unknown }

/** Reads a webhook's response as the platform does. */
export async function readAnswer({
  status,
  headers,
  text,
}: Pick<Answer, 'status' | 'headers' | 'text'>): Promise<ReadAnswer> {
  if (status >= 300 && status < 400) return { kind: 'redirect' }
  if (!GOOD.includes(status)) return { kind: 'status' }
  if (text.trim() === '') return { kind: 'empty' }
  if (!String(headers['content-type'] ?? '').includes('application/json'))
    return { kind: 'other_type' }
  // loaded on first use: few servers need it
  const { getNodeValue, parseTree } = await import('jsonc-parser')
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, STRICT_JSON)
  if (!tree || errors[0]) return { kind: 'broken', offset: errors[0]?.offset ?? 0 }
  return { kind: 'json', body: getNodeValue(tree) }
}
