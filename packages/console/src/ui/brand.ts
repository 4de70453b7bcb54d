import { useSyncExternalStore } from 'react'

/** Brand in place of the product's own look. Logos are URLs. */
export type Brand = {
  name: string | null
  styles: string | null
  logo_light: string | null
  logo_dark: string | null
}

const listeners = new Set<() => void>()
let shown: Brand | undefined

/** Shows a brand, or the product's own look, everywhere at once. */
export function showBrand(brand: Brand | undefined) {
  shown = brand
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(brand?.styles ?? '')
  document.adoptedStyleSheets = [sheet]
  for (const tell of listeners) tell()
}

export const useBrand = () =>
  useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    () => shown,
  )

export const useProductName = () => useBrand()?.name ?? 'Switchroom'
