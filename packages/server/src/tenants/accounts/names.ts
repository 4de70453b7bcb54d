import { isSubdomain } from '@switchroom/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

/** True if another account of the provider has this name. No unique key of the platform prevents it. */
export const isNameTaken = async (
  db: Db,
  service_provider_sid: string,
  name: string,
  but?: string,
) =>
  (await db
    .selectFrom('accounts')
    .select('account_sid')
    .where('service_provider_sid', '=', service_provider_sid)
    .where('name', '=', name)
    .where('account_sid', '!=', but ?? '')
    .executeTakeFirst()) !== undefined

/**
 * True if a realm is taken: by another account, or at or above a provider's root domain, whose calls it would take
 * over.
 */
export async function isRealmTaken(db: Db, realm: string, but?: string) {
  const account = await db
    .selectFrom('accounts')
    .select('account_sid')
    .where('sip_realm', '=', realm)
    .where('account_sid', '!=', but ?? '')
    .executeTakeFirst()
  if (account) return true
  const { n } = await db
    .selectFrom('service_providers')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where((eb) =>
      eb.or([
        eb('root_domain', '=', realm),
        sql<boolean>`root_domain like ${`%.${realm.replace(/[|%_]/g, '|$&')}`} escape '|'`,
      ]),
    )
    .executeTakeFirstOrThrow()
  return Number(n) > 0
}

/** The domain that an account's realm is prefixed to. */
const rootDomainOf = async (db: Db, account_sid: string) =>
  (
    await db
      .selectFrom('accounts')
      .innerJoin(
        'service_providers',
        'service_providers.service_provider_sid',
        'accounts.service_provider_sid',
      )
      .select('service_providers.root_domain')
      .where('accounts.account_sid', '=', account_sid)
      .executeTakeFirst()
  )?.root_domain ?? null

/** True if a realm is one label below its provider's root domain. */
export async function isOwnSubdomain(db: Db, account_sid: string, realm: string) {
  const [label = '', ...root] = realm.split('.')
  const domain = await rootDomainOf(db, account_sid)
  return isSubdomain(label) && root.join('.') === domain?.toLowerCase()
}

/** The names (within the provider) and realms (anywhere) among these that exist already, in lower case. */
export async function takenNames(db: Db, provider: string, names: string[], realms: string[]) {
  const lower = (texts: (string | null)[]) => new Set(texts.map((t) => (t ?? '').toLowerCase()))
  const named = await db
    .selectFrom('accounts')
    .select('name')
    .where('service_provider_sid', '=', provider)
    .where('name', 'in', names)
    .execute()
  const realmed =
    realms.length === 0
      ? []
      : await db
          .selectFrom('accounts')
          .select('sip_realm')
          .where('sip_realm', 'in', realms)
          .execute()
  return {
    names: lower(named.map((a) => a.name)),
    realms: lower(realmed.map((a) => a.sip_realm)),
  }
}
