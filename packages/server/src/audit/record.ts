import { createHash } from 'node:crypto'
import type { AuditAction, AuditKind } from '@switchroom/contract'
import { lockRows } from '../db/dialect.ts'
import { insertMany } from '../db/insert-many.ts'
import type { Db, Tables } from '../db/open.ts'
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

/** Adds entries to the audit log within a transaction. Call it last, as `append`. */
export const record = (tx: Db, actor: Actor, entries: Entry[]) =>
  recordAll(tx, [{ actor, entries }])

/** Adds entries of several callers. Call it last, as `append`. */
export async function recordAll(tx: Db, changes: Changes[]) {
  if (changes.every(({ entries }) => entries.length === 0)) return
  const log = await append(tx)
  log.add(changes)
  await log.end()
}

/**
 * Begins to add entries to the audit log. Call it last: other writers wait from here until the transaction ends.
 */
export async function append(tx: Db) {
  let { seq, hash } = await head(tx)
  let inserted = Promise.resolve()
  const at = new Date().toISOString()
  const linked = ({ scope, meta }: Actor, e: Entry): Row => {
    seq += 1
    const row = {
      seq,
      at,
      request_id: meta.request_id,
      user_sid: scope.user_sid ?? null,
      api_key_sid: scope.api_key_sid ?? null,
      actor: short(scope.name ?? scope.user_sid ?? 'API key', 255),
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
    }
    hash = linkHash(hash, row)
    return { ...row, hash }
  }
  return {
    /** Resolves when the entries before these are stored, so that the next are linked while these are. */
    add(changes: Changes[]) {
      const rows = changes.flatMap(({ actor, entries }) => entries.map((e) => linked(actor, e)))
      const before = inserted
      const own = insertMany(tx, 'switchroom_audit', rows)
      inserted = Promise.all([before, own]).then(() => undefined)
      // until it is awaited
      inserted.catch(() => undefined)
      return before
    },
    async end() {
      await inserted
      await tx
        .updateTable('switchroom_audit_head')
        .set({ seq, hash })
        .where('id', '=', HEAD)
        .execute()
    },
  }
}
