import { type AccountView, type Issue, RECORD_FORMATS } from '@switchroom/contract'
import { atLeast } from '../../lib/access'
import { config } from '../../lib/config'
import type { accounts, Sent } from '../../lib/endpoints'
import { oneOf } from '../../lib/list-search'
import { limitsToSend, limitValues } from '../limit-fields'
import { hookIssues, hookToSend, hookValues } from '../webhook-fields'
import { bucketIssues, bucketToSend, bucketValues, type StoredBucket } from './bucket'

/** Queue events have a body. */
export const QUEUE_METHODS = ['POST'] as const

/** Form values of an account. */
export const valuesOf = (account?: AccountView) => ({
  name: account?.name ?? '',
  sip_realm: account?.sip_realm ?? '',
  is_active: account ? account.is_active === 1 : true,
  limits: limitValues(account?.limits ?? []),
  registration_hook: hookValues(account?.registration_hook ?? null),
  queue_event_hook: hookValues(account?.queue_event_hook ?? null, QUEUE_METHODS),
  device_calling_application_sid: account?.device_calling_application_sid ?? '',
  siprec_hook_sid: account?.siprec_hook_sid ?? '',
  recording: account?.record_all_calls === 1 || !!account?.bucket_credential,
  bucket: bucketValues(account?.bucket_credential ?? null),
  record_all_calls: account?.record_all_calls === 1,
  record_format: account?.record_format ?? 'mp3',
  enable_debug_log: account?.enable_debug_log === 1,
})
export type AccountValues = ReturnType<typeof valuesOf>

/** Limits are set by the provider, or in the hosted variant by the plan. */
export const hasLimits = () => atLeast('service_provider') && !config.ENABLE_HOSTED_SYSTEM

/** The fields on this form as sent to the API; other members of the account stay unchanged. */
export function toBody(v: AccountValues, stored: StoredBucket = null) {
  const {
    limits,
    recording,
    bucket,
    sip_realm,
    is_active,
    enable_debug_log,
    record_all_calls,
    record_format,
    ...rest
  } = v
  return {
    ...rest,
    ...(!config.ENABLE_HOSTED_SYSTEM && { sip_realm }),
    ...(atLeast('service_provider') && { is_active }),
    ...(hasLimits() && { limits: limitsToSend(limits) }),
    ...(atLeast('admin') && { enable_debug_log }),
    ...(!config.DISABLE_CALL_RECORDING && {
      record_all_calls: recording && record_all_calls,
      record_format: oneOf(RECORD_FORMATS, record_format),
      // the schema validates it; its members come from a table of fields, which no type can follow
      bucket_credential: (recording ? bucketToSend(bucket, stored) : null) as Credential,
    }),
    registration_hook: hookToSend(v.registration_hook),
    queue_event_hook: hookToSend(v.queue_event_hook),
  }
}

type Credential = Sent<typeof accounts.update>['body']['bucket_credential']

export const issuesOf = (v: AccountValues, stored: StoredBucket = null): Issue[] => [
  ...(v.registration_hook.url ? hookIssues('registration_hook', v.registration_hook) : []),
  ...(v.queue_event_hook.url ? hookIssues('queue_event_hook', v.queue_event_hook) : []),
  ...(v.recording && !config.DISABLE_CALL_RECORDING
    ? bucketIssues(v.bucket, stored, v.record_all_calls)
    : []),
]
