import type { ReactNode } from 'react'
import type { fieldComponents } from './form-fields'

/**
 * A form as the parts see it that several forms share. TanStack's own type knows each form's fields by
 * name and is too wide to be passed on.
 */
export type FormLike<V extends object = Record<string, unknown>> = {
  AppField: (p: {
    name: string
    children: (field: typeof fieldComponents) => ReactNode
  }) => ReactNode
  Subscribe: <S>(p: {
    selector: (state: { values: V }) => S
    children: (selected: S) => ReactNode
  }) => ReactNode
  getFieldValue: (name: string) => unknown
  setFieldValue: (name: string, value: unknown) => void
  fieldInfo: Record<string, unknown>
  getFieldMeta: (name: string) => Meta | undefined
  setFieldMeta: (name: string, updater: (meta: Meta) => Meta) => void
}

/** What is said about a field. */
type Meta = { errorMap: { onSubmit?: unknown } }

export const formLike = <V extends object = Record<string, unknown>>(form: unknown) =>
  form as FormLike<V>
