import type { Brand, Logo, Role, ShownBrand } from '@switchroom/contract'
import type { Updateable } from 'kysely'
import { skipExisting } from '../../db/dialect.ts'
import type { Db, Tables } from '../../db/open.ts'
import { BRAND_COLUMNS, shownBrand } from '../../http/brand-of-host.ts'
import type { Scope } from '../../http/scope.ts'
import { ownedBy } from '../../http/tenancy.ts'

export type LogoField = 'logo_light' | 'logo_dark'

const inScope = (scope: Scope) => ownedBy('switchroom_brands', scope)

/** Undefined when the caller may not change it, or the provider has none. */
export async function find(db: Db, scope: Scope, sid: string): Promise<Brand | undefined> {
  const row = await db
    .selectFrom('switchroom_brands')
    .select(BRAND_COLUMNS)
    .where('service_provider_sid', '=', sid)
    .where(inScope(scope))
    .executeTakeFirst()
  if (!row) return undefined
  const hosts = await db
    .selectFrom('switchroom_brand_hosts')
    .select('host')
    .where('service_provider_sid', '=', sid)
    .orderBy('host')
    .execute()
  return {
    service_provider_sid: sid,
    name: row.name,
    color: row.color,
    logo_light: row.logo_light_digest,
    logo_dark: row.logo_dark_digest,
    hosts: hosts.map(({ host }) => host),
  }
}

/** Brand that the caller sees: the provider's. Administrators have the product's own look. */
export async function ownOf(
  db: Db,
  scope: { role: Role; service_provider_sid?: string | null | undefined },
): Promise<ShownBrand | null> {
  if (scope.role === 'admin' || !scope.service_provider_sid) return null
  const row = await db
    .selectFrom('switchroom_brands')
    .select(BRAND_COLUMNS)
    .where('service_provider_sid', '=', scope.service_provider_sid)
    .executeTakeFirst()
  return row ? shownBrand(row) : null
}

/** Everyone may see a logo whose digest they know: who knows it has seen a page with it. */
export const logoByDigest = async (db: Db, digest: string): Promise<Logo | undefined> =>
  (await logoIn(db, 'logo_light', digest)) ?? (await logoIn(db, 'logo_dark', digest))

async function logoIn(db: Db, field: LogoField, digest: string): Promise<Logo | undefined> {
  const row = await db
    .selectFrom('switchroom_brands')
    .select([`${field} as data`, `${field}_type as type`])
    .where(`${field}_digest`, '=', digest)
    .limit(1)
    .executeTakeFirst()
  return row?.data && row.type ? { data: row.data, type: row.type } : undefined
}

/** Adds an empty brand: the same as none. */
export const insert = (db: Db, service_provider_sid: string) =>
  db
    .insertInto('switchroom_brands')
    .values({
      service_provider_sid,
      ...{ name: null, color: null },
      ...{ logo_light: null, logo_light_type: null, logo_light_digest: null },
      ...{ logo_dark: null, logo_dark_type: null, logo_dark_digest: null },
    })
    .$call(skipExisting(db))
    .execute()

export const update = (
  db: Db,
  scope: Scope,
  sid: string,
  change: Updateable<Tables['switchroom_brands']>,
) =>
  db
    .updateTable('switchroom_brands')
    .set(change)
    .where('service_provider_sid', '=', sid)
    .where(inScope(scope))
    .execute()

/** True if another provider has one of these host names. Only administrators name hosts, so they may learn it. */
export async function areTaken(db: Db, service_provider_sid: string, hosts: string[]) {
  if (hosts.length === 0) return false
  const other = await db
    .selectFrom('switchroom_brand_hosts')
    .select('host')
    .where('host', 'in', hosts)
    .where('service_provider_sid', '!=', service_provider_sid)
    .executeTakeFirst()
  return other !== undefined
}

export async function replaceHosts(db: Db, service_provider_sid: string, hosts: string[]) {
  await removeHosts(db, service_provider_sid)
  const rows = hosts.map((host) => ({ host, service_provider_sid }))
  if (rows.length > 0) await db.insertInto('switchroom_brand_hosts').values(rows).execute()
}

const removeHosts = (db: Db, service_provider_sid: string) =>
  db
    .deleteFrom('switchroom_brand_hosts')
    .where('service_provider_sid', '=', service_provider_sid)
    .execute()

export async function removeOfProvider(db: Db, service_provider_sid: string) {
  await removeHosts(db, service_provider_sid)
  await db
    .deleteFrom('switchroom_brands')
    .where('service_provider_sid', '=', service_provider_sid)
    .execute()
}
