import type { PhoneNumberSelection } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { ownAccount } from '../../lib/access'
import { download } from '../../lib/csv'
import { phoneNumbers } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import type { Selected } from '../../lib/table'
import { useCapabilities } from '../../lib/use-capabilities'
import { Button } from '../../ui/button'
import { toastError } from '../../ui/toast'
import { Assign } from './assign'
import { mayAddAndDelete } from './may'

const dialogs = {
  move: lazy(async () => ({ default: (await import('./many')).MoveNumbers })),
  describe: lazy(async () => ({ default: (await import('./many')).DescribeNumbers })),
  delete: lazy(async () => ({ default: (await import('./many')).DeleteNumbers })),
}

/** What can be done with the selected numbers. `filters`: those of the list, in case all its rows are selected. */
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
  const [opened, setOpened] = useState<keyof typeof dialogs>()
  const { all, keys, count } = selected
  const select = all ? { matching: filters } : { phone_number_sids: keys }
  const save = useMutation({
    mutationFn: () => download(phoneNumbers.exportMany, { body: { select } }),
    onError: (e) => toastError(messageOf(e)),
  })
  const ours = !!useCapabilities()
  const Opened = opened && dialogs[opened]
  const action = (label: string, dialog: keyof typeof dialogs) => (
    <Button size="small" onClick={() => setOpened(dialog)}>
      {label}
    </Button>
  )
  return (
    <>
      {account_sid && <Assign account_sid={account_sid} select={select} onDone={onDone} />}
      {ours && (
        <>
          {!ownAccount() && action(account_sid ? 'Move…' : 'Assign…', 'move')}
          {action('Describe…', 'describe')}
          <Button size="small" busy={save.isPending} onClick={() => save.mutate()}>
            Export selected
          </Button>
          {mayAddAndDelete() && action('Delete…', 'delete')}
        </>
      )}
      <Suspense>
        {Opened && (
          <Opened
            select={select}
            count={count}
            onClose={() => setOpened(undefined)}
            onDone={onDone}
          />
        )}
      </Suspense>
    </>
  )
}
