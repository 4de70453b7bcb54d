import { createFormHookContexts } from '@tanstack/react-form'
import type { ComponentType } from 'react'
import { ComboboxField } from '../ui/combobox-field'
import { NumberField } from '../ui/number-field'
import { RadioField } from '../ui/radio-field'
import { SecretField } from '../ui/secret-field'
import { SelectField } from '../ui/select'
import { PasswordField, TextArea, TextField } from '../ui/text-field'
import { Checkbox, Switch } from '../ui/toggle'
import { setFieldText, textOfValue } from './field-text'

export const { fieldContext, formContext, useFieldContext } = createFormHookContexts()

/** The first error of a field. */
export const errorOf = (meta: { errors: readonly unknown[] }) =>
  meta.errors.find((error): error is string => typeof error === 'string' && error !== '')

/** The list field rendered here, with its text for the conflict dialog. */
export function useListField<Row>(label: string, text: (rows: readonly Row[]) => string) {
  const field = useFieldContext<Row[]>()
  setFieldText(field.form.store, field.name, {
    label,
    // both versions of the list come from the form's own values
    text: (rows) => text(rows as Row[]),
  })
  return field
}

type Bound = 'value' | 'onChange' | 'error'
type Control<V> = {
  value: V
  onChange: (value: V) => void
  onBlur?: () => void
  error?: unknown
}

/** Binds a control of `ui/` to the form field it is rendered in, with its value and error. */
function bind<V, P extends Control<V>>(Ui: ComponentType<P>) {
  return function BoundField(props: Omit<P, Bound> & Labelled & { onChange?: (value: V) => void }) {
    const field = useFieldContext<V>()
    const error = errorOf(field.state.meta)
    setFieldText(field.form.store, field.name, textOf(props))
    // no onBlur: the form would clear errors before anything was corrected
    const bound = {
      ...props,
      value: field.state.value,
      error,
      onChange: (value: V) => {
        field.handleChange(value)
        // for dependent fields, which are cleared or get another list
        props.onChange?.(value)
      },
    }
    // the other members of P are in props
    return <Ui {...(bound as unknown as P)} />
  }
}

type Choice = { value: string; label: string; note?: string | undefined }
type Labelled = { label: string; options?: readonly Choice[] }

/** An option reads as its label, any other value as itself. */
function textOf({ label, options }: Labelled) {
  return {
    label,
    text: (value: unknown) => options?.find((o) => o.value === value)?.label ?? textOfValue(value),
  }
}

export const fieldComponents = {
  TextField: bind<string, Parameters<typeof TextField>[0]>(TextField),
  PasswordField: bind<string, Parameters<typeof PasswordField>[0]>(PasswordField),
  TextArea: bind<string, Parameters<typeof TextArea>[0]>(TextArea),
  NumberField: bind<number | null, Parameters<typeof NumberField>[0]>(NumberField),
  SelectField: bind<string, Parameters<typeof SelectField>[0]>(SelectField),
  RadioField: bind<string, Parameters<typeof RadioField>[0]>(RadioField),
  ComboboxField: bind<string, Parameters<typeof ComboboxField>[0] & { onBlur?: () => void }>(
    ComboboxField,
  ),
  SecretField: bind<string | undefined, Parameters<typeof SecretField>[0]>(SecretField),
  Checkbox: bind<boolean, Parameters<typeof Checkbox>[0]>(Checkbox),
  Switch: bind<boolean, Parameters<typeof Switch>[0]>(Switch),
}
