import type { ShownBrand } from '@switchroom/contract'
import { showBrand } from '../ui/brand'
import { apiBase, config } from './config'
import { claims } from './session'
import { storageEntry } from './storage-entry'

/** A copy in this browser, so that no screen waits for the server to say whose it is. */
const copy = storageEntry<{ user_sid: string; brand: ShownBrand | null }>(
  () => localStorage,
  'brand',
)

export const logoAddress = (digest: string | null) => digest && `${apiBase}/BrandLogos/${digest}`

/** The brand of the user's provider; before a log-in, that of the host name. Administrators see the product's own. */
function brandNow() {
  const user = claims()
  if (!user) return config.brand
  if (user.scope === 'admin') return undefined
  const kept = copy.read()
  return kept?.user_sid === user.user_sid ? kept.brand : config.brand
}

/** Must be called before the page is shown, and after each log-in and log-out. */
export function showBrandNow() {
  const brand = brandNow()
  showBrand(
    brand
      ? {
          ...brand,
          logo_light: logoAddress(brand.logo_light),
          logo_dark: logoAddress(brand.logo_dark),
        }
      : undefined,
  )
}

/** Keeps what the server says, and shows it. */
export function keepBrand(brand: ShownBrand | null) {
  const user_sid = claims()?.user_sid
  if (user_sid === undefined) return
  const isNews = JSON.stringify(brandNow() ?? null) !== JSON.stringify(brand)
  copy.set({ user_sid, brand })
  if (isNews) showBrandNow()
}
