import { t } from '@switchroom/contract'
import { type Dispatch, type ReactNode, type SetStateAction, useEffect } from 'react'
import { AccountFilters } from '../../lib/account-filters'
import type { ListSearch } from '../../lib/list-search'
import { Notice } from '../../ui/notice'
import { Announce } from './announce'

export type Search = ListSearch & { tab?: 'queues' | 'users'; account_sid?: string }
export type Connection = 'live' | 'paused' | 'lost'
/** Props of a tab on the live screen. */
export type Tab = { search: Search; paused: boolean; onLost: Dispatch<SetStateAction<boolean>> }

/** Filters and notices of a tab on the live screen. */
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
  /** The total in words, for screen readers. */
  announce: (total: number) => string
  answer: { data?: { total: number; complete: boolean } | undefined; error: unknown }
  onLost: Tab['onLost']
  children: ReactNode
}) {
  const lost = answer.error !== null
  useEffect(() => onLost(lost), [lost, onLost])
  return (
    <>
      <AccountFilters search={search} label={label} pause={300} />
      {answer.data && <Announce text={announce(answer.data.total)} />}
      {answer.data && !answer.data.complete && (
        <Notice tone="warn">{t('The platform has more of these than this page can show.')}</Notice>
      )}
      {children}
    </>
  )
}
