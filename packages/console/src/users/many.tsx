import type { UserSelection } from '@switchroom/contract'
import { type ReactNode, useState } from 'react'
import { users } from '../lib/endpoints'
import { deletedText, ManyDialog, updatedText } from '../lib/many-dialog'
import { NOUNS } from '../lib/many-text'
import type { ManyProps } from '../lib/selection-actions'
import { SelectField } from '../ui/select'

type Props = ManyProps<UserSelection>
const noun = NOUNS.user

export const ActivateUsers = (props: Props) => (
  <ChangeDialog {...props} verb="Activate" updated="activated" change={{ is_active: 1 }}>
    They can log in again.
  </ChangeDialog>
)

export const DeactivateUsers = (props: Props) => (
  <ChangeDialog {...props} verb="Deactivate" updated="deactivated" change={{ is_active: 0 }}>
    They are logged out at once and can no longer log in.
  </ChangeDialog>
)

const CHOICES = [
  { value: '', label: 'Choose…' },
  { value: '1', label: 'View only' },
  { value: '0', label: 'View and change' },
]

export function SetViewOnly(props: Props) {
  const [chosen, setChosen] = useState('')
  return (
    <ChangeDialog
      {...props}
      verb="Change access of"
      change={chosen ? { is_view_only: chosen === '1' ? 1 : 0 } : undefined}
    >
      View-only users can see everything in scope but change nothing. Users whose access changes are
      logged out at once and have to log in again.
      <SelectField label="Permissions" options={CHOICES} value={chosen} onChange={setChosen} />
    </ChangeDialog>
  )
}

export const RequirePasswordChange = (props: Props) => (
  <ChangeDialog {...props} verb="Require a password change for" change={{ force_change: 1 }}>
    They have to choose a new password the next time they log in. Open sessions continue. Leave out
    users of single sign-on, who have no password here.
  </ChangeDialog>
)

const ChangeDialog = ({
  select,
  change,
  updated,
  ...rest
}: Props & {
  verb: string
  /** "activated" */
  updated?: string
  /** Undefined until something is chosen. */
  change: { [name in 'is_active' | 'is_view_only' | 'force_change']?: 0 | 1 } | undefined
  children: ReactNode
}) => (
  <ManyDialog
    {...rest}
    endpoint={users.updateMany}
    sent={change && { body: { select, ...change } }}
    noun={noun}
    done={updatedText(rest.count, noun, updated)}
  />
)

export const DeleteUsers = ({ select, ...rest }: Props) => (
  <ManyDialog
    {...rest}
    endpoint={users.removeMany}
    sent={{ body: { select } }}
    noun={noun}
    verb="Delete"
    done={deletedText(noun)}
    danger
  >
    They are logged out at once and can no longer log in.
  </ManyDialog>
)
