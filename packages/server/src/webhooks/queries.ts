import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { MASK, type Webhook, type WebhookIn, type WebhookWithSid } from '@switchroom/contract'
import { insertMany } from '../db/insert-many.ts'
import type { Db } from '../db/open.ts'

/** Every column of the platform that names a webhook: a row goes when none of them does any more. */
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

/** The mask of a list, sent back, stands for the stored password. */
async function unmasked(db: Db, stored: string | null | undefined, hook: WebhookIn) {
  if (hook.password !== MASK) return hook
  const password = (await bySid(db, [stored])).get(stored ?? '')?.password ?? null
  return { ...hook, password }
}

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

/** Many at once, none of them with a user and a password. */
export const insertAll = (
  db: Db,
  hooks: { webhook_sid: string; url: string; method: 'POST' | 'GET' }[],
) => insertMany(db, 'webhooks', hooks)

async function references(db: Db, has: Has, sid: string) {
  let count = 0
  for (const [table, column] of REFERENCES) {
    if (!has(table, column)) continue
    const { n } = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where(column as never, '=', sid as never)
      .executeTakeFirstOrThrow()
    count += Number(n)
  }
  return count
}

/**
 * What the column is to hold after a save: the stored row is changed in place when nothing else names it,
 * so saving again leaves no orphans; a shared one is left alone and a new row made. Undefined in, undefined
 * out: nothing was asked. Call `prune` with the old sid after the column is written.
 */
export async function replace(
  db: Db,
  has: Has,
  stored: string | null | undefined,
  asked: WebhookIn | null | undefined,
): Promise<string | null | undefined> {
  if (asked === undefined) return undefined
  if (asked === null) return null
  const hook = await unmasked(db, stored, asked)
  const row = stored && (await bySid(db, [stored])).get(stored)
  if (row && isDeepStrictEqual(values(hook), withoutSid(row))) return stored
  if (!stored || (await references(db, has, stored)) > 1) return insert(db, hook)
  await db.updateTable('webhooks').set(values(hook)).where('webhook_sid', '=', stored).execute()
  return stored
}

/** Deletes rows that nothing names any more. */
export async function prune(db: Db, has: Has, ...sids: (string | null | undefined)[]) {
  for (const sid of new Set(sids)) {
    if (!sid || (await references(db, has, sid)) > 0) continue
    await db.deleteFrom('webhooks').where('webhook_sid', '=', sid).execute()
  }
}

/** A row says nothing of whose it is: for administrators, and for whoever has just made it. */
export const find = (db: Db, webhook_sid: string): Promise<WebhookWithSid | undefined> =>
  db
    .selectFrom('webhooks')
    .select(['webhook_sid', 'url', 'method', 'username', 'password'])
    .where('webhook_sid', '=', webhook_sid)
    .executeTakeFirst()

/** Webhooks by sid, for rows that name several. */
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

/** In a list a password stays where it is. */
export const masked = <H extends Webhook>(hook: H | null) =>
  hook && { ...hook, password: hook.password && MASK }

/** Accounts and providers show a hook without its sid. */
export function withoutSid(hook: WebhookWithSid | undefined): Webhook | null {
  if (!hook) return null
  const { webhook_sid: _, ...rest } = hook
  return rest
}
