import { t } from '@switchroom/contract'
import type { ReactNode } from 'react'
import { FilterBar, SearchInput } from '../ui/filter-bar'
import type { AccountSearch } from './list-search'
import { AccountFilter, useAccountName } from './pickers'
import { useSetSearch } from './use-set-search'

/** Filters of a list: a text, and an account for users who see several. */
export function AccountFilters({
  search,
  label,
  text = t('Text'),
  account = t('Account'),
  everyone,
  pause,
  more = {},
  moreFilters,
  children,
}: {
  search: AccountSearch
  /** Label of the text field. */
  label: string
  /** Names of the two filters on their chips. */
  text?: string
  account?: string
  /** Placeholder for all accounts. */
  everyone?: string
  /** How long the search waits for more to be typed. */
  pause?: number
  /** Chips of further filters, by their names in the address. */
  more?: Record<string, { name: string; value: string }>
  /** Further filters that are seldom set, behind a button. */
  moreFilters?: ReactNode
  /** Further filters. */
  children?: ReactNode
}) {
  const setSearch = useSetSearch<AccountSearch & Record<string, unknown>>()
  const { filter = '', account_sid = '' } = search
  const name = useAccountName(account_sid)
  const noText = () => setSearch({ filter: undefined })
  const noAccount = () => setSearch({ account_sid: undefined })
  const chips = [
    { name: text, value: filter, onRemove: noText },
    { name: account, value: name, onRemove: noAccount },
    ...Object.entries(more).map(([key, chip]) => ({
      ...chip,
      onRemove: () => setSearch({ [key]: undefined }),
    })),
  ]
  const none = Object.fromEntries(Object.keys(more).map((key) => [key, undefined]))
  return (
    <FilterBar
      chips={chips}
      onClear={() => setSearch({ filter: undefined, account_sid: undefined, ...none })}
      search={
        <SearchInput
          label={label}
          value={filter}
          {...(pause !== undefined && { pause })}
          onChange={(filter) => setSearch({ filter: filter || undefined })}
        />
      }
      more={moreFilters}
    >
      <AccountFilter
        label={account}
        {...(everyone && { everyone })}
        value={account_sid}
        onChange={(sid) => setSearch({ account_sid: sid || undefined })}
      />
      {children}
    </FilterBar>
  )
}
