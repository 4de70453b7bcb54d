import type { ReactNode } from 'react'
import { fieldComponents } from './form-fields'
import type { FormControls, FormLike } from './form-like'
import { keysOf } from './records'

/** The controls of a form, each with the value and error of its field: `<form.TextField name="email" label="Email" />`. */
export const formControls = <V extends object>(AppField: FormLike<V>['AppField']) =>
  Object.fromEntries(
    keysOf(fieldComponents).map((control) => {
      const Control = fieldComponents[control] as (props: object) => ReactNode
      return [
        control,
        ({ name, ...props }: { name: string }) => (
          <AppField name={name}>{() => <Control {...props} />}</AppField>
        ),
      ]
    }),
    // each takes the props of its control
  ) as unknown as FormControls<V>
