import type { OfferedCatalogue } from '@switchroom/contract'
import { Time } from '../ui/time'

/** Where a list of the vendor's is from. */
export function CatalogueSource({ of }: { of: OfferedCatalogue | undefined }) {
  switch (of?.source) {
    case 'live':
      return <>The vendor’s list, asked for now.</>
    case 'cached':
      return (
        <>
          The vendor’s list, remembered from <Time at={of.fetched_at ?? null} none="earlier" />
          {of.reason && `: ${of.reason}`}
        </>
      )
    case 'built-in':
      return <>A built-in list{of.reason ? `: ${of.reason}` : ' of what is usual.'}</>
    default:
      return null
  }
}
