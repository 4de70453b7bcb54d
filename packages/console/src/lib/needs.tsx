import { t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buttonClass } from '../ui/button'
import { EmptyState } from '../ui/states'
import { mayWrite, ownAccount } from './access'
import { query } from './api'
import { accounts, voipCarriers } from './endpoints'
import { linkTo } from './link-to'
import { ClearFilters } from './no-match'
import { SEARCH_PAGE } from './pickers'
import { RoutePending } from './route-states'
import { useCurrentProvider } from './use-provider'

/**
 * Renders `children` if an account (and a carrier) exists, otherwise what to add first. `account` and
 * `carrier` are the sentences for each; without `carrier` none is needed. Uses the same queries as the
 * pickers, so that a form inside makes no further requests.
 */
export function RequirePrerequisites({
  account,
  carrier,
  children,
}: {
  account: string
  carrier?: string
  children: ReactNode
}) {
  const params = { service_provider_sid: useCurrentProvider() }
  const own = ownAccount()
  const accountsFound = useQuery({
    ...query(accounts.ofServiceProvider, { params, query: { ...SEARCH_PAGE, filter: undefined } }),
    enabled: !own,
  })
  const carriersFound = useQuery({
    ...query(voipCarriers.ofServiceProvider, {
      params,
      query: { ...SEARCH_PAGE, filter: undefined, account_sid: own },
    }),
    enabled: carrier !== undefined,
  })
  if (accountsFound.isLoading || carriersFound.isLoading) return <RoutePending />
  if (accountsFound.data?.total === 0)
    return <AddFirst text={account} href="/internal/accounts/add" add={t('Add account')} />
  if (carrier && carriersFound.data?.total === 0)
    return <AddFirst text={carrier} href="/internal/carriers/add" add={t('Add carrier')} />
  return children
}

/**
 * An empty list, or one that is empty for the account it is filtered by. With a link to add to it or to what
 * must be added first, for users who may.
 */
export const EmptyList = ({
  text,
  add,
  mayAdd,
  account_sid,
  ...needs
}: {
  text: string
  add: ReactNode
  mayAdd: boolean
  /** The account that the list is filtered by. */
  account_sid: string | undefined
  account: string
  carrier?: string
}) => {
  const clear = account_sid && <ClearFilters />
  return mayAdd ? (
    <RequirePrerequisites {...needs}>
      <EmptyState text={text}>
        {clear}
        {add}
      </EmptyState>
    </RequirePrerequisites>
  ) : (
    <EmptyState text={text}>{clear}</EmptyState>
  )
}

const AddFirst = ({ text, href, add }: { text: string; href: string; add: string }) => (
  <EmptyState text={text}>
    {mayWrite() && (
      <Link {...linkTo(href)} className={buttonClass()}>
        {add}
      </Link>
    )}
  </EmptyState>
)
