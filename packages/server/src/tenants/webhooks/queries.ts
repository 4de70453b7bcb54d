import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { MASK, type Webhook, type WebhookIn, type WebhookWithSid } from '@switchroom/contract'
import { type RawBuilder, sql } from 'kysely'
import { insertMany } from '../../db/insert-many.ts'
import type { Db } from '../../db/open.ts'
import { plainUrls, unlessHidden } from '../../secrets/without-secrets.ts'

/** Every column of the platform that references a webhook: unreferenced rows are deleted. */
const REFERENCES = [
  ['accounts', 'registration_hook_sid'],
  ['accounts', 'queue_event_hook_sid'],
  ['service_providers', 'registration_hook_sid'],
  ['applications', 'call_hook_sid'],
  ['applications', 'call_status_hook_sid'],
  ['applications', 'messaging_hook_sid'],
] as const

type Has = (table: string, column?: string) => boolean

const values = (hook: WebhookIn) => ({
  url: hook.url,
  method: hook.method,
  username: hook.username ?? null,
  password: hook.password ?? null,
})

/** Replaces what lists and view-only callers are shown by the stored password and URL. */
const unmasked = (row: WebhookWithSid | null | undefined, hook: WebhookIn) => ({
  ...hook,
  url: unlessHidden(hook.url, row?.url ?? '', plainUrls),
  password: hook.password === MASK ? (row?.password ?? null) : hook.password,
})

/** A webhook that is not stored yet. */
export type New = { webhook_sid: string } & ReturnType<typeof values>

export async function insert(
  db: Db,
  hook: WebhookIn,
  webhook_sid: string = randomUUID(),
): Promise<string> {
  await db
    .insertInto('webhooks')
    .values({ webhook_sid, ...values(hook) })
    .execute()
  return webhook_sid
}

/** Inserts webhooks with equal columns. */
export const insertAll = (db: Db, hooks: (Omit<New, 'username' | 'password'> & Partial<New>)[]) =>
  insertMany(db, 'webhooks', hooks)

/** How many columns reference a webhook, as an expression. */
const references = (has: Has, sid: RawBuilder<unknown>) => {
  const known = REFERENCES.filter(([table, column]) => has(table, column))
  const counts = known.map(
    ([table, column]) =>
      sql`(select count(*) from ${sql.table(table)} where ${sql.ref(column)} = ${sid})`,
  )
  return sql<number>`${sql.join(counts, sql` + `)}`
}

/**
 * Saves a webhook and resolves to the sid for its column. Updates the stored row when nothing else
 * references it, else inserts another one, or leaves it in `added` for `insertAll`. Undefined keeps the column. Call
 * `prune` with the old sid once the column is written.
 */
export async function replace(
  db: Db,
  has: Has,
  stored: WebhookWithSid | null | undefined,
  input: WebhookIn | null | undefined,
  added?: New[],
): Promise<string | null | undefined> {
  if (input === undefined) return undefined
  if (input === null) return null
  const hook = unmasked(stored, input)
  if (stored && isDeepStrictEqual(values(hook), withoutSid(stored))) return stored.webhook_sid
  if (!stored || (await isShared(db, has, stored.webhook_sid))) {
    if (!added) return insert(db, hook)
    const webhook_sid = randomUUID()
    added.push({ webhook_sid, ...values(hook) })
    return webhook_sid
  }
  const { webhook_sid } = stored
  await db
    .updateTable('webhooks')
    .set(values(hook))
    .where('webhook_sid', '=', webhook_sid)
    .execute()
  return webhook_sid
}

async function isShared(db: Db, has: Has, sid: string) {
  const { rows } = await sql<{ n: number }>`select ${references(has, sql`${sid}`)} as n`.execute(db)
  return Number(rows[0]!.n) > 1
}

const PRUNED_AT_ONCE = 500

/** Deletes webhooks that nothing references any more. */
export async function prune(db: Db, has: Has, ...sids: (string | null | undefined)[]) {
  const all = [...new Set(sids)].filter((sid): sid is string => !!sid)
  for (let i = 0; i < all.length; i += PRUNED_AT_ONCE) {
    const unused = await db
      .selectFrom('webhooks')
      .select('webhook_sid')
      .where('webhook_sid', 'in', all.slice(i, i + PRUNED_AT_ONCE))
      .where(references(has, sql.ref('webhooks.webhook_sid')), '=', 0)
      .execute()
    if (unused.length === 0) continue
    const its = unused.map(({ webhook_sid }) => webhook_sid)
    await db.deleteFrom('webhooks').where('webhook_sid', 'in', its).execute()
  }
}

/** Rows do not name an owner: only for admins, and for the caller who just created it. */
export const find = (db: Db, webhook_sid: string): Promise<WebhookWithSid | undefined> =>
  db
    .selectFrom('webhooks')
    .select(['webhook_sid', 'url', 'method', 'username', 'password'])
    .where('webhook_sid', '=', webhook_sid)
    .executeTakeFirst()

/** Webhooks by sid. */
export async function bySid(db: Db, sids: (string | null | undefined)[]) {
  const wanted = [...new Set(sids.filter((s): s is string => !!s))]
  if (wanted.length === 0) return new Map<string, WebhookWithSid>()
  const rows = await db
    .selectFrom('webhooks')
    .select(['webhook_sid', 'url', 'method', 'username', 'password'])
    .where('webhook_sid', 'in', wanted)
    .execute()
  return new Map(rows.map((r) => [r.webhook_sid, r]))
}

type HookColumn = {
  [R in (typeof REFERENCES)[number] as R[0]]: `${R[0]}.${R[1]}`
}[(typeof REFERENCES)[number][0]]

/**
 * The webhook that a column names, read with its row in one statement. See `fromRow`. Plain text, because
 * putting it together costs more than sending it.
 */
export const inRow = (column: HookColumn) =>
  sql.raw<unknown>(`(select json_object('webhook_sid', w.webhook_sid, 'url', w.url, 'method', w.method,
    'username', w.username, 'password', w.password) from webhooks w where w.webhook_sid = ${column})`)

/** A webhook from what `inRow` selected. */
export function fromRow(selected: unknown): WebhookWithSid | null {
  // MySQL's driver parses it, MariaDB's and SQLite's do not know that it is JSON
  const hook: WebhookWithSid | null =
    typeof selected === 'string' ? JSON.parse(selected) : (selected ?? null)
  return hook
}

/** The other way round: a webhook of an account or provider, with the sid in its column. */
export const withSid = (webhook_sid: string | null, hook: Webhook | null): WebhookWithSid | null =>
  hook && webhook_sid ? { ...hook, webhook_sid } : null

/** Masks the password, for lists. */
export const masked = <H extends Webhook>(hook: H | null) =>
  hook && { ...hook, password: hook.password && MASK }

/** Accounts and providers show webhooks without a sid. */
export function withoutSid(hook: WebhookWithSid | null | undefined): Webhook | null {
  if (!hook) return null
  const { webhook_sid: _, ...rest } = hook
  return rest
}
