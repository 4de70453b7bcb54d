import type { ReactNode } from 'react'
import type { fieldComponents } from './form-fields'

type Fields = typeof fieldComponents
/** A member of a form's values, or one within it: `routes[0].regex`, `limits.api_rate`. */
type FieldName<V> = (keyof V & string) | `${string}[${number}]${string}` | `${string}.${string}`

/** A component as a method: a form passes for one of which fewer fields are known. */
type Control<P> = { render(props: P): ReactNode }['render']
export type FormControls<V extends object> = {
  [C in keyof Fields]: Control<Parameters<Fields[C]>[0] & { name: FieldName<V> }>
}

/**
 * A form as seen by components that several forms share. TanStack's own type, which knows every field by
 * name, is too large to pass on.
 */
export type FormLike<V extends object = Record<string, unknown>> = FormControls<V> & {
  state: { values: V }
  store: {
    state: { values: V }
    subscribe: (listen: (state: { values: V }) => void) => { unsubscribe: () => void }
  }
  AppField: (p: {
    name: string
    children: (field: typeof fieldComponents) => ReactNode
  }) => ReactNode
  Subscribe: <S>(p: {
    selector: (state: { values: V }) => S
    children: (selected: S) => ReactNode
  }) => ReactNode
  /** Typed for a top-level member; a path such as `routes[0].regex` gives unknown. */
  getFieldValue: {
    <K extends keyof V & string>(name: K): V[K]
    (name: string): unknown
  }
  setFieldValue: (name: string, value: unknown) => void
  fieldInfo: Record<string, { instance: unknown } | undefined>
  getFieldMeta: (name: string) => Meta | undefined
  setFieldMeta: (name: string, updater: (meta: Meta) => Meta) => void
}

/** A field's meta data, as far as it is used here. */
type Meta = { errorMap: { onSubmit?: unknown } }

/** The part of a TanStack form that does not depend on its fields' names. */
export const formLike = <V extends object>(form: { state: { values: V } }) =>
  // TanStack's form has all of these members, with names narrowed to its own fields
  form as FormLike<V>
