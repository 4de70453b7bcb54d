import type { CatalogueWithSource } from '@switchroom/contract'
import { Time } from '../../ui/time'

/** Where a vendor's list comes from: the vendor, a cache or our own. */
export function CatalogueSource({ of }: { of: CatalogueWithSource | undefined }) {
  switch (of?.source) {
    case 'live':
      return <>Live list from the vendor.</>
    case 'cached':
      return (
        <>
          Cached list from the vendor, <Time at={of.fetched_at ?? null} none="earlier" />
          {of.reason && `: ${of.reason}`}
        </>
      )
    case 'built-in':
      return <>Built-in list{of.reason ? `: ${of.reason}` : '.'}</>
    default:
      return null
  }
}
