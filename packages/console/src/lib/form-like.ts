import type { ReactNode } from 'react'
import type { fieldComponents } from './form-fields'

/**
 * A form as the parts see it that several forms share. TanStack's own type knows each form's fields by
 * name and is too wide to be passed on.
 */
export type FormLike = {
  AppField: (p: {
    name: string
    children: (field: typeof fieldComponents) => ReactNode
  }) => ReactNode
  Subscribe: <V>(p: {
    selector: (state: { values: Record<string, unknown> }) => V
    children: (value: V) => ReactNode
  }) => ReactNode
  getFieldValue: (name: string) => unknown
  setFieldValue: (name: string, value: unknown) => void
  fieldInfo: Record<string, unknown>
  getFieldMeta: (name: string) => Meta | undefined
  setFieldMeta: (name: string, updater: (meta: Meta) => Meta) => void
}

/** What is said about a field. */
type Meta = { errorMap: { onSubmit?: unknown } }

export const formLike = (form: unknown) => form as FormLike
