import { hash } from 'node:crypto'
import { type Call, failurePrefix, isFailureStatus } from '@switchroom/contract'
import type { Tables } from '../../db/open.ts'

type Row = Tables['switchroom_failures']

/** Owner of a failure: one account, or else one provider. */
export type FailureOwner = Pick<Row, 'account_sid' | 'service_provider_sid'>
/** Columns that group failed calls into a failure, beside the owner. */
export type Cause = Pick<Row, 'direction' | 'trunk' | 'sip_status' | 'reason' | 'prefix'>

const digest = (parts: unknown[]) => hash('sha256', JSON.stringify(parts), 'base64url')

/** Key that identifies a call record. */
export const callKey = ({ attempted_at, call_sid, sip_callid, account_sid, trunk }: Call) =>
  digest([attempted_at, call_sid, sip_callid, account_sid, trunk])

export const failureKey = (
  { account_sid, service_provider_sid }: FailureOwner,
  { direction, trunk, sip_status, reason, prefix }: Cause,
) => digest([account_sid, service_provider_sid, direction, trunk, sip_status, reason, prefix])

/** Sids and numbers in a reason would make every call a cause of its own. */
const reasonOf = (text: string | null) =>
  (text ?? '')
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/\b[\da-f]{8}-[\da-f-]{20,}\b|\d{4,}/gi, '…')
    .trim()
    .slice(0, 100) || null

/** Why a call failed; undefined if it did not. */
export function causeOf(call: Call): Cause | undefined {
  const { direction, sip_status, answered } = call
  if (answered !== false || sip_status === null || !isFailureStatus(sip_status)) return undefined
  if (direction !== 'inbound' && direction !== 'outbound') return undefined
  return {
    direction,
    trunk: call.trunk?.toWellFormed().slice(0, 128) || null,
    sip_status,
    reason: reasonOf(call.termination_reason),
    prefix: failurePrefix(call.to),
  }
}

/** The coarser cause for calls of an owner with too many failures. */
export const coarseCause = (cause: Cause): Cause => ({ ...cause, reason: null, prefix: null })
