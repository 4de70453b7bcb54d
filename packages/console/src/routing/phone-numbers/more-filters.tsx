import { UnusedFilter } from '../../lib/latest-calls'
import { ApplicationFilter, CarrierFilter } from '../../lib/searched-filters'
import { useSetSearch } from '../../lib/use-set-search'
import type { Search } from './queries'

export function MoreFilters({
  search,
  application,
  carrier,
}: {
  search: Search
  /** The names of what is chosen. */
  application: string
  carrier: string
}) {
  const setSearch = useSetSearch<Search>()
  const { account_sid, application_sid = '', voip_carrier_sid = '' } = search
  return (
    <>
      <ApplicationFilter
        value={application_sid}
        name={application}
        account_sid={account_sid}
        onChange={(sid) => setSearch({ application_sid: sid || undefined })}
      />
      <CarrierFilter
        value={voip_carrier_sid}
        name={carrier}
        onChange={(sid) => setSearch({ voip_carrier_sid: sid || undefined })}
      />
      <UnusedFilter search={search} />
    </>
  )
}
