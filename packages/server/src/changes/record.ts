import { createHash } from 'node:crypto'
import type { AuditAction, AuditKind } from '@switchroom/contract'
import { insertMany } from '../db/insert-many.ts'
import type { Db, Tables } from '../db/open.ts'
import { kindOf } from '../db/open.ts'
import type { By, Scope } from '../http/scope.ts'

/** Who asked for a change, and from where. A handler's request is one. */
export type Who = { scope: Scope; by: By }

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
 * The hash that makes an entry a link: over the one before and all of this one. Keys are in the order
 * written here, whatever the database gives them in.
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

/** What goes before the first entry. */
export const NO_HASH = ''

const HEAD = 1

/** The newest entry's place and hash, held until the transaction ends. */
const head = (tx: Db) =>
  tx
    .selectFrom('switchroom_audit_head')
    .select(['seq', 'hash'])
    .where('id', '=', HEAD)
    .$if(kindOf(tx) === 'mysql', (query) => query.forUpdate())
    .executeTakeFirstOrThrow()

const short = (text: string, max: number) =>
  text.length > max ? `${text.slice(0, max - 1)}…` : text

/**
 * Adds entries to the audit log, as part of the transaction that makes the changes. Call it last: from
 * here to the end of the transaction other writers wait.
 */
export async function record(tx: Db, { scope, by }: Who, entries: Entry[]) {
  if (entries.length === 0) return
  const newest = await head(tx)
  let { seq, hash } = newest
  const at = new Date().toISOString()
  const rows = entries.map((e): Row => {
    seq += 1
    const row = {
      seq,
      at,
      request_id: by.request_id,
      user_sid: scope.user_sid ?? null,
      api_key_sid: scope.api_key_sid ?? null,
      actor: short(scope.name ?? scope.user_sid ?? 'API key', 255),
      actor_scope: scope.role,
      ip: by.ip,
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
  })
  await insertMany(tx, 'switchroom_audit', rows)
  await tx.updateTable('switchroom_audit_head').set({ seq, hash }).where('id', '=', HEAD).execute()
}
