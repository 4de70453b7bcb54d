import { FilterBar, SearchInput } from '../ui/filter-bar'
import type { ListSearch } from './list-search'
import { AccountFilter, useAccountName } from './pickers'
import { useSetSearch } from './use-set-search'

/** What the URL of a list keeps whose things belong to accounts. */
export type AccountSearch = ListSearch & { account_sid?: string }

/** The filters of such a list: a text, and for whoever sees several accounts one of them. */
export function AccountFilters({
  search,
  label,
  text = 'Text',
  account = 'Account',
  everyone,
  pause,
}: {
  search: AccountSearch
  /** Names the field of the text. */
  label: string
  /** What the text is looked for in, and what an account is to the things listed. */
  text?: string
  account?: string
  /** What is listed without an account, where that is not all. */
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
