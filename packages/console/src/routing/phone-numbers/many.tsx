import type { PhoneNumberSelection } from '@switchroom/contract'
import { type ReactNode, useState } from 'react'
import { phoneNumbers } from '../../lib/endpoints'
import { deletedText, ManyDialog, updatedText } from '../../lib/many-dialog'
import { NOUNS } from '../../lib/many-text'
import { useAccountChoices, useApplicationChoices } from '../../lib/pickers'
import type { ManyProps } from '../../lib/selection-actions'
import { ComboboxField } from '../../ui/combobox-field'
import { TextField } from '../../ui/text-field'

type Props = ManyProps<PhoneNumberSelection>
const noun = NOUNS.phoneNumber

/** Assigns numbers to an account, and to one of its applications or none. */
export function MoveNumbers(props: Props) {
  const [account_sid, setAccount] = useState('')
  const [application, setApplication] = useState('')
  const { nothing: _, ...accounts } = useAccountChoices(account_sid)
  const { nothing, ...applications } = useApplicationChoices(account_sid, application)
  return (
    <ChangeDialog
      {...props}
      verb="Assign"
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
    <ChangeDialog {...props} verb="Describe" change={{ description: description.trim() }}>
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

const ChangeDialog = ({
  select,
  change,
  ...rest
}: Props & {
  verb: string
  /** Undefined until everything is chosen. */
  change: Change | undefined
  children: ReactNode
}) => (
  <ManyDialog
    {...rest}
    endpoint={phoneNumbers.updateMany}
    sent={change && { body: { select, ...change } }}
    noun={noun}
    done={updatedText(rest.count, noun)}
  />
)

export const DeleteNumbers = ({ select, ...rest }: Props) => (
  <ManyDialog
    {...rest}
    endpoint={phoneNumbers.removeMany}
    sent={{ body: { select } }}
    noun={noun}
    verb="Delete"
    done={deletedText(noun)}
    danger
  >
    Calls to these numbers are no longer routed.
  </ManyDialog>
)
