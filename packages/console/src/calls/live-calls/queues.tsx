import { msg, plural, type QueueOrConference, t } from '@switchroom/contract'
import { accountColumn } from '../../lib/account-column'
import { send } from '../../lib/api'
import { queues } from '../../lib/endpoints'
import { paged } from '../../lib/list-search'
import { NoMatch } from '../../lib/no-match'
import { type Column, Table } from '../../lib/table'
import { useCurrentProvider } from '../../lib/use-provider'
import { EmptyState } from '../../ui/states'
import { Panel, type Tab } from './panel'
import { useLive } from './use-live'

const columns = (): Column<QueueOrConference>[] => [
  { header: msg('Name'), cell: (g) => g.name },
  { header: msg('Kind'), cell: (g) => (g.kind === 'queue' ? t('Queue') : t('Conference')) },
  { header: msg('Waiting'), align: 'end', width: 90, cell: (g) => g.length },
  ...accountColumn(),
]

export function Queues({ search, paused, onLost }: Tab) {
  const service_provider_sid = useCurrentProvider()
  const { tab: _, sort: __, ...list } = search
  const query = { ...paged(list), service_provider_sid }
  const live = useLive(
    [queues.list.path, query],
    (seen) => send(queues.list, { query: { ...query, seen } }),
    paused,
  )
  return (
    <Panel
      search={search}
      label={t('Filter queues and conferences')}
      announce={(n) => plural(n, '1 queue or conference|{n} queues and conferences')}
      answer={live}
      onLost={onLost}
    >
      <Table
        label={msg('Queues and conferences')}
        columns={columns()}
        query={live}
        search={search}
        rowKey={(g) => `${g.kind} ${g.account_sid} ${g.name}`}
        empty={
          search.filter || search.account_sid ? (
            <NoMatch text={t('No queues or conferences match these filters.')} />
          ) : (
            <EmptyState text={t('No queues or conferences at the moment.')} />
          )
        }
      />
    </Panel>
  )
}
