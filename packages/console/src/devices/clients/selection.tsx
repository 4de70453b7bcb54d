import { type ClientSelection, t } from '@switchroom/contract'
import { lazy } from 'react'
import { download } from '../../lib/csv'
import { clients } from '../../lib/endpoints'
import { SelectionActions, selectionOf } from '../../lib/selection-actions'
import type { Selected } from '../../lib/table'

const actions = [
  {
    label: t('Activate…'),
    dialog: lazy(async () => ({ default: (await import('./many')).ActivateClients })),
  },
  {
    label: t('Deactivate…'),
    dialog: lazy(async () => ({ default: (await import('./many')).DeactivateClients })),
  },
  {
    label: t('Direct calling…'),
    dialog: lazy(async () => ({ default: (await import('./many')).SetDirectCalling })),
  },
]
const Delete = lazy(async () => ({ default: (await import('./many')).DeleteClients }))

/** Actions for the selected clients. `filters`: those of the list, used if all its rows are selected. */
export function Selection({
  filters,
  selected,
  onDone,
}: {
  filters: Extract<ClientSelection, { matching: unknown }>['matching']
  selected: Selected
  onDone: () => void
}) {
  const select = selectionOf(selected, 'client_sids', filters)
  return (
    <SelectionActions
      select={select}
      count={selected.count}
      actions={actions}
      exportRows={() => download(clients.exportMany, { body: { select } })}
      remove={Delete}
      onDone={onDone}
    />
  )
}
