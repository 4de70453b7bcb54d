import type { NumberPart } from '@switchroom/contract'
import type { CallFilter, Owner } from './store.ts'

/** In nanoseconds since 1970: `from` inclusive, `to` exclusive. */
export type CallQuery = {
  from: bigint
  to: bigint
  tags: WantedTags
  /** Null: calls without one. */
  application_sid?: string | null | undefined
  sip_status?: number | null | undefined
  /** Digits that `to` begins with. Then there is a text too. */
  prefix?: string | undefined
  text?: string | undefined
  /** Ids that may equal `id`, or the text. */
  ids?: readonly ('call_sid' | 'sip_callid')[]
  id?: string | undefined
  /** In place of a text: `from` or `to` has one of these. */
  numbers?: readonly NumberPart[] | undefined
}

/** By name: the exact value, one of several, or null for none. */
export type WantedTags = Record<string, string | readonly string[] | null>

const MS = 1_000_000n

/** The range of valid times. Numbers beyond are clamped to it. */
const ns = (ms: number) => BigInt(Math.ceil(Math.max(-8.64e15, Math.min(8.64e15, ms)))) * MS

export function ownerTags({ service_provider_sid, account_sid }: Owner): Record<string, string> {
  return {
    ...(service_provider_sid !== undefined && { service_provider_sid }),
    ...(account_sid !== undefined && { account_sid }),
  }
}

const OUTCOMES: Record<string, string | string[]> = {
  true: 'true',
  false: 'false',
  known: ['true', 'false'],
}
/** Values that no call has, where a value is asked for that is to be missing. */
const NONE = ''
const NO_STATUS = 2 ** 31

export function queryOf(filter: CallFilter): CallQuery {
  const { direction, answered, trunk, missing = [] } = filter
  const isMissing = new Set<string>(missing)
  return {
    from: ns(filter.from),
    to: ns(filter.to),
    tags: {
      ...ownerTags(filter),
      ...(direction !== undefined && { direction }),
      ...(answered !== undefined && { answered: OUTCOMES[String(answered)] ?? null }),
      ...(trunk !== undefined && { trunk }),
      // named by an owner or filter and missing: none can match
      ...(isMissing.has('trunk') && { trunk: trunk === undefined ? null : [] }),
      ...(isMissing.has('account_sid') && {
        account_sid: filter.account_sid === undefined ? null : [],
      }),
    },
    application_sid: isMissing.has('application_sid')
      ? filter.application_sid === undefined
        ? null
        : NONE
      : filter.application_sid,
    sip_status: isMissing.has('sip_status')
      ? filter.sip_status === undefined
        ? null
        : NO_STATUS
      : filter.sip_status,
    prefix: filter.prefix,
    text: filter.text || (filter.numbers ? undefined : filter.prefix),
    ids: filter.text ? ['call_sid', 'sip_callid'] : [],
    id: filter.id,
    numbers: filter.numbers,
  }
}
