import { type ApplicationItem, t, type VoipCarrierItem } from '@switchroom/contract'
import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Option } from '../ui/combobox'
import { ComboboxButton } from '../ui/combobox-button'
import { ownAccount } from './access'
import { query } from './api'
import { applications, voipCarriers } from './endpoints'
import { ofAccounts, SEARCH_PAGE, useSearchFilter, withChosen } from './pickers'
import { useCurrentProvider } from './use-provider'

/** The options of a filter, after the one that is no filter. */
export const withAll = (label: string, options: readonly Option[]): Option[] => [
  { value: '', label },
  ...options,
]

type FilterProps = {
  label?: string
  /** The choice of none. */
  everyone?: string
  value: string
  /** The name of what is chosen. */
  name: string
  onChange: (value: string) => void
}

type Page<R> = { data: R[]; total: number; page: number; page_size: number }
type Asked = { query: typeof SEARCH_PAGE & { name: string | undefined } }

/** In a filter bar. Loads its options when it is opened. */
function SearchedFilter<R>({
  ask,
  optionsOf,
  everyone,
  value,
  name,
  ...props
}: Required<FilterProps> & {
  ask: (sent: Asked) => UseQueryOptions<Page<R>, Error, Page<R>, readonly unknown[]>
  optionsOf: (rows: R[], typed: string) => Option[]
}) {
  const [opened, setOpened] = useState(false)
  const { filter, onSearch } = useSearchFilter()
  const { data, isFetching } = useQuery({
    ...ask({ query: { ...SEARCH_PAGE, name: filter } }),
    placeholderData: keepPreviousData,
    enabled: opened,
  })
  const chosen = value === '' ? undefined : { value, label: name }
  return (
    <ComboboxButton
      {...props}
      placeholder={everyone}
      value={value}
      onOpen={() => setOpened(true)}
      onSearch={onSearch}
      loading={isFetching}
      options={withAll(everyone, withChosen(optionsOf(data?.data ?? [], filter ?? ''), chosen))}
    />
  )
}

export function ApplicationFilter({
  label = t('Application'),
  everyone = t('All applications'),
  account_sid,
  ...props
}: FilterProps & {
  /** Only applications of this account, if one is chosen. */
  account_sid: string | undefined
}) {
  const service_provider_sid = useCurrentProvider()
  const owner = ownAccount() ?? account_sid
  return (
    <SearchedFilter
      {...props}
      label={label}
      everyone={everyone}
      ask={(sent) =>
        owner
          ? query(applications.ofAccount, { params: { account_sid: owner }, ...sent })
          : query(applications.ofServiceProvider, { params: { service_provider_sid }, ...sent })
      }
      optionsOf={(rows: ApplicationItem[]) => ofAccounts(rows, (a) => a.application_sid)}
    />
  )
}

/** Finds carriers by their names. The value is a sid, unless `optionsOf` says otherwise. */
export function CarrierFilter({
  label = t('Carrier'),
  everyone = t('All carriers'),
  optionsOf = (rows) => ofAccounts(rows, (c) => c.voip_carrier_sid),
  ...props
}: FilterProps & {
  optionsOf?: (rows: VoipCarrierItem[], typed: string) => Option[]
}) {
  const service_provider_sid = useCurrentProvider()
  return (
    <SearchedFilter
      {...props}
      label={label}
      everyone={everyone}
      ask={(sent) =>
        query(voipCarriers.ofServiceProvider, { params: { service_provider_sid }, ...sent })
      }
      optionsOf={optionsOf}
    />
  )
}
