import { ApiError } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../lib/api'
import { phoneNumbers } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { useApplicationChoices } from '../../lib/pickers'
import type { Selected } from '../../lib/table'
import { Button } from '../../ui/button'
import { ComboboxButton } from '../../ui/combobox-button'
import { Dialog, DialogFoot } from '../../ui/dialog'
import { toastSuccess } from '../../ui/toast'

const NONE = 'none'

type Change = {
  account_sid: string
  filter: string | undefined
  selected: Selected
  application_sid: string | null
}

/** All of them in one request. */
function assign({ account_sid, filter, selected, application_sid }: Change) {
  const { all, keys } = selected
  return send(phoneNumbers.updateMany, {
    body: {
      select: all ? { matching: { account_sid, filter } } : { phone_number_sids: keys },
      application_sid,
    },
  })
}

/** Assigns the selected numbers to one application, or to none. */
export function Assign({
  account_sid,
  filter,
  selected,
  onDone,
}: {
  account_sid: string
  filter: string | undefined
  selected: Selected
  onDone: () => void
}) {
  const [chosen, setChosen] = useState('')
  const { nothing: _, ...choices } = useApplicationChoices(
    account_sid,
    chosen === NONE ? '' : chosen,
  )
  const change = useMutation({
    mutationFn: assign,
    onSuccess: () => {
      toastSuccess('Number routing updated successfully')
      onDone()
    },
  })
  const apply = () =>
    change.mutate({
      account_sid,
      filter,
      selected,
      application_sid: chosen === NONE ? null : chosen,
    })
  const rows = change.error instanceof ApiError ? change.error.body.issues : []
  return (
    <>
      <ComboboxButton
        label="Application"
        placeholder="Choose application"
        value={chosen}
        onChange={setChosen}
        {...choices}
        options={[{ value: NONE, label: 'None' }, ...choices.options]}
      />
      <Button
        look="primary"
        size="small"
        busy={change.isPending}
        disabled={!chosen}
        onClick={apply}
      >
        {change.isPending ? 'Updating number routing...' : 'Apply'}
      </Button>
      {change.error && (
        <Dialog open onClose={() => change.reset()} title="The number routing was not updated">
          <p role="alert">{messageOf(change.error)}</p>
          {rows.length > 0 && (
            <ul className="problems">
              {rows.map((row) => (
                <li key={row.path.join()}>
                  {row.path.at(-1)}: {row.message}
                </li>
              ))}
            </ul>
          )}
          <DialogFoot>
            <Button onClick={() => change.reset()}>Close</Button>
          </DialogFoot>
        </Dialog>
      )}
    </>
  )
}
