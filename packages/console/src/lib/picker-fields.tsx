import { t } from '@switchroom/contract'
import { useState } from 'react'
import type { Option } from '../ui/combobox'
import { fieldComponents, useFieldContext } from './form-fields'
import { useAccountChoices, useApplicationChoices, useCarrierChoices } from './pickers'

// inside a form's AppField: <form.AppField name="account_sid">{() => <AccountField />}</form.AppField>

type Props = {
  label?: string
  help?: string
  optional?: boolean
  disabled?: boolean
  placeholder?: string
  none?: string
  /** Called after a choice, for dependent fields. */
  onChange?: (sid: string) => void
}
const { ComboboxField } = fieldComponents

export function AccountField({ label = t('Account'), placeholder, none, ...props }: Props) {
  const { isEmpty, ...choices } = useAccountChoices(useFieldContext<string>().state.value)
  return (
    <ComboboxField
      label={label}
      placeholder={placeholder ?? t('Choose an account')}
      {...choices}
      {...props}
      none={isEmpty ? none : undefined}
    />
  )
}

/** The applications of one account; disabled until an account is chosen. */
export function ApplicationField({
  account_sid,
  label = t('Application'),
  placeholder = t('Choose application'),
  none = t('This account has no applications'),
  stored,
  ...props
}: Props & {
  account_sid: string
  /** The stored choice, if its name came with the edited resource. */
  stored?: Option | undefined
}) {
  const chosen = useFieldContext<string>().state.value
  const [opened, setOpened] = useState(false)
  const { isEmpty, ...choices } = useApplicationChoices(account_sid, chosen, opened, stored)
  return (
    <ComboboxField
      label={label}
      placeholder={account_sid ? placeholder : t('Choose an account first')}
      onOpen={() => setOpened(true)}
      {...choices}
      {...props}
      none={isEmpty ? none : undefined}
      disabled={props.disabled || account_sid === ''}
    />
  )
}

export function CarrierField({
  account_sid,
  label = t('Carrier'),
  placeholder = t('Choose a carrier'),
  none,
  ofAccounts = false,
  ...props
}: Props & {
  account_sid: string
  /** Offers those of all accounts. */
  ofAccounts?: boolean
}) {
  const chosen = useFieldContext<string>().state.value
  const { isEmpty, ...choices } = useCarrierChoices(account_sid, { chosen, ofAccounts })
  return (
    <ComboboxField
      label={label}
      placeholder={placeholder}
      {...choices}
      {...props}
      none={isEmpty ? none : undefined}
    />
  )
}
