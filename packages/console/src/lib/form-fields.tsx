import { createFormHookContexts } from '@tanstack/react-form'
import type { ComponentType } from 'react'
import { ComboboxField } from '../ui/combobox'
import { NumberField } from '../ui/number-field'
import { RadioField } from '../ui/radio-field'
import { SecretField } from '../ui/secret-field'
import { SelectField } from '../ui/select'
import { PasswordField, TextArea, TextField } from '../ui/text-field'
import { Checkbox, Switch } from '../ui/toggle'
import { plainText, sayWords } from './field-words'

export const { fieldContext, formContext, useFieldContext } = createFormHookContexts()

type Bound = 'value' | 'onChange' | 'error'
type Control<V> = {
  value: V
  onChange: (value: V) => void
  onBlur?: () => void
  error?: unknown
}

/** A field of `ui/` that reads and writes the form it stands in, and shows what is wrong with it. */
function bind<V, P extends Control<V>>(Ui: ComponentType<P>) {
  return function BoundField(props: Omit<P, Bound> & { onChange?: (value: V) => void }) {
    const field = useFieldContext<V>()
    const error = field.state.meta.errors.find(Boolean) as string | undefined
    sayWords(field.form.store, field.name, wordsOf(props))
    // the form is not told of blurs: it would take its errors away before anything was corrected
    const bound = {
      ...props,
      value: field.state.value,
      error,
      onChange: (value: V) => {
        field.handleChange(value)
        // for what depends on this field: another one is cleared, another list is loaded
        props.onChange?.(value)
      },
    }
    return <Ui {...(bound as unknown as P)} />
  }
}

type Choice = { value: string; label: string }

/** A choice reads as its label, everything else as it is. */
function wordsOf(props: object) {
  const { label, options } = props as { label?: string; options?: readonly Choice[] }
  return {
    label: label ?? '',
    text: (value: unknown) => options?.find((o) => o.value === value)?.label ?? plainText(value),
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
