import { t } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../lib/api'
import { ApplicationFilter, withAll } from '../../lib/application-filter'
import { voipCarriers } from '../../lib/endpoints'
import { UnusedFilter } from '../../lib/latest-calls'
import { ofAccounts, SEARCH_PAGE, useSearchFilter, withChosen } from '../../lib/pickers'
import { useCurrentProvider } from '../../lib/use-provider'
import { useSetSearch } from '../../lib/use-set-search'
import { ComboboxButton } from '../../ui/combobox-button'
import type { Search } from './queries'

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
