import { type AlertItem, alertTypeOf, alertTypeText } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { RefreshCw, Send } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { useAccountNames } from '../calls/account-names'
import { ownAccount } from '../lib/access'
import { messageOf } from '../lib/failure'
import { defined } from '../lib/list-search'
import { NoMatch } from '../lib/no-match'
import { type Column, Table } from '../lib/table'
import { thingCell } from '../lib/thing-link'
import { useCapabilities } from '../lib/use-capabilities'
import { useCurrentProvider } from '../lib/use-provider'
import { useSetSearch } from '../lib/use-set-search'
import { Button, buttonClass } from '../ui/button'
import { PageHeader } from '../ui/page-header'
import { EmptyState } from '../ui/states'
import { Moment, timeHeader } from '../ui/time'
import { toastError } from '../ui/toast'
import { Details } from './details'
import { Filters } from './filters'
import { listOf, ownerOf, type Search, showsNewest } from './search'
import { type AlertsOf, markAlertsSeen } from './unread-alerts'
import './alerts.css'

const route = getRouteApi('/internal/alerts')

const unknown = <span className="none">Unknown</span>

/** What names an alert in the address. */
const openName = (a: AlertItem) => `${a.time} ${a.alert_type}`

/** Marks alerts up to this time as read, once for each newest alert on screen. */
function useMarkRead(alerts: AlertsOf, until: string | undefined) {
  const isSwitchroom = !!useCapabilities()
  const reported = useRef('')
  const current = `${Object.values(alerts)[0]} ${until}`
  useEffect(() => {
    if (!isSwitchroom || until === undefined || reported.current === current) return
    reported.current = current
    markAlertsSeen(alerts, until).catch((e: unknown) =>
      toastError(`Could not mark these alerts as read: ${messageOf(e)}`),
    )
  })
}

export function Alerts() {
  const search: Search = route.useSearch()
  const changeSearch = useSetSearch<Search>()
  const setSearch: typeof changeSearch = (patch) => changeSearch({ open: undefined, ...patch })
  const navigate = useNavigate()
  const provider = useCurrentProvider()
  const list = useQuery({ ...listOf(provider, search), placeholderData: keepPreviousData })
  const { data, isPlaceholderData, dataUpdatedAt } = list
  const newest = data?.data[0]?.time ?? new Date(dataUpdatedAt).toISOString()
  useMarkRead(
    ownerOf(provider, search),
    data && !isPlaceholderData && showsNewest(search) ? newest : undefined,
  )
  const showsAccounts = !ownAccount() && !search.account_sid
  const names = useAccountNames(provider, showsAccounts && (data?.data.length ?? 0) > 0)
  const hasDestinations = !!useCapabilities()

  const columns = useMemo(
    (): Column<AlertItem>[] => [
      {
        header: timeHeader(),
        cell: (a) => <Moment at={a.time} />,
      },
      { header: 'Type', cell: (a) => alertTypeText(alertTypeOf(a)).name },
      {
        header: 'Message',
        cell: (a) => (a.message ? <span className="alert-message">{a.message}</span> : unknown),
      },
      ...(showsAccounts
        ? [
            {
              header: 'Account',
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
      <PageHeader title="Alerts" total={data?.total}>
        <Button look="quiet" busy={list.isFetching} onClick={() => void list.refetch()}>
          <RefreshCw aria-hidden />
          Refresh
        </Button>
        {hasDestinations && (
          <Link to="/internal/alerts/destinations" className={buttonClass()}>
            <Send aria-hidden />
            Delivery
          </Link>
        )}
      </PageHeader>
      <Filters search={search} setSearch={setSearch} />
      <Table
        label="Alerts"
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
        detail={(a) => <Details alert={a} />}
        empty={
          search.account_sid || search.alert_type || search.date ? (
            <NoMatch what="alerts" />
          ) : (
            <EmptyState text="No data." />
          )
        }
      />
    </>
  )
}
