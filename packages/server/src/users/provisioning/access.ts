import type { AccessGrant, AccessRule } from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import { type Claims, matches } from './rules.ts'

/** The owners of a user, as its row has them, and whether it may only read. */
export type Access = {
  account_sid: string | null
  service_provider_sid: string | null
  is_view_only: boolean
}

/**
 * Access by a grant. Undefined if its account or provider no longer exists, or is not of `within`, the provider that
 * may not be left.
 */
export async function accessOf(
  db: Db,
  { scope, account_sid, service_provider_sid, is_view_only }: AccessGrant,
  within: string | null,
): Promise<Access | undefined> {
  const access = { account_sid: null, service_provider_sid: null, is_view_only }
  if (scope === 'admin') return within ? undefined : access
  if (scope === 'account') {
    const account = await db
      .selectFrom('accounts')
      .select(['account_sid', 'service_provider_sid'])
      .where('account_sid', '=', account_sid ?? '')
      .executeTakeFirst()
    if (!account || (within && account.service_provider_sid !== within)) return undefined
    return { ...access, ...account }
  }
  const provider = await db
    .selectFrom('service_providers')
    .select('service_provider_sid')
    .where('service_provider_sid', '=', service_provider_sid ?? '')
    .executeTakeFirst()
  if (!provider || (within && provider.service_provider_sid !== within)) return undefined
  return { ...access, ...provider }
}

/**
 * Access by the first matching rule. A rule that matches but gives nothing, because its account is gone, still ends the
 * search: a later rule might give more. Rules for others than `within` are ignored.
 */
export async function accessByRules(
  db: Db,
  rules: readonly AccessRule[],
  claims: Claims,
  within: string | null = null,
): Promise<{ matched: number; access: Access | undefined } | undefined> {
  for (const [matched, rule] of rules.entries()) {
    if (!matches(rule, claims)) continue
    const access = await accessOf(db, rule, within)
    if (access || !within) return { matched, access }
  }
  return undefined
}
