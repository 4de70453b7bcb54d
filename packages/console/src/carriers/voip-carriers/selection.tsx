import { type CarrierSelection, t } from '@switchroom/contract'
import { lazy } from 'react'
import { download } from '../../lib/csv'
import { voipCarriers } from '../../lib/endpoints'
import { SelectionActions, selectionOf } from '../../lib/selection-actions'
import type { Selected } from '../../lib/table'

const actions = [
  {
    label: t('Activate…'),
    dialog: lazy(async () => ({ default: (await import('./many')).ActivateCarriers })),
  },
  {
    label: t('Deactivate…'),
    dialog: lazy(async () => ({ default: (await import('./many')).DeactivateCarriers })),
  },
]
const Delete = lazy(async () => ({ default: (await import('./many')).DeleteCarriers }))

/** Actions for the selected carriers. `filters`: those of the list, used if all its rows are selected. */
export function Selection({
  filters,
  selected,
  onDone,
}: {
  filters: Extract<CarrierSelection, { matching: unknown }>['matching']
  selected: Selected
  onDone: () => void
}) {
  const select = selectionOf(selected, 'voip_carrier_sids', filters)
  return (
    <SelectionActions
      select={select}
      count={selected.count}
      actions={actions}
      exportRows={() => download(voipCarriers.exportMany, { body: { select } })}
      remove={Delete}
      onDone={onDone}
    />
  )
}
