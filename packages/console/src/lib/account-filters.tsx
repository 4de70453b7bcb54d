import { FilterBar, SearchInput } from '../ui/filter-bar'
import type { AccountSearch } from './list-search'
import { AccountFilter, useAccountName } from './pickers'
import { useSetSearch } from './use-set-search'

/** Filters of a list: a text, and an account for users who see several. */
export function AccountFilters({
  search,
  label,
  text = 'Text',
  account = 'Account',
  everyone,
  pause,
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
}) {
  const setSearch = useSetSearch<AccountSearch>()
  const { filter = '', account_sid = '' } = search
  const name = useAccountName(account_sid)
  const noText = () => setSearch({ filter: undefined })
  const noAccount = () => setSearch({ account_sid: undefined })
  const chips = [
    { name: text, value: filter, onRemove: noText },
    { name: account, value: name, onRemove: noAccount },
  ]
  return (
    <FilterBar
      chips={chips}
      onClear={() => setSearch({ filter: undefined, account_sid: undefined })}
    >
      <SearchInput
        label={label}
        value={filter}
        {...(pause !== undefined && { pause })}
        onChange={(filter) => setSearch({ filter: filter || undefined })}
      />
      <AccountFilter
        label={account}
        {...(everyone && { everyone })}
        value={account_sid}
        onChange={(sid) => setSearch({ account_sid: sid || undefined })}
      />
    </FilterBar>
  )
}
