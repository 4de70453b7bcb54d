import { type AccountView, type BucketVendor, type Issue, t } from '@switchroom/contract'
import { oneOf } from '../../lib/list-search'
import { isRecord, keysOf } from '../../lib/records'
import { unset } from '../../lib/unset'

export type StoredBucket = AccountView['bucket_credential']

const vendorOf = (text: string): BucketVendor | '' => oneOf(keysOf(VENDORS), text) ?? ''

/** How the server accesses an S3 bucket. The last two use the server's own AWS identity. */
export const ACCESS = [
  { value: 'key', label: t('Access key') },
  { value: 'role', label: t('Role') },
  { value: 'instance', label: t('Instance profile') },
] as const

/**
 * Form values of a bucket. Values are kept when another vendor is selected. A secret that is undefined is
 * the stored one.
 */
export function bucketValues(stored: StoredBucket) {
  const text = (member: string) => String(stored?.[member] ?? '')
  const tags = Array.isArray(stored?.tags) ? stored.tags.filter(isRecord) : []
  return {
    vendor: vendorOf(text('vendor')),
    name: text('name'),
    endpoint: text('endpoint'),
    region: text('region'),
    access: stored?.role_arn ? 'role' : stored?.instance_profile ? 'instance' : 'key',
    access_key_id: text('access_key_id'),
    secret_access_key: unset<string>(),
    role_arn: text('role_arn'),
    external_id: text('external_id'),
    service_key: unset<string>(),
    connection_string: unset<string>(),
    tags: tags.map(({ Key, Value }) => ({ name: String(Key), value: String(Value) })),
  }
}
export type BucketValues = ReturnType<typeof bucketValues>

type Member = Exclude<keyof BucketValues, 'vendor' | 'tags'>
export type BucketField = {
  member: Member
  label: string
  kind?: 'secret' | 'service-key' | 'region' | 'access'
  placeholder?: string
  help?: string
  optional?: true
  when?: BucketValues['access']
}

const NAME: BucketField = { member: 'name', label: t('Bucket name'), placeholder: t('Bucket') }
const KEY: BucketField[] = [
  { member: 'access_key_id', label: t('Access key ID') },
  { member: 'secret_access_key', label: t('Secret access key'), kind: 'secret' },
]

/** The fields of each vendor, in order. */
export const VENDORS: Record<BucketVendor, { label: string; tags: string; fields: BucketField[] }> =
  {
    aws_s3: {
      label: 'AWS S3',
      tags: 'S3',
      fields: [
        NAME,
        { member: 'region', label: t('Region'), kind: 'region' },
        { member: 'access', label: t('Access'), kind: 'access' },
        ...KEY.map((field) => ({ ...field, when: 'key' })),
        {
          member: 'role_arn',
          label: t('Role ARN'),
          placeholder: 'arn:aws:iam::123456789012:role/recordings',
          when: 'role',
        },
        { member: 'external_id', label: t('External ID'), optional: true, when: 'role' },
      ],
    },
    s3_compatible: {
      label: t('AWS S3 Compatible'),
      tags: 'S3',
      fields: [
        { member: 'endpoint', label: t('Endpoint URI'), placeholder: 'https://domain.com' },
        { member: 'region', label: t('Region'), optional: true },
        NAME,
        ...KEY,
      ],
    },
    azure: {
      label: t('Azure Cloud Storage'),
      tags: t('Azure Cloud Storage'),
      fields: [
        { member: 'name', label: t('Container name'), placeholder: t('Container') },
        { member: 'connection_string', label: t('Connection string'), kind: 'secret' },
      ],
    },
    google: {
      label: t('Google Cloud Storage'),
      tags: t('Google Cloud Storage'),
      fields: [
        NAME,
        {
          member: 'service_key',
          label: t('Service key'),
          kind: 'service-key',
          help: t(
            'Provide a JSON key for a Service Account with APIs enabled for Cloud Storage and Storage Transfer API',
          ),
        },
      ],
    },
  }

export const fieldsOf = ({ vendor, access }: BucketValues): BucketField[] =>
  vendor ? VENDORS[vendor].fields.filter((f) => !f.when || f.when === access) : []

/** The stored bucket, if it is of the chosen vendor. */
const storedForVendor = (v: BucketValues, stored: StoredBucket) =>
  stored?.vendor === v.vendor ? stored : undefined

export const isStored = (v: BucketValues, stored: StoredBucket, member: Member) =>
  !!storedForVendor(v, stored)?.[member]

const valueIn = (v: BucketValues, stored: StoredBucket, member: Member) =>
  v[member] ?? storedForVendor(v, stored)?.[member] ?? ''

const missingFields = (v: BucketValues, stored: StoredBucket) =>
  fieldsOf(v).filter((f) => !f.optional && !valueIn(v, stored, f.member))

/** True if all required fields are filled in. */
export const isComplete = (v: BucketValues, stored: StoredBucket) =>
  v.vendor !== '' && missingFields(v, stored).length === 0

/** Bucket settings to send to the API. A secret that was not typed is sent back masked, so the server keeps it. */
export function bucketToSend(v: BucketValues, stored: StoredBucket) {
  if (!v.vendor) return null
  const members = fieldsOf(v)
    .filter((f) => f.kind !== 'access')
    .map(({ member }) => [member, valueIn(v, stored, member)])
  return {
    vendor: v.vendor,
    ...Object.fromEntries(members),
    ...(v.vendor === 'aws_s3' && v.access === 'instance' && { instance_profile: true }),
    tags: v.tags.map(({ name, value }) => ({ Key: name, Value: value })),
  }
}

export function bucketIssues(v: BucketValues, stored: StoredBucket, needed: boolean): Issue[] {
  const required = (...path: (string | number)[]) => ({
    path: ['bucket', ...path],
    message: t('Required'),
  })
  if (!v.vendor) return needed ? [required('vendor')] : []
  return [
    ...missingFields(v, stored).map((f) => required(f.member)),
    ...v.tags.flatMap((tag, i) =>
      (['name', 'value'] as const)
        .filter((half) => !tag[half])
        .map((half) => required('tags', i, half)),
    ),
  ]
}

const IN_FORM: Record<string, string> = { Key: 'name', Value: 'value', instance_profile: 'access' }

/** Maps the path of an issue to the form's field. */
export const bucketFieldFor = (path: Issue['path']): Issue['path'] =>
  path[0] === 'bucket_credential'
    ? ['bucket', ...path.slice(1).map((part) => IN_FORM[part] ?? part)]
    : path
