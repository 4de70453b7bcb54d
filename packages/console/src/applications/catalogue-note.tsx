import { fromServer, t } from '@switchroom/contract'
import { RefreshCw } from 'lucide-react'
import { Button } from '../ui/button'
import { useReadOnly } from '../ui/field'
import { rich } from '../ui/rich'
import { Time } from '../ui/time'
import { vendorName } from './speech-choices'
import type { OfferedLists } from './speech-lists'

/** Names the source of the lists above, with a button to reload them. */
export function CatalogueNote({ vendor, offered }: { vendor: string; offered: OfferedLists }) {
  const readOnly = useReadOnly()
  const { catalogue, problem, refreshing, refresh } = offered
  if (!problem && !catalogue.source) return null
  return (
    <div className="catalogue-note">
      <p role="status">
        {problem ? (
          <span className="field-error">
            {rich('Could not load the list from {vendor}. {problem}', {
              vendor: vendorName(vendor),
              problem,
            })}
          </span>
        ) : (
          <Source vendor={vendor} {...catalogue} />
        )}
      </p>
      {!readOnly && (
        <Button size="small" look="quiet" busy={refreshing} onClick={refresh}>
          <RefreshCw aria-hidden />
          {refreshing ? t('Loading…') : problem ? t('Try again') : t('Refresh')}
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
  if (source === 'built-in')
    return (
      <>
        {reason ? t('Built-in list: {reason}', { reason: fromServer(reason) }) : t('Built-in list')}
      </>
    )
  const values = {
    vendor: vendorName(vendor),
    time: <Time at={fetched_at ?? null} none={t('earlier')} />,
    reason,
  }
  if (source === 'live') return <>{rich('Live from {vendor}, {time}', values)}</>
  if (reason) return <>{rich('Cached from {vendor}, {time}: {reason}', values)}</>
  return <>{rich('Cached from {vendor}, {time}', values)}</>
}
