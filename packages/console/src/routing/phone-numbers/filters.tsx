import { t } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AccountFilters } from '../../lib/account-filters'
import { query } from '../../lib/api'
import { ApplicationFilter, useApplicationName, withAll } from '../../lib/application-filter'
import { voipCarriers } from '../../lib/endpoints'
import { UnusedFilter, unusedChip } from '../../lib/latest-calls'
import { ofAccounts, SEARCH_PAGE, useSearchFilter, withChosen } from '../../lib/pickers'
import { useCapabilities } from '../../lib/use-capabilities'
import { useCurrentProvider } from '../../lib/use-provider'
import { useSetSearch } from '../../lib/use-set-search'
import { ComboboxButton } from '../../ui/combobox-button'
import type { Search } from './queries'

function useCarrierName(voip_carrier_sid: string) {
  const { data } = useQuery({
    ...query(voipCarriers.view, { params: { voip_carrier_sid } }),
    // one that is gone is no failure of the page
    meta: { background: true },
    enabled: voip_carrier_sid !== '',
  })
  return data?.name ?? voip_carrier_sid
}

/** Loads the carriers when it is opened. */
function CarrierFilter({
  value,
  name,
  onChange,
}: {
  value: string
  /** The name of the chosen carrier. */
  name: string
  onChange: (value: string) => void
}) {
  const service_provider_sid = useCurrentProvider()
  const [opened, setOpened] = useState(false)
  const { filter, onSearch } = useSearchFilter()
  const { data, isFetching } = useQuery({
    ...query(voipCarriers.ofServiceProvider, {
      params: { service_provider_sid },
      query: { ...SEARCH_PAGE, name: filter },
    }),
    placeholderData: keepPreviousData,
    enabled: opened,
  })
  const options = ofAccounts(data?.data ?? [], (c) => c.voip_carrier_sid)
  const chosen = value === '' ? undefined : { value, label: name }
  return (
    <ComboboxButton
      label={t('Carrier')}
      placeholder={t('All carriers')}
      value={value}
      onChange={onChange}
      onOpen={() => setOpened(true)}
      onSearch={onSearch}
      loading={isFetching}
      options={withAll(t('All carriers'), withChosen(options, chosen))}
    />
  )
}

/** By text, account, application, carrier and last call. Only our server filters by the last three. */
export function Filters({ search }: { search: Search }) {
  const setSearch = useSetSearch<Search>()
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
    >
      {ours && (
        <>
          <ApplicationFilter
            value={application_sid}
            name={application}
            account_sid={search.account_sid}
            onChange={(sid) => setSearch({ application_sid: sid || undefined })}
          />
          <CarrierFilter
            value={voip_carrier_sid}
            name={carrier}
            onChange={(sid) => setSearch({ voip_carrier_sid: sid || undefined })}
          />
          <UnusedFilter search={search} />
        </>
      )}
    </AccountFilters>
  )
}
