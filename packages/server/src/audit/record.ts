import { createHash } from 'node:crypto'
import type { AuditAction, AuditKind } from '@switchroom/contract'
import { lockRows } from '../db/dialect.ts'
import { insertMany } from '../db/insert-many.ts'
import { type Db, leaveToEnd, type Tables, undone } from '../db/open.ts'
import type { RequestMeta, Scope } from '../http/scope.ts'

/** The caller of a change and its request's metadata. Every handler's input is one. */
export type Actor = { scope: Scope; meta: RequestMeta }

export type Entry = {
  action: AuditAction
  kind: AuditKind
  sid: string
  name: string
  account_sid: string | null
  service_provider_sid: string | null
  before: object | null
  after: object | null
}

export type Row = Tables['switchroom_audit']

/**
 * The hash that links an audit entry to the one before it: SHA-256 over the previous hash and every column
 * in this order.
 */
export const linkHash = (previous: string, row: Omit<Row, 'hash'>) =>
  createHash('sha256')
    .update(
      JSON.stringify([
        previous,
        row.seq,
        row.at,
        row.request_id,
        row.user_sid,
        row.api_key_sid,
        row.actor,
        row.actor_scope,
        row.ip,
        row.action,
        row.kind,
        row.sid,
        row.name,
        row.service_provider_sid,
        row.account_sid,
        row.before_values,
        row.after_values,
        // entries of before there was undo have the same hashes as ever
        ...(row.undoes ? [row.undoes] : []),
      ]),
    )
    .digest('hex')

/** The previous hash of the first entry. */
export const NO_HASH = ''

const HEAD = 1

/** The newest entry's sequence number and hash, locked until the transaction ends. */
const head = (tx: Db) =>
  tx
    .selectFrom('switchroom_audit_head')
    .select(['seq', 'hash'])
    .where('id', '=', HEAD)
    .$call(lockRows(tx))
    .executeTakeFirstOrThrow()

const short = (text: string, max: number) =>
  text.length > max ? `${text.slice(0, max - 1)}…` : text

/** Changes of one caller. */
export type Changes = { actor: Actor; entries: Entry[] }

/** Adds entries to the audit log within a transaction. Call it last, as `linkAll`. */
export const record = (tx: Db, actor: Actor, entries: Entry[]) =>
  recordAll(tx, [{ actor, entries }])

/** Loaded at the first change: it knows the schemas of what can be undone. */
const undoing = () => import('./undo.ts')

/** The transaction of a request's change. */
const changedIn = new WeakMap<RequestMeta, Db>()

/** Tells the caller how to undo its change, if it is one and was written at once. */
async function noteChange(tx: Db, { scope, meta }: Actor, entries: Entry[], first: number) {
  const { isExact } = await undoing()
  const earlier = changedIn.get(meta)
  const isFirst = earlier === undefined || undone.has(earlier)
  const isUndoable = isFirst && !meta.undoes && scope.user_sid !== undefined && isExact(entries)
  meta.change = isUndoable ? { first, last: first + entries.length - 1 } : null
  changedIn.set(meta, tx)
}

/** The person, and the program that acted for them. */
const actorOf = ({ name, user_sid, program }: Scope) => {
  const who = short(name ?? user_sid ?? 'API key', program ? 150 : 255)
  return program ? `${who} (${program.name})` : who
}

/** An entry's columns, without its place in the log. */
export const unlinked = ({ scope, meta }: Actor, e: Entry, at: string) => ({
  at,
  request_id: meta.request_id,
  user_sid: scope.user_sid ?? null,
  api_key_sid: scope.api_key_sid ?? null,
  actor: actorOf(scope),
  actor_scope: scope.role,
  ip: meta.ip,
  action: e.action,
  kind: e.kind,
  sid: e.sid,
  name: short(e.name, 255),
  service_provider_sid: e.service_provider_sid,
  account_sid: e.account_sid,
  before_values: e.before && JSON.stringify(e.before),
  after_values: e.after && JSON.stringify(e.after),
  undoes: meta.undoes?.get(e.sid)?.seq ?? null,
})

/**
 * Adds entries of several callers. Call it last, like `linkAll`. Entries of changes that share a transaction are added
 * at its end.
 */
export async function recordAll(tx: Db, changes: Changes[]) {
  const some = changes.filter(({ entries }) => entries.length > 0)
  if (some.length === 0) return
  const areLeft = some.map((change) => leaveToEnd(tx, linkChanges, change))
  if (!areLeft[0]) await linkChanges(tx, some)
}

async function linkChanges(tx: Db, changes: Changes[]) {
  const first = await linkAll(tx, async () => {
    const { refuseInexactUndo } = await undoing()
    for (const { actor, entries } of changes) await refuseInexactUndo(tx, actor.meta, entries)
    const at = new Date().toISOString()
    return changes.flatMap(({ actor, entries }) => entries.map((e) => unlinked(actor, e, at)))
  })
  let next = first!
  for (const { actor, entries } of changes) {
    await noteChange(tx, actor, entries, next)
    next += entries.length
  }
}

/**
 * Adds rows to the audit log; resolves to the first one's position, or undefined if there are none. Call it last: other
 * writers wait from here until the transaction ends. `rows` is called while they wait.
 */
export async function linkAll(
  tx: Db,
  rows: () => Promise<Omit<Row, 'seq' | 'hash'>[] | undefined>,
): Promise<number | undefined> {
  let { seq, hash } = await head(tx)
  const first = seq + 1
  const added = await rows()
  if (!added) return undefined
  const linked = added.map((row): Row => {
    seq += 1
    const placed = { seq, ...row }
    hash = linkHash(hash, placed)
    return { ...placed, hash }
  })
  await insertMany(tx, 'switchroom_audit', linked)
  await tx.updateTable('switchroom_audit_head').set({ seq, hash }).where('id', '=', HEAD).execute()
  return first
}

/** Throws when entries could not be added later. */
export const requireHead = async (tx: Db) => {
  await tx
    .selectFrom('switchroom_audit_head')
    .select('id')
    .where('id', '=', HEAD)
    .executeTakeFirstOrThrow()
}
