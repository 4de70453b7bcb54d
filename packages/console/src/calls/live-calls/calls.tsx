import { type LiveCall, msg, plural, t } from '@switchroom/contract'
import { PhoneOff } from 'lucide-react'
import { useState } from 'react'
import { mayWrite } from '../../lib/access'
import { accountColumn } from '../../lib/account-column'
import { send } from '../../lib/api'
import { liveCalls } from '../../lib/endpoints'
import { paged } from '../../lib/list-search'
import { NoMatch } from '../../lib/no-match'
import { usePhoneFormat } from '../../lib/phone-format'
import { type Column, Table } from '../../lib/table'
import { thingCell } from '../../lib/thing-link'
import { useCurrentProvider } from '../../lib/use-provider'
import { EmptyState } from '../../ui/states'
import { Status } from '../../ui/status'
import { HangUp } from './hang-up'
import { Loads } from './loads'
import { Panel, type Tab } from './panel'
import { Running } from './running'
import { useLive } from './use-live'

const STATUS: Record<string, { tone: 'ok' | 'warn' | 'info'; text: string }> = {
  trying: { tone: 'info', text: t('Trying') },
  ringing: { tone: 'warn', text: t('Ringing') },
  'early-media': { tone: 'warn', text: t('Early media') },
  'in-progress': { tone: 'ok', text: t('In progress') },
  queued: { tone: 'info', text: t('Queued') },
}

const unknown = <span className="none">{t('Unknown')}</span>

const party = (number: string | null, format: (number: string) => string) =>
  number === null ? (
    unknown
  ) : (
    <span className="clamped numbers" title={number}>
      {format(number)}
    </span>
  )

const columns = (
  skew_ms: number,
  ending: ReadonlySet<string>,
  format: (number: string) => string,
): Column<LiveCall>[] => [
  {
    header: msg('From'),
    cell: (c) => party(c.from, format),
    sub: (c) => (
      <span className="none">{c.direction === 'inbound' ? t('Inbound') : t('Outbound')}</span>
    ),
  },
  { header: msg('To'), cell: (c) => party(c.to, format) },
  {
    header: msg('Status'),
    width: 130,
    cell: (c) => {
      if (ending.has(c.call_sid)) return <Status tone="off">{t('Hanging up')}</Status>
      const { tone, text } = STATUS[c.call_status] ?? { tone: 'info', text: c.call_status }
      return <Status tone={tone}>{text}</Status>
    },
  },
  {
    header: msg('Duration'),
    align: 'end',
    width: 90,
    cell: (c) => <Running at={c.started_at} skew_ms={skew_ms} />,
  },
  {
    header: msg('Application'),
    cell: (c) => thingCell('application', c.application_sid, c.application_name),
  },
  { header: msg('Carrier'), wideOnly: true, cell: (c) => c.carrier ?? unknown },
  ...accountColumn(),
]

const callCount = (n: number) => plural(n, '1 call|{n} calls')

export function Calls({ search, paused, onLost }: Tab) {
  const service_provider_sid = useCurrentProvider()
  const { tab: _, sort: __, ...list } = search
  const query = { ...paged(list), service_provider_sid }
  const live = useLive(
    [liveCalls.list.path, query],
    (seen) => send(liveCalls.list, { query: { ...query, seen } }),
    paused,
  )
  const rows = live.data?.data ?? []
  const format = usePhoneFormat(rows.flatMap((c) => [c.from ?? '', c.to ?? '']))
  const [confirming, setConfirming] = useState<LiveCall>()
  const [ending, setEnding] = useState<ReadonlySet<string>>(new Set())
  return (
    <Panel
      search={search}
      label={t('Filter calls')}
      announce={callCount}
      answer={live}
      onLost={onLost}
    >
      {live.data && <Loads {...live.data} />}
      <Table
        label={msg('Live calls')}
        columns={columns(live.data?.skew_ms ?? 0, ending, format)}
        query={live}
        search={search}
        rowKey={(c) => c.call_sid}
        {...(mayWrite() && {
          actions: (c: LiveCall) => [
            {
              label: t('Hang up'),
              icon: <PhoneOff />,
              onClick: () => setConfirming(c),
              danger: true,
              common: true,
            },
          ],
        })}
        empty={
          search.filter || search.account_sid ? (
            <NoMatch text={t('No live calls match these filters.')} />
          ) : (
            <EmptyState text={t('No calls at the moment.')} />
          )
        }
      />
      {confirming && (
        <HangUp
          call={confirming}
          onClose={() => setConfirming(undefined)}
          onDone={() => setEnding(new Set([...ending, confirming.call_sid]))}
        />
      )}
    </Panel>
  )
}
