import {
  type AlertItem,
  alertTypeOf,
  alertTypeText,
  fromServer,
  msg,
  t,
} from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { lazy, Suspense, useMemo } from 'react'
import { useAccountNames } from '../calls/account-names'
import { ownAccount } from '../lib/access'
import { defined } from '../lib/list-search'
import { ClearFilters, NoMatch } from '../lib/no-match'
import { type Column, Table } from '../lib/table'
import { thingCell } from '../lib/thing-link'
import { useCurrentProvider } from '../lib/use-provider'
import { useSetSearch } from '../lib/use-set-search'
import { Button } from '../ui/button'
import { zoneText } from '../ui/dates'
import { PageHeader } from '../ui/page-header'
import { EmptyState, LoadingState } from '../ui/states'
import { Moment } from '../ui/time'
import { Filters } from './filters'
import { listOf, type Search } from './search'
import './alerts.css'

const route = getRouteApi('/internal/alerts')

const Details = lazy(async () => ({ default: (await import('./details')).Details }))
const AlertGroups = lazy(async () => ({ default: (await import('./alert-groups')).AlertGroups }))

const unknown = <span className="none">{t('Unknown')}</span>

/** Name of an alert in the URL. */
const openName = (a: AlertItem) => `${a.time} ${a.alert_type}`

export function Alerts() {
  const search: Search = route.useSearch()
  if (!search.by) return <EachAlert search={search} />
  return (
    <Suspense fallback={<LoadingState text={t('Loading alerts')} />}>
      <AlertGroups search={search} />
    </Suspense>
  )
}

function EachAlert({ search }: { search: Search }) {
  const changeSearch = useSetSearch<Search>()
  const setSearch: typeof changeSearch = (patch) => changeSearch({ open: undefined, ...patch })
  const navigate = useNavigate()
  const provider = useCurrentProvider()
  const list = useQuery({ ...listOf(provider, search), placeholderData: keepPreviousData })
  const { data } = list
  const showsAccounts = !ownAccount() && !search.account_sid
  const names = useAccountNames(provider, showsAccounts && (data?.data.length ?? 0) > 0)

  const columns = useMemo(
    (): Column<AlertItem>[] => [
      {
        header: msg('Time'),
        note: zoneText(),
        cell: (a) => <Moment at={a.time} />,
      },
      { header: msg('Type'), cell: (a) => alertTypeText(alertTypeOf(a)).name },
      {
        header: msg('Message'),
        cell: (a) =>
          a.message ? <span className="alert-message">{fromServer(a.message)}</span> : unknown,
      },
      ...(showsAccounts
        ? [
            {
              header: msg('Account'),
              wideOnly: true as const,
              cell: (a: AlertItem) =>
                a.account_sid ? (
                  <span className="clamped">
                    {thingCell('account', a.account_sid, names.get(a.account_sid))}
                  </span>
                ) : (
                  unknown
                ),
            },
          ]
        : []),
    ],
    [names, showsAccounts],
  )

  return (
    <>
      <PageHeader title={t('Alerts')} total={data?.total}>
        <Button look="quiet" busy={list.isFetching} onClick={() => void list.refetch()}>
          <RefreshCw aria-hidden />
          {t('Refresh')}
        </Button>
      </PageHeader>
      <Filters search={search} setSearch={setSearch} />
      <Table
        label={msg('Alerts')}
        columns={columns}
        query={list}
        search={search}
        rowKey={(a) => [a.time, a.account_sid, a.alert_type, a.vendor, a.message].join(' ')}
        openRow={{
          isOpen: (a) => openName(a) === search.open,
          onChange: (a, isOpen) =>
            void navigate({
              to: '.',
              search: ((old: Search) =>
                defined({ ...old, open: isOpen ? openName(a) : undefined })) as never,
              replace: true,
              resetScroll: false,
            }),
        }}
        detail={(a) => (
          <Suspense fallback={<LoadingState text={t('Loading')} />}>
            <Details alert={a} />
          </Suspense>
        )}
        empty={
          search.alert_type || search.date ? (
            <NoMatch text={t('No alerts match these filters.')} />
          ) : (
            <EmptyState text={t('No data.')}>{search.account_sid && <ClearFilters />}</EmptyState>
          )
        }
      />
    </>
  )
}
