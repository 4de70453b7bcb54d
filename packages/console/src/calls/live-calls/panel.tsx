import { type Dispatch, type ReactNode, type SetStateAction, useEffect } from 'react'
import { ownAccount } from '../../lib/access'
import type { ListSearch } from '../../lib/list-search'
import { AccountFilter, useAccountName } from '../../lib/pickers'
import { useSetSearch } from '../../lib/use-set-search'
import { FilterBar, SearchInput } from '../../ui/filter-bar'
import { Notice } from '../../ui/notice'
import { Announce } from './announce'

export type Search = ListSearch & { tab?: 'queues' | 'users'; account_sid?: string }
export type Connection = 'live' | 'paused' | 'lost'
/** What a tab of the live screen is given. */
export type Tab = { search: Search; paused: boolean; onLost: Dispatch<SetStateAction<boolean>> }

/** The filters above what is live, and what is to be said about it. */
export function Panel({
  search,
  label,
  announce,
  answer,
  onLost,
  children,
}: {
  search: Search
  label: string
  /** How many there are, in words. */
  announce: (total: number) => string
  answer: { data?: { total: number; complete: boolean } | undefined; error: unknown }
  onLost: Tab['onLost']
  children: ReactNode
}) {
  const setSearch = useSetSearch<Search>()
  const account = useAccountName(search.account_sid ?? '')
  const lost = answer.error !== null
  useEffect(() => onLost(lost), [lost, onLost])
  const chips = [
    ...(search.filter
      ? [{ name: 'Text', value: search.filter, onRemove: () => setSearch({ filter: undefined }) }]
      : []),
    ...(search.account_sid
      ? [{ name: 'Account', value: account, onRemove: () => setSearch({ account_sid: undefined }) }]
      : []),
  ]
  return (
    <>
      <FilterBar
        chips={chips}
        onClear={() => setSearch({ filter: undefined, account_sid: undefined })}
      >
        <SearchInput
          label={label}
          value={search.filter ?? ''}
          pause={300}
          onChange={(filter) => setSearch({ filter: filter || undefined })}
        />
        {!ownAccount() && (
          <AccountFilter
            value={search.account_sid ?? ''}
            onChange={(sid) => setSearch({ account_sid: sid || undefined })}
          />
        )}
      </FilterBar>
      {answer.data && <Announce text={announce(answer.data.total)} />}
      {answer.data && !answer.data.complete && (
        <Notice tone="warn">The platform has more of these than this page can show.</Notice>
      )}
      {children}
    </>
  )
}
