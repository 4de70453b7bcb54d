import { type AuditKind, isSameValue, MASK } from '@switchroom/contract'
import { send } from '../lib/api'
import {
  applications,
  clients,
  lcrs,
  msTeamsTenants,
  phoneNumbers,
  voipCarriers,
} from '../lib/endpoints'
import { isRecord } from '../lib/records'
import { sendChange } from '../lib/send-change'
import { isThingKind, type ThingKind } from '../lib/thing-href'
import { PART_SIDS, textsWithin } from './change-lines'

type Values = Record<string, unknown>

/**
 * Kinds that can be restored: those whose update takes the fields of their single read one by one. Users and accounts
 * are excluded, since a restored role, password policy or owner could surprise.
 */
const RESTORABLE = {
  ...{ application: applications, client: clients, lcr: lcrs, ms_teams_tenant: msTeamsTenants },
  ...{ phone_number: phoneNumbers, voip_carrier: voipCarriers },
  ...{ account: null, alert_destination: null, speech_credential: null, user: null },
} satisfies Record<ThingKind, object | null>
type Restorable = keyof {
  [K in ThingKind as (typeof RESTORABLE)[K] extends null ? never : K]: true
}
export const isRestorable = (kind: AuditKind): kind is Restorable =>
  isThingKind(kind) && RESTORABLE[kind] !== null

const sent = (kind: Restorable, sid: string) => ({ params: { [`${kind}_sid`]: sid } })

const SECRET = /password|secret|token/i

/** Masked, as in the log, or in clear, as single reads have the secrets that clients write back. */
const hasSecret = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes(MASK)
    : isRecord(value)
      ? Object.entries(value).some(
          ([name, part]) => (SECRET.test(name) && !!part) || hasSecret(part),
        )
      : Array.isArray(value) && value.some(hasSecret)
const isEqual = (a: unknown, b: unknown) => isSameValue(a ?? null, b ?? null)
/** Nothing was or is there. */
const isUnset = (value: unknown) => value === null || value === undefined || value === ''

/** Parts as they may be sent: those that are there no more, or are others by now, come back with sids of their own. */
function withoutOldSids(then: unknown, now: unknown): unknown {
  const known = new Set(textsWithin(now))
  const sendable = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sendable)
      : isRecord(value)
        ? Object.fromEntries(
            Object.entries(value)
              .filter(([key, sid]) => !PART_SIDS.includes(key) || known.has(String(sid)))
              .map(([key, part]) => [key, sendable(part)]),
          )
        : value
  return sendable(then)
}

export type Restoration = {
  version: string | undefined
  changes: { field: string; now: unknown; then: unknown }[]
  /** Fields that differ, or may, but cannot be restored. */
  left: string[]
}

/** Changes that restoring these values would make to what is stored now. */
export async function restorationOf(kind: Restorable, sid: string, values: Values) {
  const { view, update } = RESTORABLE[kind]
  // each of these endpoints takes its own sid
  const [{ body }, read] = await Promise.all([
    update.withSchemas(),
    send(view, sent(kind, sid) as never),
  ])
  const { version, ...rest } = read
  const now: Values = rest
  const fields = isRecord(body.shape) ? Object.keys(body.shape) : []
  const result: Restoration = { version, changes: [], left: [] }
  for (const [field, then] of Object.entries(values)) {
    // of no field of the form: times, and what is derived
    if (!fields.includes(field) || PART_SIDS.includes(field)) continue
    if (isUnset(then) && isUnset(now[field])) continue
    if (SECRET.test(field) || hasSecret(then) || hasSecret(now[field])) result.left.push(field)
    else if (!isEqual(now[field], then)) result.changes.push({ field, now: now[field], then })
  }
  return result
}

/** Saves it, unless somebody has changed the thing since. */
export const restore = (kind: Restorable, sid: string, { changes, version }: Restoration) => {
  // values that the same endpoint once took; it checks them again
  return sendChange(RESTORABLE[kind].update, {
    ...sent(kind, sid),
    body: Object.fromEntries(changes.map((c) => [c.field, withoutOldSids(c.then, c.now)])),
    ...(version && { version }),
  } as never)
}
