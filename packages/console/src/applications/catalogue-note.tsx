import { RefreshCw } from 'lucide-react'
import { Button } from '../ui/button'
import { useReadOnly } from '../ui/field'
import { Time } from '../ui/time'
import { vendorName } from './speech-choices'
import type { OfferedLists } from './speech-lists'

/** Where the lists above come from, with a button to reload them. */
export function CatalogueNote({ vendor, offered }: { vendor: string; offered: OfferedLists }) {
  const readOnly = useReadOnly()
  const { catalogue, problem, refreshing, refresh } = offered
  if (!problem && !catalogue.source) return null
  return (
    <div className="catalogue-note">
      <p role="status">
        {problem ? (
          <span className="field-error">
            Could not load the list from {vendorName(vendor)}. {problem}
          </span>
        ) : (
          <Source vendor={vendor} {...catalogue} />
        )}
      </p>
      {!readOnly && (
        <Button size="small" look="quiet" busy={refreshing} onClick={refresh}>
          <RefreshCw aria-hidden />
          {refreshing ? 'Loading…' : problem ? 'Try again' : 'Refresh'}
        </Button>
      )}
    </div>
  )
}

function Source({
  vendor,
  source,
  fetched_at,
  reason,
}: { vendor: string } & OfferedLists['catalogue']) {
  const because = reason ? `: ${reason}` : ''
  if (source === 'built-in') return <>Built-in list{because}</>
  return (
    <>
      {source === 'live' ? 'Live' : 'Cached'} from {vendorName(vendor)}
      {fetched_at && (
        <>
          , <Time at={fetched_at} />
        </>
      )}
      {because}
    </>
  )
}
