import { createHash } from 'node:crypto'
import type { Endpoint } from '@switchroom/contract'

/** What changes by itself, while nobody edits anything. */
export const VOLATILE = [
  'register_status',
  'last_used',
  'last_tested',
  'last_tried_at',
  'last_error',
  'tts_tested_ok',
  'stt_tested_ok',
  'test_result',
  'version',
]

/** A single read as it is answered, with its version: the same whoever of the same scope reads it. */
export function versionOf(view: Endpoint, thing: unknown) {
  const shown = view.response.parse(thing) as Record<string, unknown>
  const lasting = Object.entries(shown).filter(([key]) => !VOLATILE.includes(key))
  const version = createHash('sha256')
    .update(JSON.stringify(lasting))
    .digest('base64url')
    .slice(0, 22)
  return { ...shown, version }
}
