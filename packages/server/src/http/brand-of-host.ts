import type { ShownBrand } from '@switchroom/contract'
import type { Context } from './context.ts'

export type BrandRow = {
  name: string | null
  color: string | null
  logo_light_digest: string | null
  logo_dark_digest: string | null
}
export const BRAND_COLUMNS = ['name', 'color', 'logo_light_digest', 'logo_dark_digest'] as const

export const shownBrand = async (row: BrandRow): Promise<ShownBrand> => ({
  name: row.name,
  styles: row.color && (await import('./brand-styles.ts')).brandStyles(row.color),
  logo_light: row.logo_light_digest,
  logo_dark: row.logo_dark_digest,
})

/** Brand that strangers see under a host name. The browser sent that name, and it is no secret. */
export async function brandOfHost(
  { db, log }: Pick<Context, 'db' | 'log'>,
  host: string,
): Promise<ShownBrand | undefined> {
  try {
    const row = await db
      .selectFrom('switchroom_brand_hosts')
      .innerJoin(
        'switchroom_brands',
        'switchroom_brands.service_provider_sid',
        'switchroom_brand_hosts.service_provider_sid',
      )
      .select(BRAND_COLUMNS)
      .where('host', '=', host.toLowerCase())
      .executeTakeFirst()
    return row && (await shownBrand(row))
  } catch (err) {
    // the console starts with the product's own look rather than not at all
    log.warn({ err }, 'the brand of the host cannot be read')
    return undefined
  }
}
