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
  /** Of a list; what is said about its rows moves along. */
  moveFieldValues: (name: string, from: number, to: number) => void
  removeFieldValue: (name: string, index: number) => void
}

export const formLike = (form: unknown) => form as FormLike
