import type { PhoneNumberSelection } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../lib/api'
import { phoneNumbers } from '../../lib/endpoints'
import { useApplicationChoices } from '../../lib/pickers'
import { Button } from '../../ui/button'
import { ComboboxButton } from '../../ui/combobox-button'
import { Dialog, DialogFoot } from '../../ui/dialog'
import { toastSuccess } from '../../ui/toast'
import { RefusedNumbers } from './refused-numbers'

const NONE = 'none'

/** Assigns the selected numbers to one application, or to none. */
export function Assign({
  account_sid,
  select,
  onDone,
}: {
  account_sid: string
  select: PhoneNumberSelection
  onDone: () => void
}) {
  const [chosen, setChosen] = useState('')
  const { nothing: _, ...choices } = useApplicationChoices(
    account_sid,
    chosen === NONE ? '' : chosen,
  )
  const change = useMutation({
    mutationFn: (application_sid: string | null) =>
      send(phoneNumbers.updateMany, { body: { select, application_sid } }),
    onSuccess: () => {
      toastSuccess('Number routing updated successfully')
      onDone()
    },
  })
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
        onClick={() => change.mutate(chosen === NONE ? null : chosen)}
      >
        {change.isPending ? 'Updating number routing...' : 'Apply'}
      </Button>
      {change.error && (
        <Dialog open onClose={() => change.reset()} title="The number routing was not updated">
          <RefusedNumbers error={change.error} />
          <DialogFoot>
            <Button onClick={() => change.reset()}>Close</Button>
          </DialogFoot>
        </Dialog>
      )}
    </>
  )
}
