import type { ReactNode } from 'react'
import type { fieldComponents } from './form-fields'

/**
 * A form as the parts see it that several forms share. TanStack's own type knows each form's fields by
 * name and is too wide to be passed on.
 */
export type FormLike<V extends object = Record<string, unknown>> = {
  state: { values: V }
  AppField: (p: {
    name: string
    children: (field: typeof fieldComponents) => ReactNode
  }) => ReactNode
  Subscribe: <S>(p: {
    selector: (state: { values: V }) => S
    children: (selected: S) => ReactNode
  }) => ReactNode
  /** A member by its name has its type; `routes[0].regex` is whatever stands there. */
  getFieldValue: {
    <K extends keyof V & string>(name: K): V[K]
    (name: string): unknown
  }
  setFieldValue: (name: string, value: unknown) => void
  fieldInfo: Record<string, { instance: unknown } | undefined>
  getFieldMeta: (name: string) => Meta | undefined
  setFieldMeta: (name: string, updater: (meta: Meta) => Meta) => void
}

/** What is said about a field. */
type Meta = { errorMap: { onSubmit?: unknown } }

/** Of a form of `useApiForm`, the part that does not depend on its fields' names. */
export const formLike = <V extends object>(form: { state: { values: V } }) =>
  // TanStack's form has all of these; its names are narrower, which TypeScript cannot compare in time
  form as FormLike<V>
