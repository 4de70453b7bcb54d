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
  /** After the choice; for what depends on it. */
  onChange?: (sid: string) => void
}
const { ComboboxField } = fieldComponents

export function AccountField({ label = 'Account', placeholder, ...props }: Props) {
  const choices = useAccountChoices(useFieldContext<string>().state.value)
  return (
    <ComboboxField
      label={label}
      placeholder={placeholder ?? 'Choose an account'}
      {...choices}
      {...props}
    />
  )
}

/** The applications of one account; nothing to choose before that is chosen. */
export function ApplicationField({
  account_sid,
  label = 'Application',
  placeholder = 'Choose application',
  ...props
}: Props & { account_sid: string }) {
  const choices = useApplicationChoices(account_sid, useFieldContext<string>().state.value)
  return (
    <ComboboxField
      label={label}
      placeholder={account_sid ? placeholder : 'Choose an account first'}
      none="This account has no applications"
      {...choices}
      {...props}
      disabled={props.disabled || account_sid === ''}
    />
  )
}

export function CarrierField({
  account_sid,
  label = 'Carrier',
  placeholder = 'Choose a carrier',
  ...props
}: Props & { account_sid: string }) {
  const choices = useCarrierChoices(account_sid)
  return <ComboboxField label={label} placeholder={placeholder} {...choices} {...props} />
}
