import { type PhoneNumberSelection, plural, t } from '@switchroom/contract'
import { type ReactNode, useState } from 'react'
import { phoneNumbers } from '../../lib/endpoints'
import { ManyDialog, updatedText } from '../../lib/many-dialog'
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
  const { isEmpty: _, ...accounts } = useAccountChoices(account_sid)
  const { isEmpty, ...applications } = useApplicationChoices(account_sid, application)
  return (
    <ChangeDialog
      {...props}
      title={plural(props.count, 'Assign 1 phone number|Assign {n} phone numbers')}
      changing={t('Updating number routing...')}
      done={() => t('Number routing updated successfully')}
      change={account_sid ? { account_sid, application_sid: application || null } : undefined}
    >
      <ComboboxField
        label={t('Account')}
        placeholder={t('Choose an account')}
        help={t('Numbers of other accounts move to this one.')}
        value={account_sid}
        onChange={(sid) => {
          setAccount(sid)
          setApplication('')
        }}
        {...accounts}
      />
      <ComboboxField
        label={t('Application')}
        optional
        placeholder={t('None')}
        help={
          account_sid ? undefined : t('Select an account to assign applications to phone numbers.')
        }
        disabled={!account_sid}
        none={isEmpty ? t('This account has no applications') : undefined}
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
      title={plural(props.count, 'Describe 1 phone number|Describe {n} phone numbers')}
      done={updatedText(props.count, (n) =>
        plural(n, '1 phone number updated|{n} phone numbers updated'),
      )}
      change={{ description: description.trim() }}
    >
      <TextField
        label={t('Description')}
        optional
        help={t('Replaces the description of each. Leave blank to remove it.')}
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
  title: string
  changing?: string
  done: (reply: { changed: number }) => string
  /** Undefined until everything is chosen. */
  change: Change | undefined
  children: ReactNode
}) => (
  <ManyDialog
    {...rest}
    endpoint={phoneNumbers.updateMany}
    sent={change && { body: { select, ...change } }}
    noun={noun}
  />
)

export const DeleteNumbers = ({ select, ...rest }: Props) => (
  <ManyDialog
    {...rest}
    endpoint={phoneNumbers.removeMany}
    sent={{ body: { select } }}
    noun={noun}
    title={plural(rest.count, 'Delete 1 phone number|Delete {n} phone numbers')}
    done={({ deleted }) => plural(deleted, '1 phone number deleted|{n} phone numbers deleted')}
    danger
  >
    {t('Calls to these numbers are no longer routed.')}
  </ManyDialog>
)
