import { AWS_REGIONS, readServiceKey, SERVICE_KEY_INVALID, t } from '@switchroom/contract'
import { useState } from 'react'
import { atLeast } from '../../lib/access'
import { errorOf, useFieldContext } from '../../lib/form-fields'
import type { FormLike } from '../../lib/form-like'
import { FileField } from '../../ui/file-field'
import {
  ACCESS,
  type BucketField,
  type BucketValues,
  bucketToSend,
  bucketValues,
  fieldsOf,
  isComplete,
  isStored,
  type StoredBucket,
  VENDORS,
} from './bucket'
import { BucketTags } from './bucket-tags'
import { BucketTest } from './bucket-test'

const VENDOR_OPTIONS = [
  { value: '', label: t('None') },
  ...Object.entries(VENDORS).map(([value, { label }]) => ({ value, label })),
]

/** The bucket for recordings: vendor, its fields, and a test. */
export function BucketFields({
  form,
  stored,
  account_sid,
}: {
  form: FormLike<{ bucket: BucketValues }>
  stored: StoredBucket
  account_sid: string | undefined
}) {
  return (
    <>
      <form.SelectField
        name="bucket.vendor"
        label={t('Bucket vendor')}
        options={VENDOR_OPTIONS}
        onChange={(vendor) =>
          form.setFieldValue('bucket.region', vendor === 'aws_s3' ? 'us-east-1' : '')
        }
      />
      <form.Subscribe selector={(s) => s.values.bucket}>
        {(bucket) =>
          bucket.vendor !== '' && (
            <>
              {fieldsOf(bucket).map((field) => (
                <form.AppField
                  // remount, since another vendor's field of the same name is a different field
                  key={`${bucket.vendor} ${field.member}`}
                  name={`bucket.${field.member}`}
                >
                  {(f) => <Member f={f} field={field} bucket={bucket} stored={stored} />}
                </form.AppField>
              ))}
              <BucketTags form={form} of={VENDORS[bucket.vendor].tags} tags={bucket.tags} />
              {account_sid && (
                <BucketTest
                  account_sid={account_sid}
                  // without tags, which the test does not use and which may be incomplete
                  credential={
                    isComplete(bucket, stored)
                      ? bucketToSend({ ...bucket, tags: [] }, stored)
                      : null
                  }
                />
              )}
            </>
          )
        }
      </form.Subscribe>
    </>
  )
}

type Fields = Parameters<Parameters<FormLike['AppField']>[0]['children']>[0]

function Member({
  f,
  field,
  bucket,
  stored,
}: {
  f: Fields
  field: BucketField
  bucket: BucketValues
  stored: StoredBucket
}) {
  const { member, kind, label, help, optional, placeholder } = field
  const isSet = isStored(bucket, stored, member)
  switch (kind) {
    case 'secret':
      return <f.SecretField label={label} isSet={isSet} />
    case 'service-key':
      return <ServiceKeyField label={label} help={help} isSet={isSet} />
    case 'region':
      return <f.SelectField label={label} options={withChoice(AWS_REGIONS, bucket.region)} />
    case 'access': {
      const mine = atLeast('admin') ? ACCESS : ACCESS.slice(0, 1)
      const options = withChoice(mine, bucketValues(stored).access)
      return options.length === 1 ? null : (
        <f.SelectField
          label={label}
          options={options}
          help={t(
            'A role or an instance profile uses this server’s own AWS identity. Only administrators can choose it.',
          )}
        />
      )
    }
    default:
      return <f.TextField mono label={label} optional={optional} placeholder={placeholder} />
  }
}

type Option = { value: string; label: string }
const withChoice = (options: readonly Option[], chosen: string) =>
  options.some((o) => o.value === chosen)
    ? options
    : [...options, ACCESS.find((a) => a.value === chosen) ?? { value: chosen, label: chosen }]

function ServiceKeyField({
  isSet,
  ...field
}: {
  label: string
  help: string | undefined
  isSet: boolean
}) {
  const { state, handleChange } = useFieldContext<string | undefined>()
  const [wrong, setWrong] = useState(false)
  const key = state.value ? readServiceKey(state.value) : undefined
  return (
    <FileField
      {...field}
      accept=".json,application/json"
      chosen={
        key
          ? t('Key of {client_email}', { client_email: key.client_email })
          : isSet
            ? t('Set')
            : t('Not set')
      }
      error={wrong ? SERVICE_KEY_INVALID : errorOf(state.meta)}
      onFile={async (file) => {
        const text = await file.text()
        const good = readServiceKey(text) !== undefined
        setWrong(!good)
        if (good) handleChange(text)
      }}
    />
  )
}
