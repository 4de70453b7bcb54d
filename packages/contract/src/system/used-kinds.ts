/**
 * Kinds of things that others may refer to. Nothing refers to phone numbers, clients, users, Teams tenants and routing
 * tables.
 */
export const USED_KINDS = [
  'service_provider',
  'account',
  'application',
  'voip_carrier',
  'speech_credential',
] as const
export type UsedKind = (typeof USED_KINDS)[number]

/** Totals are counted up to this number, so that no request counts a million rows. */
export const USES_MAX = 10_000
