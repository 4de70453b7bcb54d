import { MASK } from '@switchroom/contract'
import type { SecretBox } from '../secret-box.ts'

/** The members of a bucket credential that nobody reads back, of all storage vendors. */
const SECRETS = ['secret_access_key', 'service_key', 'connection_string'] as const

/** A stored bucket credential with its secrets masked; one that cannot be opened is shown as none. */
export function bucketForReading(box: SecretBox, stored: string | null) {
  const opened = stored === null ? undefined : box.open(stored)
  if (opened === undefined) return null
  try {
    const bucket = JSON.parse(opened) as Record<string, unknown>
    for (const secret of SECRETS) if (bucket[secret]) bucket[secret] = MASK
    return bucket
  } catch {
    return null
  }
}
