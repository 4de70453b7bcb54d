import { type Call, durationText, msg, plural, t, trunkText } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ArrowUp, ExternalLink, RefreshCw } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { ownAccount } from '../../lib/access'
import { ExportMenu } from '../../lib/export-menu'
import { linkTo } from '../../lib/link-to'
import { defined } from '../../lib/list-search'
import { ClearFilters, NoMatch } from '../../lib/no-match'
import { usePhoneFormat } from '../../lib/phone-format'
import { type Column, Table } from '../../lib/table'
import type { ThingKind } from '../../lib/thing-href'
import { thingCell } from '../../lib/thing-link'
import { useCurrentProvider } from '../../lib/use-provider'
import { useSetSearch } from '../../lib/use-set-search'
import { Button } from '../../ui/button'
import { zoneText } from '../../ui/dates'
import { PageHeader } from '../../ui/page-header'
import { EmptyState } from '../../ui/states'
import { Status } from '../../ui/status'
import { useAccountNames } from '../account-names'
import { useApplicationNames } from '../application-names'
import { CallParts } from '../call/call'
import { CallNav } from '../call/call-nav'
import { outcome } from '../call-text'
import {
  dateIn,
  endpointsFor,
  filtersOf,
  idOf,
  isFiltered,
  listOf,
  listPart,
  type Search,
} from '../search'
import { Filters } from './filters'
import { useShown } from './use-shown'
import './list.css'

import { Direction, noneText, StartTime, unknown } from './cells'

export const route = getRouteApi('/internal/recent-calls')

const LIVE_EVERY_MS = 4_000

const rowKey = (c: Call) => `${c.call_sid} ${c.sip_callid} ${c.attempted_at}`
/** Name of a row in the URL; a record without any id is named by its row key. */
const rowName = (c: Call) => idOf(c) ?? rowKey(c)

/** Which call is open, from and to the URL. */
function useOpenCall({ open }: Search) {
  const navigate = useNavigate()
  const hasMoved = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another call was opened
  useEffect(() => {
    if (!hasMoved.current) return
    hasMoved.current = false
    const row = document.querySelector<HTMLElement>('[data-part=main][aria-expanded="true"]')
    row?.focus()
    row?.scrollIntoView({ block: 'nearest' })
  }, [open])
  const show = (search: (old: Search) => Search) =>
    void navigate({ to: '.', search: search as never, replace: true, resetScroll: false })
  return {
    set: (call: Call, isOpen: boolean) =>
      show((old) => defined({ ...listPart(old), open: isOpen ? rowName(call) : undefined })),
    close: () => show(listPart),
    goTo: (id: string, search: Search) => {
      hasMoved.current = true
      show(({ tab }) => defined({ ...listPart(search), open: id, tab }))
    },
  }
}

export function RecentCalls() {
  const search: Search = route.useSearch()
  const changeSearch = useSetSearch<Search>()
  const setSearch: typeof changeSearch = (patch) =>
    changeSearch({ open: undefined, tab: undefined, ...patch })
  const openCall = useOpenCall(search)
  const provider = useCurrentProvider()
  const live = search.live === 'on' && search.page === undefined
  const list = useQuery({
    ...listOf(provider, search),
    placeholderData: keepPreviousData,
    refetchInterval: live && LIVE_EVERY_MS,
  })
  const shown = useShown({
    latest: list.isPlaceholderData ? undefined : list.data,
    key: JSON.stringify([provider, listPart(search)]),
    live,
    isOpen: search.open !== undefined,
  })
  const page = shown.page ?? list.data
  const rows = page?.data ?? []
  const numbers = rows.flatMap((c) => [c.from, c.to]).filter((n) => n !== null)
  const format = usePhoneFormat(numbers)
  const showsAccounts = !ownAccount() && !search.account_sid
  const names = useAccountNames(provider, showsAccounts && rows.length > 0)

  const applicationNames = useApplicationNames(
    provider,
    rows.some((c) => c.application_sid),
  )

  const isOfToday = dateIn(search) === 'today' && !search.start && !search.end
  const columns = useMemo((): Column<Call>[] => {
    const number = (n: string | null) =>
      n ? (
        <span className="clamped numbers" title={n}>
          {format(n)}
        </span>
      ) : (
        unknown
      )
    const name = (n: string | null | undefined) =>
      n ? (
        <span className="clamped" title={n}>
          {n}
        </span>
      ) : (
        unknown
      )
    const thing = (kind: ThingKind, sid: string, n: string | undefined) => (
      <span className="clamped" title={n}>
        {thingCell(kind, sid, n)}
      </span>
    )
    return [
      {
        header: msg('Time'),
        note: zoneText(),
        fileColumns: ['attempted_at'],
        cell: (c) => <StartTime at={c.attempted_at} isOfToday={isOfToday} />,
      },
      {
        header: msg('Direction'),
        fileColumns: ['direction'],
        cell: (c) => <Direction direction={c.direction} />,
      },
      { header: msg('From'), fileColumns: ['from'], cell: (c) => number(c.from) },
      { header: msg('To'), fileColumns: ['to'], cell: (c) => number(c.to) },
      {
        header: msg('Duration'),
        fileColumns: ['duration'],
        align: 'end',
        cell: (c) => durationText(c.duration) ?? unknown,
      },
      {
        header: msg('Outcome'),
        fileColumns: ['answered', 'sip_status', 'termination_reason'],
        cell: (c) => {
          const { tone, word } = outcome(c)
          return <Status tone={tone}>{word}</Status>
        },
      },
      {
        header: msg('Carrier'),
        fileColumns: ['trunk'],
        wideOnly: true,
        cell: (c) => name(c.trunk && trunkText(c.trunk)),
      },
      {
        header: msg('Application'),
        fileColumns: ['application_sid'],
        wideOnly: true,
        cell: (c) => {
          const sid = c.application_sid
          return sid ? (
            thing('application', sid, applicationNames.get(sid))
          ) : (
            <span className="none">{t('None')}</span>
          )
        },
      },
      ...(showsAccounts
        ? [
            {
              header: msg('Account'),
              fileColumns: ['account_sid'],
              wideOnly: true as const,
              cell: (c: Call) =>
                c.account_sid ? thing('account', c.account_sid, names.get(c.account_sid)) : unknown,
            },
          ]
        : []),
    ]
  }, [format, names, showsAccounts, applicationNames, isOfToday])

  const { endpoints, params } = endpointsFor(provider, search)
  const lastMonth = (search.date !== '30' || search.start || search.end) && (
    <Button onClick={() => setSearch({ date: '30', start: undefined, end: undefined })}>
      {t('Show the last 30 days')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('Recent calls')} total={page?.total}>
        <Button look="quiet" busy={list.isFetching && !live} onClick={() => void list.refetch()}>
          <RefreshCw aria-hidden />
          {t('Refresh')}
        </Button>
        <ExportMenu
          endpoint={endpoints.export}
          sentAs={(format) => ({ params, query: { ...filtersOf(search), format } })}
        />
      </PageHeader>
      <Filters search={search} setSearch={setSearch} trunks={rows.flatMap((c) => c.trunk ?? [])} />
      <div className="calls-new" role="status">
        {shown.waiting > 0 && (
          <Button
            size="small"
            look="primary"
            onClick={() => {
              openCall.close()
              window.scrollTo({ top: 0 })
              shown.show()
            }}
          >
            <ArrowUp aria-hidden />
            {plural(shown.waiting, '1 new call|{n} new calls')}
          </Button>
        )}
      </div>
      <div className="calls-table">
        <Table
          label={msg('Recent calls')}
          columns={columns}
          query={{ ...list, data: page }}
          search={search}
          fileExport={{ endpoint: endpoints.export, sent: { params, query: filtersOf(search) } }}
          rowKey={rowKey}
          openRow={{ isOpen: (c) => rowName(c) === search.open, onChange: openCall.set }}
          detail={(c) => {
            const id = idOf(c)
            return (
              <CallParts
                call={c}
                tab={search.tab}
                said={filtersOf(search).said}
                actions={
                  id && (
                    <>
                      <CallNav
                        id={id}
                        search={listPart(search)}
                        onGo={(to) => openCall.goTo(to.id, to.search)}
                      />
                      <Link
                        {...linkTo(`/internal/recent-calls/${encodeURIComponent(id)}`)}
                        search={search as never}
                        className="call-own-page"
                      >
                        <ExternalLink aria-hidden />
                        {t('Open call')}
                      </Link>
                    </>
                  )
                }
              />
            )
          }}
          empty={
            isFiltered(search) ? (
              <NoMatch text={noneText(filtersOf(search).said)}>{lastMonth}</NoMatch>
            ) : (
              <EmptyState text={t('No data.')}>
                {search.account_sid && <ClearFilters />}
                {lastMonth}
              </EmptyState>
            )
          }
        />
      </div>
    </>
  )
}
