import { t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { AccountFilters } from '../../lib/account-filters'
import { query } from '../../lib/api'
import { useApplicationName } from '../../lib/application-name'
import { voipCarriers } from '../../lib/endpoints'
import { unusedChip } from '../../lib/latest-calls'
import { useCapabilities } from '../../lib/use-capabilities'
import type { Search } from './queries'

const MoreFilters = lazy(async () => ({ default: (await import('./more-filters')).MoreFilters }))

function useCarrierName(voip_carrier_sid: string) {
  const { data } = useQuery({
    ...query(voipCarriers.view, { params: { voip_carrier_sid } }),
    // one that is gone is no failure of the page
    meta: { background: true },
    enabled: voip_carrier_sid !== '',
  })
  return data?.name ?? voip_carrier_sid
}

/** By text, account, application, carrier and last call. Only our server filters by the last three. */
export function Filters({ search }: { search: Search }) {
  const ours = useCapabilities()
  const { application_sid = '', voip_carrier_sid = '' } = search
  const application = useApplicationName(application_sid)
  const carrier = useCarrierName(voip_carrier_sid)
  return (
    <AccountFilters
      search={search}
      label={t('Filter phone numbers')}
      more={{
        application_sid: { name: t('Application'), value: application },
        voip_carrier_sid: { name: t('Carrier'), value: carrier },
        ...unusedChip(search),
      }}
      moreFilters={
        ours && (
          <Suspense>
            <MoreFilters search={search} application={application} carrier={carrier} />
          </Suspense>
        )
      }
    />
  )
}
