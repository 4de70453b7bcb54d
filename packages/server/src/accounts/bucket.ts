import { isDeepStrictEqual } from 'node:util'
import {
  BUCKET_SECRETS,
  type Bucket,
  type BucketCredential,
  MASK,
  usesServerIdentity,
} from '@switchroom/contract'
import { invalid } from '../http/failure.ts'
import type { Scope } from '../http/scope.ts'
import type { SecretBox } from '../secret-box.ts'

type Members = Record<string, unknown>

/** A stored bucket credential; one that cannot be opened, or names no vendor, is none. */
function opened(box: SecretBox, stored: string | null): Members | undefined {
  const text = stored === null ? undefined : box.open(stored)
  if (text === undefined) return undefined
  try {
    const bucket = JSON.parse(text) as Members | null
    return bucket?.vendor ? bucket : undefined
  } catch {
    return undefined
  }
}

/** With its secrets, for the server's own use; undefined where there is none that can be used. */
export function bucketToUse(box: SecretBox, stored: string | null): Bucket | undefined {
  const bucket = opened(box, stored)
  return bucket && VENDORS.includes(bucket.vendor as Bucket['vendor'])
    ? (bucket as Bucket)
    : undefined
}
const VENDORS: Bucket['vendor'][] = ['aws_s3', 's3_compatible', 'google', 'azure']

/** As anybody may read it: with its secrets masked. */
export function bucketForReading(box: SecretBox, stored: string | null) {
  const bucket = opened(box, stored)
  if (!bucket) return null
  const secrets = BUCKET_SECRETS.filter((secret) => bucket[secret])
  return { ...bucket, ...Object.fromEntries(secrets.map((secret) => [secret, MASK])) }
}

const refused = (member: string, message: string) =>
  invalid({ path: ['bucket_credential', member], message })

/**
 * What was sent, with the stored secrets where it has a mask. Throws 400 where there is none to keep, and
 * to everybody but admins for a bucket that the server is to open as itself, unless it is the stored one.
 */
export function completeBucket(
  box: SecretBox,
  scope: Scope,
  sent: Bucket,
  stored: string | null,
): Bucket {
  const old = opened(box, stored)
  const members: Members = { ...sent }
  for (const secret of BUCKET_SECRETS) {
    if (members[secret] !== MASK) continue
    if (old?.vendor !== sent.vendor || !old[secret])
      throw refused(secret, 'There is no stored secret to keep: enter it')
    members[secret] = old[secret]
  }
  if (usesServerIdentity(sent) && scope.role !== 'admin' && !sameBucket(members, old))
    throw refused(
      'role_arn' in sent && sent.role_arn ? 'role_arn' : 'instance_profile',
      'Only administrators may let the server use its own identity',
    )
  return members as Bucket
}

const sameBucket = (a: Members, b: Members | undefined) =>
  ['vendor', 'name', 'region', 'role_arn', 'external_id', 'instance_profile'].every(
    (member) => a[member] === b?.[member],
  )

// the column's length
const ROOM = 8_192

/** The column's new value: undefined leaves it as it is. */
export function bucketToStore(
  box: SecretBox,
  scope: Scope,
  sent: BucketCredential | null | undefined,
  stored: string | null,
) {
  if (sent === undefined) return undefined
  if (sent === null || sent.vendor === 'none') return null
  const bucket = completeBucket(box, scope, sent, stored)
  // sealed again it would look like another one
  if (isDeepStrictEqual(bucket, opened(box, stored))) return undefined
  const sealed = box.seal(JSON.stringify(bucket))
  if (sealed.length > ROOM) throw refused('name', 'The credential is too long to be stored')
  return sealed
}
