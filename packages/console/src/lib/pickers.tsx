import { t } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ComboboxProps, Option } from '../ui/combobox'
import { ComboboxButton } from '../ui/combobox-button'
import { ownAccount } from './access'
import { query } from './api'
import { accounts, applications, voipCarriers } from './endpoints'
import { useCurrentProvider } from './use-provider'

const PAUSE = 200
export const SEARCH_PAGE = { page: 1, page_size: 50, sort: 'name' } as const

/** Typed text as a filter for the server, after a short pause. */
export function useSearchFilter() {
  const [typed, setTyped] = useState('')
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), PAUSE)
    return () => clearTimeout(timer)
  }, [typed])
  return { filter: settled.trim() || undefined, onSearch: setTyped }
}

type Choices = Pick<ComboboxProps, 'options' | 'loading' | 'onSearch'> & {
  /** True if there are no options at all, regardless of the filter. */
  isEmpty: boolean
}

type Result = { data?: { total: number } | undefined; isFetching: boolean }

const listState = ({ data, isFetching }: Result, filter: string | undefined) => ({
  loading: isFetching,
  isEmpty: filter === undefined && data?.total === 0,
})

const namedOption = (value: string, found: { name: string } | undefined): Option | undefined =>
  found && { value, label: found.name }

type Named = { name: string; account_name?: string | null }

/** Options of rows that may be several accounts': a name that is there twice says whose it is. */
export function ofAccounts<R extends Named>(
  rows: readonly R[],
  sidOf: (row: R) => string,
): Option[] {
  const times = new Map<string, number>()
  for (const { name } of rows) times.set(name, (times.get(name) ?? 0) + 1)
  return rows.map((row) => ({
    value: sidOf(row),
    label: row.name,
    ...(times.get(row.name)! > 1 && { note: row.account_name ?? t('all accounts') }),
  }))
}

/** Adds the chosen option if it is not among the results. */
export const withChosen = (result: Option[], chosen: Option | undefined) =>
  chosen && !result.some((o) => o.value === chosen.value) ? [chosen, ...result] : result

const accountsQuery = (service_provider_sid: string, filter?: string) =>
  query(accounts.ofServiceProvider, {
    params: { service_provider_sid },
    query: { ...SEARCH_PAGE, name: filter },
  })

/** The account chosen in a picker, mostly from the picker's own query. */
export function useChosenAccount(account_sid: string) {
  const result = useQuery({ ...accountsQuery(useCurrentProvider()), enabled: !ownAccount() })
  const listed = result.data?.data.find((a) => a.account_sid === account_sid)
  const one = useQuery({
    ...query(accounts.view, { params: { account_sid } }),
    enabled: account_sid !== '' && !listed && !result.isLoading,
  })
  return listed ?? one.data
}

/** The accounts of the current provider, by name. `enabled`: whether to load them yet. */
export function useAccountChoices(chosen: string, enabled = true): Choices {
  const service_provider_sid = useCurrentProvider()
  const { filter, onSearch } = useSearchFilter()
  const result = useQuery({
    ...accountsQuery(service_provider_sid, filter),
    placeholderData: keepPreviousData,
    enabled,
  })
  const options = (result.data?.data ?? []).map((a) => ({ value: a.account_sid, label: a.name }))
  const listed = options.some((o) => o.value === chosen)
  const one = useQuery({
    ...query(accounts.view, { params: { account_sid: chosen } }),
    enabled: chosen !== '' && !listed && !result.isLoading,
  })
  return {
    options: withChosen(options, namedOption(chosen, one.data)),
    ...listState(result, filter),
    onSearch,
  }
}

/**
 * The applications of one account, loaded when the list is opened or when the name of the choice is not
 * known from `stored`.
 */
export function useApplicationChoices(
  account_sid: string,
  chosen: string,
  opened = true,
  stored?: Option,
): Choices {
  const { filter, onSearch } = useSearchFilter()
  const isStored = stored !== undefined && stored.value === chosen
  const enabled = opened || (chosen !== '' && !isStored)
  const result = useQuery({
    ...query(applications.ofAccount, {
      params: { account_sid },
      query: { ...SEARCH_PAGE, name: filter },
    }),
    placeholderData: keepPreviousData,
    enabled: enabled && account_sid !== '',
  })
  const rows = account_sid === '' ? [] : (result.data?.data ?? [])
  const options = withChosen(
    rows.map((a) => ({ value: a.application_sid, label: a.name })),
    isStored ? stored : undefined,
  )
  const listed = options.some((o) => o.value === chosen)
  const one = useQuery({
    ...query(applications.view, { params: { application_sid: chosen } }),
    enabled: chosen !== '' && !listed && !result.isLoading,
  })
  return {
    options: withChosen(options, namedOption(chosen, one.data)),
    ...listState(result, filter),
    onSearch,
  }
}

/**
 * Active carriers that the account may use: its own, and those shared by the provider; with `ofAccounts`, those of
 * all its accounts. A stored choice is listed even if it is neither.
 */
export function useCarrierChoices(
  account_sid: string,
  { chosen = '', ofAccounts = false }: { chosen?: string; ofAccounts?: boolean } = {},
): Choices {
  const service_provider_sid = useCurrentProvider()
  const { filter, onSearch } = useSearchFilter()
  const result = useQuery({
    ...query(voipCarriers.ofServiceProvider, {
      params: { service_provider_sid },
      query: { ...SEARCH_PAGE, name: filter, account_sid: account_sid || undefined },
    }),
    placeholderData: keepPreviousData,
  })
  const rows = result.data?.data ?? []
  const offered = rows
    .filter((c) => c.is_active && (!c.account_sid || ofAccounts || c.account_sid === account_sid))
    .map((c) => ({
      value: c.voip_carrier_sid,
      label: c.name,
      note: c.account_sid
        ? c.account_sid === account_sid
          ? undefined
          : (c.account_name ?? undefined)
        : t('all accounts'),
    }))
  const listed = rows.find((c) => c.voip_carrier_sid === chosen)
  const one = useQuery({
    ...query(voipCarriers.view, { params: { voip_carrier_sid: chosen } }),
    enabled: chosen !== '' && !listed && !result.isLoading,
  })
  const carrier = listed ?? one.data
  const all = result.data !== undefined && result.data.total <= rows.length
  return {
    options: withChosen(offered, namedOption(chosen, carrier)),
    loading: result.isFetching,
    onSearch,
    isEmpty: filter === undefined && all && offered.length === 0,
  }
}

type AccountFilterProps = {
  label?: string
  everyone?: string
  value: string
  onChange: (sid: string) => void
}

/** In a filter bar, for those who see more than one account. */
export const AccountFilter = (props: AccountFilterProps) =>
  ownAccount() ? null : <AccountPicker {...props} />

/** Loads the accounts when it is opened. */
function AccountPicker({
  label = t('Account'),
  everyone = t('All accounts'),
  value,
  onChange,
}: AccountFilterProps) {
  const [opened, setOpened] = useState(false)
  const { isEmpty: _, ...choices } = useAccountChoices(value, opened)
  return (
    <ComboboxButton
      label={label}
      placeholder={everyone}
      value={value}
      onChange={onChange}
      onOpen={() => setOpened(true)}
      {...choices}
      options={[{ value: '', label: everyone }, ...choices.options]}
    />
  )
}

/** The name of an account; its sid until the name has loaded. */
export function useAccountName(account_sid: string): string {
  const { data } = useQuery({
    ...query(accounts.view, { params: { account_sid } }),
    enabled: account_sid !== '',
  })
  return data?.name ?? account_sid
}
