import { z } from 'zod'
import { Text } from '../wire/common.ts'
import { MASK } from '../wire/mask.ts'
import { whenMissing } from '../wire/plain-messages.ts'
import { membersOf } from '../wire/records.ts'
import { readServiceKey, SERVICE_KEY_INVALID } from '../wire/service-key.ts'
import { t } from '../wire/text.ts'

/** The bucket vendors for recordings. */
export type BucketVendor = Bucket['vendor']

/** The secret fields of all vendors. */
export const BUCKET_SECRETS = ['secret_access_key', 'service_key', 'connection_string'] as const

const ENDPOINT_INVALID = t('Enter an http or https URL')
const ACCESS_KEY_MISSING = t('invalid aws S3 bucket credential: access_key_id is required')
const SECRET_KEY_MISSING = t('invalid aws S3 bucket credential: secret_access_key is required')

// becomes part of a host name or path
const Name = (missing: string) =>
  Text(222, missing).regex(
    /^[\w.$-]+$/,
    t('Use only letters, digits, dots, dashes and underscores'),
  )
const Region = z.string().regex(/^[a-z0-9-]{1,40}$/, t('Enter a valid region'))
const Secret = (missing: string) => z.string(whenMissing(missing)).min(1, missing).max(3_900)

const tags = z
  .array(z.object({ Key: Text(128), Value: Text(256) }))
  .max(50, t('At most 50 tags'))
  .nullish()
  .transform((list) => list ?? undefined)
const none = z.null().transform(() => undefined)
/** Empty values, in any spelling, are not stored. */
const emptyAsAbsent = <T extends z.ZodType>(schema: T) =>
  z.union([z.literal('').transform(() => undefined), none, schema]).optional()

const accessKey = {
  access_key_id: Text(128, ACCESS_KEY_MISSING),
  secret_access_key: Secret(SECRET_KEY_MISSING),
}

const AwsS3 = z
  .object({
    vendor: z.literal('aws_s3'),
    name: Name(t('invalid aws bucket name: name is required')),
    region: z
      .string(t('invalid aws bucket region: region is required'))
      .min(1, t('invalid aws bucket region: region is required'))
      .pipe(Region),
    access_key_id: emptyAsAbsent(accessKey.access_key_id),
    secret_access_key: emptyAsAbsent(accessKey.secret_access_key),
    /** Switchroom only: a role that the server's own identity assumes, in place of an access key. Admins only. */
    role_arn: emptyAsAbsent(
      z
        .string()
        .max(2_048)
        .regex(/^arn:aws[\w-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/, t('Enter the ARN of a role')),
    ),
    external_id: emptyAsAbsent(
      z.string().regex(/^[\w+=,.@:/-]{2,1224}$/, t('Use only letters, digits and + = , . @ : / -')),
    ),
    /** Switchroom only: the server's own identity, in place of an access key. Admins only. */
    instance_profile: emptyAsAbsent(z.boolean().transform((on) => on || undefined)),
    tags,
  })
  .superRefine((aws, ctx) => {
    const issue = (path: string, message: string) =>
      ctx.addIssue({ code: 'custom', path: [path], message })
    if (!usesServerIdentity(aws)) {
      // a role was chosen, but not entered
      if ('role_arn' in aws && !('access_key_id' in aws)) return issue('role_arn', t('Required'))
      if (!aws.access_key_id) issue('access_key_id', ACCESS_KEY_MISSING)
      if (!aws.secret_access_key) issue('secret_access_key', SECRET_KEY_MISSING)
      return
    }
    if (aws.access_key_id || aws.secret_access_key)
      issue('access_key_id', t('Remove the access key when using a role or an instance profile'))
    if (aws.role_arn && aws.instance_profile)
      issue('role_arn', t('Choose either a role or the instance profile'))
  })

const S3Compatible = z.object({
  vendor: z.literal('s3_compatible'),
  name: Name(t('invalid aws bucket name: name is required')),
  endpoint: z
    .string(whenMissing(t('invalid endpoint uri: endpoint is required')))
    .trim()
    .min(1, t('invalid endpoint uri: endpoint is required'))
    .max(1_024)
    .pipe(z.url({ protocol: /^https?$/, error: ENDPOINT_INVALID }))
    // credentials in the URL would be neither masked nor used
    .refine((url) => !url.includes('@'), ENDPOINT_INVALID),
  region: emptyAsAbsent(Region),
  ...accessKey,
  tags,
})

const Google = z.object({
  vendor: z.literal('google'),
  name: Name(t('invalid google bucket name: name is required')),
  /** The text of the file. A mask stands for the stored file. */
  service_key: Secret(t('invalid google cloud storage credential: service_key is required')).refine(
    (text) => text === MASK || readServiceKey(text) !== undefined,
    SERVICE_KEY_INVALID,
  ),
  tags,
})

const Azure = z.object({
  vendor: z.literal('azure'),
  name: Name(t('invalid azure container name: name is required')),
  connection_string: Secret(
    t('invalid azure cloud storage credential: connection_string is required'),
  ),
  tags,
})

/** Removes the stored credential, as null does. */
const None = z.object({ vendor: z.literal('none') })

export const BucketCredential = z.discriminatedUnion(
  'vendor',
  [AwsS3, S3Compatible, Google, Azure, None],
  {
    error: ({ input, code }) =>
      code === 'invalid_union'
        ? t('unknown storage vendor: {vendor}', { vendor: membersOf(input).vendor })
        : t('Enter the bucket settings'),
  },
)
export type BucketCredential = z.output<typeof BucketCredential>
/** A credential that names a bucket. */
export type Bucket = Exclude<BucketCredential, { vendor: 'none' }>

/** True if the server uses its own identity rather than a key. */
export const usesServerIdentity = (bucket: object) =>
  !!(
    ('role_arn' in bucket && bucket.role_arn) ||
    ('instance_profile' in bucket && bucket.instance_profile)
  )

/** Always returns a result. The reason never quotes the credential. */
export const BucketTest = z.discriminatedUnion('status', [
  z.object({ status: z.literal('ok') }),
  z.object({ status: z.literal('failed'), reason: z.string() }),
  /** This server may not reach the store: nothing is known of the bucket. */
  z.object({ status: z.literal('not tested'), reason: z.string() }),
])
export type BucketTest = z.infer<typeof BucketTest>
