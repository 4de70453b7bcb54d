import { isSameValue, MASK } from '@switchroom/contract'
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
import { PART_SIDS, textsWithin } from './change-lines'

type Values = Record<string, unknown>

/**
 * Kinds that can be restored: those whose update takes the fields of their single read one by one. Users and accounts
 * are excluded, since a restored role, password policy or owner could surprise.
 */
const RESTORABLE = {
  application: {
    view: (application_sid: string) => send(applications.view, { params: { application_sid } }),
    update: applications.update,
    sid: 'application_sid',
  },
  client: {
    view: (client_sid: string) => send(clients.view, { params: { client_sid } }),
    update: clients.update,
    sid: 'client_sid',
  },
  lcr: {
    view: (lcr_sid: string) => send(lcrs.view, { params: { lcr_sid } }),
    update: lcrs.update,
    sid: 'lcr_sid',
  },
  ms_teams_tenant: {
    view: (ms_teams_tenant_sid: string) =>
      send(msTeamsTenants.view, { params: { ms_teams_tenant_sid } }),
    update: msTeamsTenants.update,
    sid: 'ms_teams_tenant_sid',
  },
  phone_number: {
    view: (phone_number_sid: string) => send(phoneNumbers.view, { params: { phone_number_sid } }),
    update: phoneNumbers.update,
    sid: 'phone_number_sid',
  },
  voip_carrier: {
    view: (voip_carrier_sid: string) => send(voipCarriers.view, { params: { voip_carrier_sid } }),
    update: voipCarriers.update,
    sid: 'voip_carrier_sid',
  },
} as const
type Restorable = keyof typeof RESTORABLE
export const isRestorable = (kind: string): kind is Restorable => kind in RESTORABLE

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
  const [{ body }, read] = await Promise.all([update.withSchemas(), view(sid)])
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
  const { update, sid: name } = RESTORABLE[kind]
  // values that the same endpoint once took; it checks them again
  return sendChange(update, {
    params: { [name]: sid },
    body: Object.fromEntries(changes.map((c) => [c.field, withoutOldSids(c.then, c.now)])),
    ...(version && { version }),
  } as never)
}
