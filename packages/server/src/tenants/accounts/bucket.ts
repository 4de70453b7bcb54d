import { isDeepStrictEqual } from 'node:util'
import {
  BUCKET_SECRETS,
  type Bucket,
  type BucketCredential,
  isOneOf,
  isRecord,
  MASK,
  membersOf,
  t,
  usesServerIdentity,
} from '@switchroom/contract'
import { invalid } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'

type Members = Record<string, unknown>

/** Decrypts a stored bucket credential. Undefined when it cannot be decrypted or names no vendor. */
function opened(box: SecretBox, stored: string | null): Members | undefined {
  const text = stored === null ? undefined : box.open(stored)
  if (text === undefined) return undefined
  try {
    const bucket: unknown = JSON.parse(text)
    return isRecord(bucket) && bucket.vendor ? bucket : undefined
  } catch {
    return undefined
  }
}

/** The bucket with its secrets, for the server's own use. Undefined when it is not usable. */
export function bucketToUse(box: SecretBox, stored: string | null): Bucket | undefined {
  const bucket = opened(box, stored)
  return bucket && isBucket(bucket) ? bucket : undefined
}
/** The members of each vendor were checked when it was stored, here or by a stock server. */
const isBucket = (bucket: Members): bucket is Members & Bucket =>
  isOneOf(['aws_s3', 's3_compatible', 'google', 'azure'], bucket.vendor)

/** The bucket with its secrets masked. */
export function bucketForReading(box: SecretBox, stored: string | null) {
  const bucket = opened(box, stored)
  if (!bucket) return null
  const secrets = BUCKET_SECRETS.filter((secret) => bucket[secret])
  return { ...bucket, ...Object.fromEntries(secrets.map((secret) => [secret, MASK])) }
}

const refused = (member: string, message: string) =>
  invalid({ path: ['bucket_credential', member], message })

/**
 * Fills masked secrets of the input from the stored bucket. Throws 400 when there is nothing stored, and
 * for everyone but admins when a new bucket would use the server's own credentials.
 */
export function completeBucket(
  box: SecretBox,
  scope: Scope,
  sent: Bucket,
  stored: string | null,
): Bucket {
  const old = opened(box, stored)
  const filled: Partial<Record<(typeof BUCKET_SECRETS)[number], string>> = {}
  for (const secret of BUCKET_SECRETS) {
    if (membersOf(sent)[secret] !== MASK) continue
    const kept = old?.vendor === sent.vendor ? old[secret] : undefined
    if (typeof kept !== 'string' || kept === '')
      throw refused(secret, t('No secret is stored. Enter it'))
    filled[secret] = kept
  }
  const members: Bucket = { ...sent, ...filled }
  if (usesServerIdentity(sent) && scope.role !== 'admin' && !sameBucket({ ...members }, old))
    throw refused(
      'role_arn' in sent && sent.role_arn ? 'role_arn' : 'instance_profile',
      t('Only administrators can let the server use its own identity'),
    )
  return members
}

const sameBucket = (a: Members, b: Members | undefined) =>
  ['vendor', 'name', 'region', 'role_arn', 'external_id', 'instance_profile'].every(
    (member) => a[member] === b?.[member],
  )

// the column's length
const ROOM = 8_192

/** The column's new value; undefined leaves it unchanged. */
export function bucketToStore(
  box: SecretBox,
  scope: Scope,
  sent: BucketCredential | null | undefined,
  stored: string | null,
) {
  if (sent === undefined) return undefined
  if (sent === null || sent.vendor === 'none') return null
  const bucket = completeBucket(box, scope, sent, stored)
  // encrypting it again would look like a change
  if (isDeepStrictEqual(bucket, opened(box, stored))) return undefined
  const sealed = box.seal(JSON.stringify(bucket))
  if (sealed.length > ROOM) throw refused('name', t('The credential is too long'))
  return sealed
}
