import type { ComponentType } from 'react'
import type { fieldComponents } from './form-fields'
import { formLike } from './form-like'

type Fields = typeof fieldComponents
/** A member of a form's values, or one within it: `routes[0].regex`, `limits.api_rate`. */
type Name<V> = (keyof V & string) | `${string}[${number}]${string}` | `${string}.${string}`

/** A field of a form: a control of `ui/` with the value and error of that name. */
export const FormField = <V extends object, C extends keyof Fields>({
  of,
  as,
  name,
  ...props
}: {
  of: { state: { values: V } }
  as: C
  name: Name<V>
} & Parameters<Fields[C]>[0]) => {
  const { AppField } = formLike(of)
  return (
    <AppField name={name}>
      {(field) => {
        const Control = field[as] as ComponentType<object>
        return <Control {...props} />
      }}
    </AppField>
  )
}
