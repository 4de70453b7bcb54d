import { t, type UserSelection } from '@switchroom/contract'
import { lazy } from 'react'
import { download } from '../lib/csv'
import { users } from '../lib/endpoints'
import { SelectionActions, selectionOf } from '../lib/selection-actions'
import type { Selected } from '../lib/table'

const actions = [
  {
    label: t('Activate…'),
    dialog: lazy(async () => ({ default: (await import('./many')).ActivateUsers })),
  },
  {
    label: t('Deactivate…'),
    dialog: lazy(async () => ({ default: (await import('./many')).DeactivateUsers })),
  },
  {
    label: t('View-only access…'),
    dialog: lazy(async () => ({ default: (await import('./many')).SetViewOnly })),
  },
  {
    label: t('Require password change…'),
    dialog: lazy(async () => ({ default: (await import('./many')).RequirePasswordChange })),
  },
]
const Delete = lazy(async () => ({ default: (await import('./many')).DeleteUsers }))

/** Actions for the selected users. `filters`: those of the list, used if all its rows are selected. */
export function Selection({
  filters,
  selected,
  onDone,
}: {
  filters: Extract<UserSelection, { matching: unknown }>['matching']
  selected: Selected
  onDone: () => void
}) {
  const select = selectionOf(selected, 'user_sids', filters)
  return (
    <SelectionActions
      select={select}
      count={selected.count}
      actions={actions}
      exportRows={() => download(users.exportMany, { body: { select } })}
      remove={Delete}
      onDone={onDone}
    />
  )
}
