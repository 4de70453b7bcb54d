import type { PhoneNumberSelection } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { send } from '../../lib/api'
import { phoneNumbers } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { useAccountChoices, useApplicationChoices } from '../../lib/pickers'
import { Button } from '../../ui/button'
import { ComboboxField } from '../../ui/combobox-field'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { Dialog, DialogFoot } from '../../ui/dialog'
import { TextField } from '../../ui/text-field'
import { toastSuccess } from '../../ui/toast'
import { RefusedNumbers } from './refused-numbers'

type Props = {
  select: PhoneNumberSelection
  count: number
  onClose: () => void
  /** After it is done, which clears the selection. */
  onDone: () => void
}

const numbersText = (n: number) => (n === 1 ? '1 phone number' : `${n} phone numbers`)
/** With more than this, deleting asks for the number to be typed. */
const MANY = 100

/** Assigns numbers to an account, and to one of its applications or none. */
export function MoveNumbers(props: Props) {
  const [account_sid, setAccount] = useState('')
  const [application, setApplication] = useState('')
  const { nothing: _, ...accounts } = useAccountChoices(account_sid)
  const { nothing, ...applications } = useApplicationChoices(account_sid, application)
  return (
    <ChangeDialog
      {...props}
      title={`Assign ${numbersText(props.count)}`}
      change={account_sid ? { account_sid, application_sid: application || null } : undefined}
    >
      <ComboboxField
        label="Account"
        placeholder="Choose an account"
        help="Numbers of other accounts move to this one."
        value={account_sid}
        onChange={(sid) => {
          setAccount(sid)
          setApplication('')
        }}
        {...accounts}
      />
      <ComboboxField
        label="Application"
        optional
        placeholder={account_sid ? 'None' : 'Choose an account first'}
        disabled={!account_sid}
        none={nothing ? 'This account has no applications' : undefined}
        value={application}
        onChange={setApplication}
        {...applications}
      />
    </ChangeDialog>
  )
}

/** Gives numbers the same description. */
export function DescribeNumbers(props: Props) {
  const [description, setDescription] = useState('')
  return (
    <ChangeDialog
      {...props}
      title={`Describe ${numbersText(props.count)}`}
      change={{ description: description.trim() }}
    >
      <TextField
        label="Description"
        optional
        help="Replaces the description of each. Leave blank to remove it."
        maxLength={255}
        value={description}
        onChange={setDescription}
      />
    </ChangeDialog>
  )
}

type Change = {
  account_sid?: string
  application_sid?: string | null
  description?: string
}

function ChangeDialog({
  select,
  count,
  title,
  change,
  onClose,
  onDone,
  children,
}: Props & {
  title: string
  /** Undefined until everything is chosen. */
  change: Change | undefined
  children: ReactNode
}) {
  const save = useMutation({
    mutationFn: (chosen: Change) => send(phoneNumbers.updateMany, { body: { select, ...chosen } }),
    onSuccess: ({ changed }) => {
      toastSuccess(
        changed === count
          ? `${numbersText(changed)} updated`
          : `${numbersText(changed)} updated, ${count - changed} unchanged`,
      )
      onClose()
      onDone()
    },
  })
  return (
    <Dialog open onClose={onClose} title={title}>
      <form
        className="dialog-body"
        onSubmit={(e) => {
          e.preventDefault()
          if (change && !save.isPending) save.mutate(change)
        }}
      >
        {children}
        <RefusedNumbers error={save.error} />
        <DialogFoot>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={save.isPending} disabled={!change}>
            {save.isPending ? `Updating ${numbersText(count)}…` : `Update ${numbersText(count)}`}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}

export function DeleteNumbers({ select, count, onClose, onDone }: Props) {
  const remove = useMutation({
    mutationFn: () => send(phoneNumbers.removeMany, { body: { select } }),
    onSuccess: ({ deleted }) => {
      toastSuccess(`${numbersText(deleted)} deleted`)
      onClose()
      onDone()
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${numbersText(count)}`}
      confirm={`Delete ${numbersText(count)}`}
      busy={remove.isPending}
      typeName={count > MANY ? String(count) : undefined}
      error={remove.error ? messageOf(remove.error) : undefined}
      onConfirm={() => remove.mutate()}
    >
      Calls to these numbers are no longer routed.
    </ConfirmDialog>
  )
}
