import {
  msg,
  PHONE_NUMBER_COLUMNS,
  type PhoneNumber,
  type PhoneNumberItem,
  plural,
  t,
} from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { mayWrite, ownAccount } from '../../lib/access'
import { accountColumn } from '../../lib/account-column'
import { CsvButtons } from '../../lib/csv-buttons'
import { phoneNumbers } from '../../lib/endpoints'
import { callColumns } from '../../lib/latest-calls'
import { filtersIn } from '../../lib/list-search'
import { EmptyList } from '../../lib/needs'
import { NoMatch } from '../../lib/no-match'
import { usePhoneFormat } from '../../lib/phone-format'
import { deleteAction, editAction } from '../../lib/row-actions'
import { withTrouble } from '../../lib/state/state'
import { useTroubles } from '../../lib/state/use-troubles'
import { type Column, Table } from '../../lib/table'
import { editHref, thingHref } from '../../lib/thing-href'
import { useCapabilities } from '../../lib/use-capabilities'
import { useCurrentProvider } from '../../lib/use-provider'
import { buttonClass } from '../../ui/button'
import { PageHeader } from '../../ui/page-header'
import { Sid } from '../../ui/sid'
import { DeletePhoneNumber } from './delete'
import { Filters } from './filters'
import { mayAddAndDelete, NEEDED } from './may'
import { names } from './names'
import { listOf, type Search } from './queries'

const Selection = lazy(async () => ({ default: (await import('./selection')).Selection }))

const route = getRouteApi('/internal/phone-numbers')

const isFiltered = (s: Search) =>
  !!(s.filter || s.application_sid || s.voip_carrier_sid || s.unused)
const hrefOf = (n: PhoneNumber) => thingHref('phone_number', n.phone_number_sid)
const add = (
  <Link to="/internal/phone-numbers/add" className={buttonClass('primary')}>
    <Plus aria-hidden />
    {t('Add phone number')}
  </Link>
)

export function PhoneNumbers() {
  const search = route.useSearch()
  const provider = useCurrentProvider()
  const list = useQuery({ ...listOf(provider, search), placeholderData: keepPreviousData })
  const [deleting, setDeleting] = useState<PhoneNumber>()
  const rows = list.data?.data ?? []
  const format = usePhoneFormat(rows.map((n) => n.number))
  const ours = !!useCapabilities()
  const sids = useMemo(() => list.data?.data.map((n) => n.phone_number_sid) ?? [], [list.data])
  const troubles = useTroubles('phone_number', sids)
  const account_sid = ownAccount() ?? search.account_sid

  const columns = useMemo(
    (): Column<PhoneNumberItem>[] => [
      {
        header: msg('Number'),
        fileColumns: ['number'],
        sort: 'number',
        cell: (n) =>
          withTrouble(
            <span className="phone-number numbers">{format(n.number)}</span>,
            troubles.get(n.phone_number_sid),
          ),
      },
      ...accountColumn({ fileColumns: ['account'], cell: names.account }),
      { header: msg('Application'), fileColumns: ['application'], cell: names.application },
      { header: msg('Carrier'), fileColumns: ['carrier'], cell: names.carrier },
      ...callColumns(ours),
      ...(ours
        ? [
            {
              header: msg('Description'),
              fileColumns: ['description'],
              wideOnly: true as const,
              cell: (n: PhoneNumberItem) => n.description,
            },
          ]
        : []),
      {
        header: 'SID',
        fileColumns: ['phone_number_sid'],
        width: 120,
        cell: (n) => <Sid sid={n.phone_number_sid} />,
      },
    ],
    [format, ours, troubles],
  )

  return (
    <>
      <PageHeader title={t('Phone numbers')} total={list.data?.total}>
        <CsvButtons
          endpoints={phoneNumbers}
          title={t('Import phone numbers')}
          imported={(n) => plural(n, 'Imported 1 phone number|Imported {n} phone numbers')}
          columns={PHONE_NUMBER_COLUMNS}
          search={search}
          mayImport={mayAddAndDelete()}
        />
        {mayAddAndDelete() && add}
      </PageHeader>
      <Filters search={search} />
      {mayWrite() && !ours && !account_sid && (rows.length > 0 || list.isPending) && (
        <p className="hint">{t('Select an account to assign applications to phone numbers.')}</p>
      )}
      <Table<PhoneNumberItem>
        label={msg('Phone numbers')}
        columns={columns}
        query={list}
        search={search}
        fileExport={{
          endpoint: phoneNumbers.export,
          sent: { query: { service_provider_sid: provider, ...filtersIn(search) } },
        }}
        rowKey={(n) => n.phone_number_sid}
        rowHref={hrefOf}
        actions={(n) => [
          ...(mayWrite()
            ? [editAction(t('Edit phone number'), editHref('phone_number', n.phone_number_sid))]
            : []),
          ...(mayAddAndDelete()
            ? [deleteAction(t('Delete phone number'), () => setDeleting(n))]
            : []),
        ]}
        {...(mayWrite() &&
          (ours || account_sid) && {
            selectAll: ours,
            selection: (selected, clear) => (
              <Suspense>
                <Selection
                  account_sid={account_sid}
                  filters={{
                    service_provider_sid: provider,
                    account_sid,
                    filter: search.filter,
                    application_sid: search.application_sid,
                    voip_carrier_sid: search.voip_carrier_sid,
                    unused: search.unused,
                  }}
                  selected={selected}
                  onDone={clear}
                />
              </Suspense>
            ),
          })}
        empty={
          isFiltered(search) ? (
            <NoMatch text={t('No phone numbers match these filters.')} />
          ) : (
            <Empty account_sid={search.account_sid} />
          )
        }
      />
      {deleting && <DeletePhoneNumber number={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  )
}

const Empty = ({ account_sid }: { account_sid: string | undefined }) => (
  <EmptyList
    text={t('No phone numbers.')}
    add={add}
    mayAdd={mayAddAndDelete()}
    account_sid={account_sid}
    {...NEEDED}
  />
)
