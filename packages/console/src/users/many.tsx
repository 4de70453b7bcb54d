import { plural, t, type UserSelection } from '@switchroom/contract'
import { type ReactNode, useState } from 'react'
import { users } from '../lib/endpoints'
import { ManyDialog, updatedText } from '../lib/many-dialog'
import { NOUNS } from '../lib/many-text'
import type { ManyProps } from '../lib/selection-actions'
import { SelectField } from '../ui/select'

type Props = ManyProps<UserSelection>
const noun = NOUNS.user

export const ActivateUsers = (props: Props) => (
  <ChangeDialog
    {...props}
    title={plural(props.count, 'Activate 1 user|Activate {n} users')}
    updated={(n) => plural(n, '1 user activated|{n} users activated')}
    change={{ is_active: 1 }}
  >
    {t('They can log in again.')}
  </ChangeDialog>
)

export const DeactivateUsers = (props: Props) => (
  <ChangeDialog
    {...props}
    title={plural(props.count, 'Deactivate 1 user|Deactivate {n} users')}
    updated={(n) => plural(n, '1 user deactivated|{n} users deactivated')}
    change={{ is_active: 0 }}
  >
    {t('They are logged out at once and can no longer log in.')}
  </ChangeDialog>
)

const CHOICES = [
  { value: '', label: t('Choose…') },
  { value: '1', label: t('View only') },
  { value: '0', label: t('View and change') },
]

export function SetViewOnly(props: Props) {
  const [chosen, setChosen] = useState('')
  return (
    <ChangeDialog
      {...props}
      title={plural(props.count, 'Change access of 1 user|Change access of {n} users')}
      change={chosen ? { is_view_only: chosen === '1' ? 1 : 0 } : undefined}
    >
      {t(
        'View-only users can see everything in scope but change nothing. Users whose access changes are logged out at once and have to log in again.',
      )}
      <SelectField label={t('Permissions')} options={CHOICES} value={chosen} onChange={setChosen} />
    </ChangeDialog>
  )
}

export const RequirePasswordChange = (props: Props) => (
  <ChangeDialog
    {...props}
    title={plural(
      props.count,
      'Require a password change for 1 user|Require a password change for {n} users',
    )}
    change={{ force_change: 1 }}
  >
    {t(
      'They have to choose a new password the next time they log in. Open sessions continue. Leave out users of single sign-on, who have no password here.',
    )}
  </ChangeDialog>
)

const ChangeDialog = ({
  select,
  change,
  updated = (n) => plural(n, '1 user updated|{n} users updated'),
  ...rest
}: Props & {
  title: string
  /** "2 users activated" */
  updated?: (changed: number) => string
  /** Undefined until something is chosen. */
  change: { [name in 'is_active' | 'is_view_only' | 'force_change']?: 0 | 1 } | undefined
  children: ReactNode
}) => (
  <ManyDialog
    {...rest}
    endpoint={users.updateMany}
    sent={change && { body: { select, ...change } }}
    noun={noun}
    done={updatedText(rest.count, updated)}
  />
)

export const DeleteUsers = ({ select, ...rest }: Props) => (
  <ManyDialog
    {...rest}
    endpoint={users.removeMany}
    sent={{ body: { select } }}
    noun={noun}
    title={plural(rest.count, 'Delete 1 user|Delete {n} users')}
    done={({ deleted }) => plural(deleted, '1 user deleted|{n} users deleted')}
    danger
  >
    {t('They are logged out at once and can no longer log in.')}
  </ManyDialog>
)
