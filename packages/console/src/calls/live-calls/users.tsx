import { msg, plural, type RegisteredUser, t } from '@switchroom/contract'
import { accountColumn } from '../../lib/account-column'
import { send } from '../../lib/api'
import { registeredUsers } from '../../lib/endpoints'
import { paged } from '../../lib/list-search'
import { NoMatch } from '../../lib/no-match'
import { type Column, Table } from '../../lib/table'
import { useCurrentProvider } from '../../lib/use-provider'
import { EmptyState } from '../../ui/states'
import { Status } from '../../ui/status'
import { Panel, type Tab } from './panel'
import { Running } from './running'
import { useLive, useNow } from './use-live'

const unknown = <span className="none">{t('Unknown')}</span>

/** A registration may expire between two polls. */
function Registered({ until, skew_ms }: { until: string; skew_ms: number }) {
  return useNow() + skew_ms < Date.parse(until) ? (
    <Status tone="ok">{t('Registered')}</Status>
  ) : (
    <Status tone="off">{t('Expired')}</Status>
  )
}

const columns = (skew_ms: number): Column<RegisteredUser>[] => [
  { header: msg('User'), cell: (u) => u.name },
  { header: msg('Contact'), cell: (u) => u.contact ?? unknown },
  { header: msg('Transport'), width: 100, cell: (u) => u.transport?.toUpperCase() ?? unknown },
  {
    header: msg('Expires in'),
    align: 'end',
    width: 100,
    cell: (u) => <Running at={u.expires_at} skew_ms={skew_ms} until />,
  },
  {
    header: msg('Status'),
    width: 130,
    cell: (u) => <Registered until={u.expires_at} skew_ms={skew_ms} />,
  },
  ...accountColumn(),
]

export function RegisteredUsers({ search, paused, onLost }: Tab) {
  const service_provider_sid = useCurrentProvider()
  const { tab: _, sort: __, ...list } = search
  const query = { ...paged(list), service_provider_sid }
  const live = useLive(
    [registeredUsers.list.path, query],
    (seen) => send(registeredUsers.list, { query: { ...query, seen } }),
    paused,
  )
  return (
    <Panel
      search={search}
      label={t('Filter registered users')}
      announce={(n) => plural(n, '1 registered user|{n} registered users')}
      answer={live}
      onLost={onLost}
    >
      <Table
        label={msg('Registered users')}
        columns={columns(live.data?.skew_ms ?? 0)}
        query={live}
        search={search}
        rowKey={(u) => u.name}
        empty={
          search.filter || search.account_sid ? (
            <NoMatch text={t('No registered users match these filters.')} />
          ) : (
            <EmptyState text={t('No registered users at the moment.')} />
          )
        }
      />
    </Panel>
  )
}
