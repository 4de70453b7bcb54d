import { type PhoneNumberSelection, t } from '@switchroom/contract'
import { lazy } from 'react'
import { ownAccount } from '../../lib/access'
import { download } from '../../lib/csv'
import { phoneNumbers } from '../../lib/endpoints'
import { SelectionActions, selectionOf } from '../../lib/selection-actions'
import type { Selected } from '../../lib/table'
import { useCapabilities } from '../../lib/use-capabilities'
import { Assign } from './assign'
import { mayAddAndDelete } from './may'

const Move = lazy(async () => ({ default: (await import('./many')).MoveNumbers }))
const Describe = lazy(async () => ({ default: (await import('./many')).DescribeNumbers }))
const Delete = lazy(async () => ({ default: (await import('./many')).DeleteNumbers }))

/** Actions for the selected numbers. `filters`: those of the list, used if all its rows are selected. */
export function Selection({
  account_sid,
  filters,
  selected,
  onDone,
}: {
  /** The account whose numbers are listed, if it is one. */
  account_sid: string | undefined
  filters: Extract<PhoneNumberSelection, { matching: unknown }>['matching']
  selected: Selected
  onDone: () => void
}) {
  const ours = !!useCapabilities()
  const select = selectionOf(selected, 'phone_number_sids', filters)
  return (
    <>
      {account_sid && <Assign account_sid={account_sid} select={select} onDone={onDone} />}
      {ours && (
        <SelectionActions
          select={select}
          count={selected.count}
          actions={[
            ...(ownAccount()
              ? []
              : [{ label: account_sid ? t('Move…') : t('Assign…'), dialog: Move }]),
            { label: t('Describe…'), dialog: Describe },
          ]}
          exportRows={() => download(phoneNumbers.exportMany, { body: { select } })}
          remove={mayAddAndDelete() ? Delete : undefined}
          onDone={onDone}
        />
      )}
    </>
  )
}
