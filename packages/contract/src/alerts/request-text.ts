import { t } from '../wire/text.ts'

/** Why Switchroom sends a request to a user's address. */
export const REQUEST_KINDS = {
  alert: t('Alert delivery'),
  environment: t('Environment variables'),
  run: t('Try it'),
  test: t('Test request'),
} as const
export type RequestKind = keyof typeof REQUEST_KINDS

/** Results of a request. */
export const REQUEST_OUTCOMES = {
  accepted: t('Accepted'),
  error_status: t('Error status'),
  blocked: t('Blocked'),
  timed_out: t('Timed out'),
  name_not_found: t('Name not found'),
  tls_failed: t('TLS failed'),
  too_large: t('Response too large'),
  unreachable: t('Unreachable'),
} as const
export type RequestOutcome = keyof typeof REQUEST_OUTCOMES

/** The hooks of an application that can be tested. */
export const TEST_HOOKS = {
  call_hook: t('Calling webhook'),
  call_status_hook: t('Call status webhook'),
  messaging_hook: t('Messaging webhook'),
} as const
export type TestHook = keyof typeof TEST_HOOKS
