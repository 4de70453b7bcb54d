import {
  CARRIER_COLUMNS,
  CARRIER_IMPORT_MAX_ROWS,
  msg,
  plural,
  t,
  type VoipCarrierItem,
} from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { ownAccount } from '../../lib/access'
import { AccountFilters } from '../../lib/account-filters'
import { CsvButtons } from '../../lib/csv-buttons'
import { voipCarriers } from '../../lib/endpoints'
import { ClearFilters, NoMatch } from '../../lib/no-match'
import { deleteAction, editAction } from '../../lib/row-actions'
import { type Column, Table } from '../../lib/table'
import { editHref, thingHref } from '../../lib/thing-href'
import { thingCell } from '../../lib/thing-link'
import { useCapabilities } from '../../lib/use-capabilities'
import { useCurrentProvider } from '../../lib/use-provider'
import { Button, buttonClass } from '../../ui/button'
import { PageHeader } from '../../ui/page-header'
import { rich } from '../../ui/rich'
import { EmptyState } from '../../ui/states'
import { Badge, Status } from '../../ui/status'
import { DeleteVoipCarrier } from './delete'
import { healthColumns } from './health-cells'
import { healthOf } from './health-queries'
import { mayAddCarrier, mayChangeCarrier } from './may'
import { isOwnerless } from './owner'
import { OwnerlessFilters, OwnerlessHint, useSeesOwnerless } from './ownerless'
import { listOf, ownerlessList } from './queries'
import { Registration } from './registration'
import { trunkLabel } from './trunk-types'

const Selection = lazy(async () => ({ default: (await import('./selection')).Selection }))

const route = getRouteApi('/internal/carriers')

const hrefOf = (c: VoipCarrierItem) => thingHref('voip_carrier', c.voip_carrier_sid)
const add = (
  <Link to="/internal/carriers/add" className={buttonClass('primary')}>
    <Plus aria-hidden />
    {t('Add carrier')}
  </Link>
)

const CSV_NOTE = t(
  'Use one line for each SIP gateway; further lines of a carrier repeat its name and account. SMPP gateways are not in the file. Exports contain no passwords: fill in those that are needed before you import one.',
)

const usedBy: Column<VoipCarrierItem> = {
  header: msg('Used by'),
  cell: (c) =>
    c.account_sid ? (
      <span className="clamped" title={c.account_name ?? undefined}>
        {thingCell('account', c.account_sid, c.account_name)}
      </span>
    ) : isOwnerless(c) ? (
      t('No service provider')
    ) : (
      t('All accounts')
    ),
}
const status: Column<VoipCarrierItem> = {
  header: msg('Status'),
  cell: (c) => (
    <Status tone={c.is_active ? 'ok' : 'off'}>{c.is_active ? t('Active') : t('Inactive')}</Status>
  ),
}
const registration: Column<VoipCarrierItem> = {
  header: msg('Registration'),
  cell: (c) => (c.requires_register ? <Registration carrier={c} /> : null),
}
const trunkType: Column<VoipCarrierItem> = {
  header: msg('Trunk type'),
  cell: (c) => trunkLabel(c.trunk_type),
}
const gateways: Column<VoipCarrierItem>[] = [
  {
    header: msg('Inbound gateways'),
    align: 'end',
    cell: (c) => c.inbound_gateways ?? t('Gateways error'),
  },
  {
    header: msg('Outbound gateways'),
    align: 'end',
    cell: (c) => c.outbound_gateways ?? t('Gateways error'),
  },
]
const allGateways: Column<VoipCarrierItem> = {
  header: msg('Gateways'),
  wideOnly: true,
  cell: ({ inbound_gateways: inbound, outbound_gateways: outbound }) =>
    inbound === null || outbound === null
      ? t('Gateways error')
      : t('{inbound} in, {outbound} out', { inbound, outbound }),
}
/** A setting, which says nothing about whether calls get through. */
const nameWithSetting: Column<VoipCarrierItem> = {
  header: msg('Name'),
  sort: 'name',
  cell: (c) =>
    c.is_active ? (
      c.name
    ) : (
      <span className="carrier-name">
        {c.name} <Badge>{t('Inactive')}</Badge>
      </span>
    ),
}

/** Without health, which only our server tells. */
const plainColumns = (ofAccount: boolean): Column<VoipCarrierItem>[] => [
  { header: msg('Name'), sort: 'name', cell: (c) => c.name },
  ...(ofAccount ? [] : [usedBy]),
  status,
  trunkType,
  registration,
  ...gateways,
]

function useColumns(carriers: readonly VoipCarrierItem[] | undefined) {
  const ours = useCapabilities()
  const sids = useMemo(() => (carriers ?? []).map((c) => c.voip_carrier_sid), [carriers])
  const health = useQuery({
    ...healthOf(sids),
    enabled: !!ours && sids.length > 0,
    placeholderData: keepPreviousData,
  })
  const { data, isError, refetch } = health
  const columns = useMemo(() => {
    const ofAccount = ownAccount() !== undefined
    if (!ours) return plainColumns(ofAccount)
    const found = new Map(data?.map((h) => [h.voip_carrier_sid, h]))
    return [
      nameWithSetting,
      ...(ofAccount ? [] : [usedBy]),
      ...healthColumns((c) => found.get(c.voip_carrier_sid) ?? (isError ? null : undefined)),
      { ...trunkType, wideOnly: true as const },
      allGateways,
    ]
  }, [ours, data, isError])
  return { columns, failed: isError ? refetch : undefined }
}

export function VoipCarriers() {
  const search = route.useSearch()
  const provider = useCurrentProvider()
  const seesOwnerless = useSeesOwnerless()
  const ownerless = seesOwnerless && search.provider === 'none'
  const list = useQuery({
    ...(ownerless ? ownerlessList(search) : listOf(provider, search)),
    placeholderData: keepPreviousData,
    enabled: seesOwnerless !== null,
  })
  const [deleting, setDeleting] = useState<VoipCarrierItem>()
  const { columns, failed } = useColumns(list.data?.data)
  const ours = !!useCapabilities()
  const { filter, account_sid } = search
  return (
    <>
      <PageHeader title={t('Carriers')} total={list.data?.total}>
        {!ownerless && (
          <CsvButtons
            endpoints={voipCarriers}
            title={t('Import carriers')}
            imported={(n) => plural(n, 'Imported 1 row of carriers|Imported {n} rows of carriers')}
            columns={CARRIER_COLUMNS}
            search={search}
            mayImport={mayAddCarrier()}
            most={CARRIER_IMPORT_MAX_ROWS}
            note={CSV_NOTE}
          />
        )}
        {mayAddCarrier() && add}
      </PageHeader>
      {ownerless ? (
        <OwnerlessFilters filter={search.filter} />
      ) : (
        <>
          <AccountFilters
            search={search}
            label={t('Filter carriers')}
            text={t('Name')}
            account={t('Used by')}
          />
          {seesOwnerless && <OwnerlessHint />}
        </>
      )}
      <Table
        label={msg('Carriers')}
        columns={columns}
        query={list}
        search={search}
        rowKey={(c) => c.voip_carrier_sid}
        rowHref={hrefOf}
        actions={(c) =>
          mayChangeCarrier(c)
            ? [
                editAction(t('Edit carrier'), editHref('voip_carrier', c.voip_carrier_sid)),
                deleteAction(t('Delete carrier'), () => setDeleting(c)),
              ]
            : []
        }
        {...(mayAddCarrier() &&
          ours && {
            selectAll: true,
            selection: (selected, clear) => (
              <Suspense>
                <Selection
                  filters={
                    ownerless
                      ? { ownerless: 1, filter }
                      : { service_provider_sid: provider, account_sid, filter }
                  }
                  selected={selected}
                  onDone={clear}
                />
              </Suspense>
            ),
          })}
        empty={
          ownerless || filter ? (
            <NoMatch text={t('No carriers match these filters.')} />
          ) : (
            <EmptyState text={t('No Carriers.')}>
              {account_sid && <ClearFilters />}
              {mayAddCarrier() && add}
            </EmptyState>
          )
        }
      />
      {failed && (
        <p className="health-failed" role="status">
          {rich('The health of these carriers could not be loaded. {button}', {
            button: (
              <Button size="small" look="quiet" onClick={() => void failed()}>
                {t('Try again')}
              </Button>
            ),
          })}
        </p>
      )}
      {deleting && <DeleteVoipCarrier carrier={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  )
}
