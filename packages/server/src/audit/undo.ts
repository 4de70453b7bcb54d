import { isDeepStrictEqual } from 'node:util'
import {
  type AuditAction,
  type AuditEntry,
  type AuditKind,
  applications,
  clients,
  LcrRoute,
  lcrs,
  MASK,
  msTeamsTenants,
  PhoneNumber,
  UNDO_CHANGED,
  UNDO_MAX,
} from '@switchroom/contract'
import { z } from 'zod'
import { lockRows } from '../db/dialect.ts'
import type { Db } from '../db/open.ts'
import { Failure } from '../http/failure.ts'
import type { RequestMeta } from '../http/scope.ts'

type Change = {
  action: AuditAction
  kind: AuditKind
  sid: string
  before: object | null
  after: object | null
}

/** Shapes of updates that can be undone, by kind: no other field may have changed. */
const TAKES: Partial<Record<AuditKind, z.ZodObject>> = {
  // variables are always masked, and JSON loses its spaces
  application: applications.update.body.omit({ env_vars: true, app_json: true }),
  client: clients.update.body,
  ms_teams_tenant: msTeamsTenants.update.body,
  phone_number: PhoneNumber.partial(),
}

/** Members of a routing table that an undo restores. Not the owner: carriers depend on it. */
const TABLE_MEMBERS = ['name', 'is_active', 'routes', 'number_routes', 'default_carrier']

const Tables = z.array(z.object({ routes: z.array(LcrRoute).default([]) }))
const sidsIn = (routes: LcrRoute[]) =>
  routes.flatMap((r) => [
    r.lcr_route_sid,
    ...r.lcr_carrier_set_entries.map((e) => e.lcr_carrier_set_entry_sid),
  ])

/** True if a routing table kept all of its routes and their carriers, which would come back with other sids. */
function isExactTable(before: object, after: object | null): boolean {
  if (!Object.keys(before).every((name) => TABLE_MEMBERS.includes(name))) return false
  if (!lcrs.update.body.safeParse(before).success) return false
  const read = Tables.safeParse([before, after])
  const [was = [], is = []] = read.data?.map(({ routes }) => sidsIn(routes)) ?? []
  return read.success && was.every((sid) => is.includes(sid))
}

/**
 * Kinds whose deletion can be undone completely, with the sid: they have no parts and no secrets, and nothing refers to
 * them.
 */
const RETURNING: AuditKind[] = ['ms_teams_tenant', 'phone_number']

/** Secrets as the log has them: masked whole, or within a URL. */
const hasMask = (values: unknown) => {
  const text = JSON.stringify(values)
  return text.includes(MASK) || text.includes('***')
}

/** True if the log has everything that a change replaced, so that undoing it restores exactly the state before. */
export function isExact(entries: Change[]): boolean {
  const [first] = entries
  return (
    first !== undefined &&
    entries.length <= UNDO_MAX &&
    entries.every((e) => e.kind === first.kind && e.action === first.action && isExactAlone(e))
  )
}

function isExactAlone({ kind, action, before, after }: Change): boolean {
  if (!before || hasMask([before, after])) return false
  if (kind === 'lcr') return action === 'update' && isExactTable(before, after)
  const takes = TAKES[kind]
  if (!takes) return false
  if (action === 'delete') return RETURNING.includes(kind)
  return (
    action === 'update' &&
    Object.keys(before).every((name) => name in takes.shape) &&
    takes.safeParse(before).success
  )
}

const BATCH = 500

/**
 * Refuses to undo a change when the log has a newer one of anything that it changed. `atLast`: also one that was committed
 * after this transaction had begun. Only while nobody else can add entries: who is adding one would wait for this, and
 * this for the log.
 */
export async function refuseChangedSince(
  db: Db,
  entries: readonly AuditEntry[],
  { atLast = false } = {},
) {
  const last = entries.at(-1)!.seq
  for (let i = 0; i < entries.length; i += BATCH) {
    const sids = entries.slice(i, i + BATCH).map((e) => e.sid)
    const newer = await db
      .selectFrom('switchroom_audit')
      .select('seq')
      .where('sid', 'in', sids)
      .where('seq', '>', last)
      .$if(atLast, lockRows(db))
      .limit(1)
      .executeTakeFirst()
    if (newer) throw new Failure('changed', UNDO_CHANGED)
  }
}

const asLogged = (values: object | null): unknown => JSON.parse(JSON.stringify(values))

/**
 * Refuses an undo that is not the mirror image of the change: each resource must go from the state after the change to
 * exactly the state before. Call it while nobody else can add entries.
 */
export async function refuseInexactUndo(db: Db, { undoes }: RequestMeta, entries: Change[]) {
  if (!undoes) return
  const isMirrored = (e: Change) => {
    const undone = undoes.get(e.sid)
    return (
      undone?.kind === e.kind &&
      isDeepStrictEqual(asLogged(e.before), undone.after) &&
      isDeepStrictEqual(asLogged(e.after), undone.before)
    )
  }
  if (entries.length !== undoes.size || !entries.every(isMirrored))
    throw new Failure('changed', UNDO_CHANGED)
  await refuseChangedSince(db, [...undoes.values()], { atLast: true })
}
