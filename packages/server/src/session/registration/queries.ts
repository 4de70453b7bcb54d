import { insertMany } from '../../db/insert-many.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'

/** The provider that new accounts belong to: the configured, the requested, or the only one. */
export async function providerFor(ctx: Context, requestedSid: string | undefined) {
  const configured = ctx.config.page.DEFAULT_SERVICE_PROVIDER_SID?.toLowerCase()
  const sid = requestedSid ?? configured
  if (configured && sid !== configured) return undefined
  let query = ctx.db
    .selectFrom('service_providers')
    .select(['service_provider_sid', 'name', 'root_domain'])
  if (sid) query = query.where('service_provider_sid', '=', sid)
  const found = await query.limit(2).execute()
  return found.length === 1 ? found[0] : undefined
}

export async function addInviteCodes(tx: Db, codes: string[]) {
  const existing = await tx
    .selectFrom('beta_invite_codes')
    .select('invite_code')
    .where('invite_code', 'in', codes)
    .execute()
  const known = new Set(existing.map((c) => c.invite_code))
  const fresh = codes.filter((code) => !known.has(code))
  await insertMany(
    tx,
    'beta_invite_codes',
    fresh.map((invite_code) => ({ invite_code })),
  )
  return fresh
}

export const isGoodInvite = async (db: Db, invite_code: string) =>
  (await db
    .selectFrom('beta_invite_codes')
    .select('invite_code')
    .where('invite_code', '=', invite_code)
    .where('in_use', '=', 0)
    .executeTakeFirst()) !== undefined

/** Uses up an invite code. Resolves to false when it is unknown or used. */
export async function useInvite(db: Db, invite_code: string) {
  const { numUpdatedRows } = await db
    .updateTable('beta_invite_codes')
    .set({ in_use: 1 })
    .where('invite_code', '=', invite_code)
    .where('in_use', '=', 0)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Test numbers of a provider. */
export const testNumbers = async (db: Db, service_provider_sid: string) =>
  (
    await db
      .selectFrom('phone_numbers')
      .select('number')
      .where('service_provider_sid', '=', service_provider_sid)
      .orderBy('number')
      .limit(100)
      .execute()
  ).map((n) => n.number)

export const testApplications = (db: Db, service_provider_sid: string) =>
  db
    .selectFrom('applications')
    .selectAll()
    .where('service_provider_sid', '=', service_provider_sid)
    .orderBy('name')
    .limit(100)
    .execute()
