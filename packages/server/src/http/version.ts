import { hash } from 'node:crypto'
import { type Endpoint, membersOf } from '@switchroom/contract'

/** Fields that change without anybody editing them. */
export const VOLATILE = [
  'register_status',
  'last_used',
  'last_used_ip',
  'last_tested',
  'last_tried_at',
  'last_error',
  'last_sent',
  'next_at',
  'tts_tested_ok',
  'stt_tested_ok',
  'test_result',
  'figures',
  'version',
]

/** A single read as sent, with its version: the same for every reader of the same scope. */
export const versionOf = (view: Endpoint, subject: unknown) =>
  withVersion(view.response.parse(subject))

export function withVersion(parsed: unknown) {
  const body = membersOf(parsed)
  const stable = Object.entries(body).filter(([key]) => !VOLATILE.includes(key))
  const version = hash('sha256', JSON.stringify(stable), 'base64url').slice(0, 22)
  return { ...body, version }
}

/** True if a save may name the version it was made from, in `If-Match`. */
export const takesVersion = (e: Endpoint) => e.versioned && e.method === 'PUT'
