import { APPLICATION_COLUMNS, type ApplicationItem, msg, plural, t } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Phone, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { mayWrite } from '../lib/access'
import { accountColumn } from '../lib/account-column'
import { AccountFilters } from '../lib/account-filters'
import { config } from '../lib/config'
import { CsvButtons } from '../lib/csv-buttons'
import { applications } from '../lib/endpoints'
import { callColumns, UnusedFilter, unusedChip } from '../lib/latest-calls'
import { filtersIn } from '../lib/list-search'
import { EmptyList } from '../lib/needs'
import { NEEDS_ACCOUNT } from '../lib/needs-account'
import { NoMatch } from '../lib/no-match'
import { deleteAction, editAction, type RowAction } from '../lib/row-actions'
import { withTrouble } from '../lib/state/state'
import { useTroubles } from '../lib/state/use-troubles'
import { type Column, Table } from '../lib/table'
import { editHref, thingHref } from '../lib/thing-href'
import { useCapabilities } from '../lib/use-capabilities'
import { useCurrentProvider } from '../lib/use-provider'
import { buttonClass } from '../ui/button'
import { PageHeader } from '../ui/page-header'
import { Sid } from '../ui/sid'
import { DeleteApplication } from './delete'
import { listOf } from './queries'
import { shortUrl } from './short-url'

const route = getRouteApi('/internal/applications')

const hrefOf = (a: ApplicationItem) => thingHref('application', a.application_sid)
const hookCell = (hook: ApplicationItem['call_hook'], beside?: ApplicationItem['call_hook']) =>
  hook ? (
    <code className="cut" title={hook.url}>
      {shortUrl(hook.url, beside?.url)}
    </code>
  ) : (
    <span className="none">{t('None')}</span>
  )
const addButton = (
  <Link to="/internal/applications/add" className={buttonClass('primary')}>
    <Plus aria-hidden />
    {t('Add application')}
  </Link>
)

const tryAction = ({ application_sid }: ApplicationItem): RowAction => ({
  label: t('Try it'),
  icon: <Phone />,
  href: `/internal/applications/${application_sid}/try`,
})

const columnsFor = (
  isOurs: boolean,
  troubles: ReturnType<typeof useTroubles>,
): Column<ApplicationItem>[] => [
  {
    header: msg('Name'),
    fileColumns: ['name'],
    sort: 'name',
    cell: (a) => withTrouble(a.name, troubles.get(a.application_sid)),
  },
  ...accountColumn({ fileColumns: ['account'] }),
  {
    header: msg('Calling webhook'),
    fileColumns: ['call_hook'],
    width: '16%',
    cell: (a) => hookCell(a.call_hook),
  },
  {
    header: msg('Call status webhook'),
    fileColumns: ['call_status_hook'],
    width: '16%',
    wideOnly: true,
    cell: (a) => hookCell(a.call_status_hook, a.call_hook),
  },
  ...(config.DISABLE_CALL_RECORDING
    ? []
    : [
        {
          header: msg('Record all calls'),
          fileColumns: ['record_all_calls'],
          wideOnly: true as const,
          cell: (a: ApplicationItem) =>
            a.record_all_calls ? t('Yes') : <span className="none">{t('No')}</span>,
        },
      ]),
  ...callColumns(isOurs),
  {
    header: 'SID',
    fileColumns: ['application_sid'],
    width: 120,
    cell: (a) => <Sid sid={a.application_sid} />,
  },
]

export function Applications() {
  const search = route.useSearch()
  const provider = useCurrentProvider()
  const list = useQuery({ ...listOf(provider, search), placeholderData: keepPreviousData })
  const [deleting, setDeleting] = useState<ApplicationItem>()
  const isOurs = !!useCapabilities()
  const sids = useMemo(() => list.data?.data.map((a) => a.application_sid) ?? [], [list.data])
  const troubles = useTroubles('application', sids)
  const columns = useMemo(() => columnsFor(isOurs, troubles), [isOurs, troubles])
  return (
    <>
      <PageHeader title={t('Applications')} total={list.data?.total}>
        <CsvButtons
          endpoints={applications}
          title={t('Import applications')}
          imported={(n) => plural(n, 'Imported 1 application|Imported {n} applications')}
          columns={APPLICATION_COLUMNS}
          search={search}
          mayImport={mayWrite()}
        />
        {mayWrite() && addButton}
      </PageHeader>
      <AccountFilters search={search} label={t('Filter applications')} more={unusedChip(search)}>
        <UnusedFilter search={search} />
      </AccountFilters>
      <Table
        label={msg('Applications')}
        columns={columns}
        query={list}
        search={search}
        fileExport={{
          endpoint: applications.export,
          sent: { query: { service_provider_sid: provider, ...filtersIn(search) } },
        }}
        rowKey={(a) => a.application_sid}
        rowHref={hrefOf}
        actions={(a) => [
          ...(isOurs ? [tryAction(a)] : []),
          ...(mayWrite()
            ? [
                editAction(t('Edit application'), editHref('application', a.application_sid)),
                deleteAction(t('Delete application'), () => setDeleting(a)),
              ]
            : []),
        ]}
        empty={
          search.filter || search.unused ? (
            <NoMatch text={t('No applications match these filters.')} />
          ) : (
            <Empty account_sid={search.account_sid} />
          )
        }
      />
      {deleting && (
        <DeleteApplication application={deleting} onClose={() => setDeleting(undefined)} />
      )}
    </>
  )
}

const Empty = ({ account_sid }: { account_sid: string | undefined }) => (
  <EmptyList
    account_sid={account_sid}
    text={t('No applications.')}
    add={addButton}
    mayAdd={mayWrite()}
    account={NEEDS_ACCOUNT.application}
  />
)
