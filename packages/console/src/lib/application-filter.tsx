import { t } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Option } from '../ui/combobox'
import { ComboboxButton } from '../ui/combobox-button'
import { ownAccount } from './access'
import { query } from './api'
import { applications } from './endpoints'
import { ofAccounts, SEARCH_PAGE, useSearchFilter, withChosen } from './pickers'
import { useCurrentProvider } from './use-provider'

/** The options of a filter, after the one that is no filter. */
export const withAll = (label: string, options: readonly Option[]): Option[] => [
  { value: '', label },
  ...options,
]

/** In a filter bar. Loads the applications when it is opened. */
export function ApplicationFilter({
  label = t('Application'),
  everyone = t('All applications'),
  value,
  name,
  account_sid,
  onChange,
}: {
  label?: string
  /** The choice of none. */
  everyone?: string
  value: string
  onChange: (value: string) => void
  /** The name of the chosen application. */
  name: string
  /** Only applications of this account, if one is chosen. */
  account_sid: string | undefined
}) {
  const [opened, setOpened] = useState(false)
  const service_provider_sid = useCurrentProvider()
  const { filter, onSearch } = useSearchFilter()
  const owner = ownAccount() ?? account_sid
  const searched = { query: { ...SEARCH_PAGE, name: filter } }
  const ofAccount = useQuery({
    ...query(applications.ofAccount, { params: { account_sid: owner ?? '' }, ...searched }),
    placeholderData: keepPreviousData,
    enabled: opened && owner !== undefined,
  })
  const ofProvider = useQuery({
    ...query(applications.ofServiceProvider, { params: { service_provider_sid }, ...searched }),
    placeholderData: keepPreviousData,
    enabled: opened && owner === undefined,
  })
  const { data, isFetching } = owner === undefined ? ofProvider : ofAccount
  const options = ofAccounts(data?.data ?? [], (a) => a.application_sid)
  const chosen = value === '' ? undefined : { value, label: name }
  return (
    <ComboboxButton
      label={label}
      placeholder={everyone}
      value={value}
      onChange={onChange}
      onOpen={() => setOpened(true)}
      onSearch={onSearch}
      loading={isFetching}
      options={withAll(everyone, withChosen(options, chosen))}
    />
  )
}
