import { ApiError, type Endpoint, type Issue, type Reply, type Sent } from '@switchroom/contract'
import { createFormHook } from '@tanstack/react-form'
import { useMutation } from '@tanstack/react-query'
import { Link, useBlocker } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ConfirmDialog } from '../ui/confirm-dialog'
import { FormShell, focusFirstError } from '../ui/form-shell'
import { toastOk } from '../ui/toast'
import { mayWrite } from './access'
import { send } from './api'
import { keepDraft, takeDraft } from './draft'
import { messageOf, requestIdOf } from './failure'
import { fieldComponents, fieldContext, formContext } from './form-fields'
import { isLeaving, onBeforeLeaving } from './session'

const { useAppForm } = createFormHook({
  fieldContext,
  formContext,
  fieldComponents,
  formComponents: {},
})

/** `['sip_gateways', 0, 'ipv4']` as the form spells it: `sip_gateways[0].ipv4`. */
const fieldName = (path: Issue['path']) =>
  path.reduce<string>(
    (name, part) =>
      typeof part === 'number' ? `${name}[${part}]` : name ? `${name}.${part}` : part,
    '',
  )

type Marks = { form?: ReactNode; fields: Record<string, string> }

/** Issues on the fields they name; those of no field on screen are said above the bar. */
function marks(issues: Issue[], message: ReactNode, onScreen: (name: string) => boolean): Marks {
  const fields: Record<string, string> = {}
  const rest: string[] = []
  for (const issue of issues) {
    const name = fieldName(issue.path)
    if (name && onScreen(name)) fields[name] ??= issue.message
    else rest.push(issue.message)
  }
  const n = Object.keys(fields).length
  if (n === 0) return { form: rest.length ? rest.join('. ') : message, fields }
  const counted = n === 1 ? 'One field needs attention' : `${n} fields need attention`
  return { form: [counted, ...rest].join('. '), fields }
}

/**
 * A form over one endpoint: checked by the contract's own schema first, then sent, and marked with
 * whatever either refuses. It guards what is unsaved and finds it again after an expired session.
 */
export function useApiForm<T extends object, E extends Endpoint>(o: {
  endpoint: E
  defaultValues: T
  /** Form shape to wire shape, in one visible place. */
  toSend: (value: T) => Sent<E>
  onDone: (reply: Reply<E>, value: T) => unknown
  /** Rules of this form beyond the schema's: what is missing or does not fit, by the form's names. */
  check?: (value: T) => Issue[]
  /** Where the wire spells a field otherwise than the form: the form's name for an issue's path. */
  fieldFor?: (path: Issue['path']) => Issue['path']
  /** In place of the one call: for a save that takes several against a stock server. */
  save?: (sent: Sent<E>) => Promise<Reply<E>>
}) {
  const saving = o.save ?? ((sent: Sent<E>) => send(o.endpoint, sent))
  const { mutateAsync } = useMutation({ mutationFn: saving })
  const box = useRef<HTMLFormElement>(null)
  const [saved, setSaved] = useState(false)

  const form = useAppForm({
    defaultValues: o.defaultValues,
    // a refusal must not stand in the way of the next try
    canSubmitWhenInvalid: true,
    validators: {
      onSubmitAsync: async ({ value, formApi }) => {
        const sent = o.toSend(value)
        const toField = (i: Issue) => ({ ...i, path: o.fieldFor?.(i.path) ?? i.path })
        const onScreen = (name: string) =>
          !!(formApi.fieldInfo as Record<string, { instance: unknown } | undefined>)[name]?.instance
        const checked = o.endpoint.body?.safeParse((sent as { body?: unknown }).body)
        const wrong = [
          ...(o.check?.(value) ?? []),
          ...((checked?.error?.issues ?? []) as Issue[]).map(toField),
        ]
        if (wrong.length) return marks(wrong, 'Check the form', onScreen)
        try {
          done.current = { reply: await mutateAsync(sent), value }
          return undefined
        } catch (error) {
          if (error instanceof ApiError && error.body.issues.length)
            return marks(error.body.issues.map(toField), error.body.msg, onScreen)
          const id = requestIdOf(error)
          return { form: id ? `${messageOf(error)} (request ${id})` : messageOf(error), fields: {} }
        }
      },
    },
    onSubmitInvalid: () => requestAnimationFrame(() => focusFirstError(box.current)),
    onSubmit: ({ value, formApi }) => {
      // what was sent is what is stored now: nothing is unsaved any more
      formApi.reset(value)
      setSaved(true)
    },
  })

  const done = useRef<{ reply: Reply<E>; value: T }>(undefined)
  useEffect(() => {
    // after the render in which the form is clean, so that leaving it asks no question
    if (!saved || !done.current) return
    setSaved(false)
    const { reply, value } = done.current
    done.current = undefined
    o.onDone(reply, value)
  })

  useEffect(() => {
    const place = location.pathname
    const draft = takeDraft(place, form.state.values)
    if (draft) {
      for (const [name, value] of Object.entries(draft.values))
        form.setFieldValue(name as never, value as never)
      toastOk(
        draft.lacksSecrets
          ? 'Your unsaved changes are back. Passwords and keys must be entered again.'
          : 'Your unsaved changes are back.',
      )
    }
    return onBeforeLeaving(() => {
      if (!form.state.isDefaultValue) keepDraft(place, form.state.values)
    })
  }, [form])

  const unsaved = () => !form.state.isDefaultValue && !isLeaving()
  const blocker = useBlocker({
    // another tab of the same page leaves nothing behind
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && unsaved(),
    enableBeforeUnload: unsaved,
    withResolver: true,
  })

  // a mark of the last try must not keep the next one from being made: what was wrong with one field
  // may have been put right in another
  const submit = () => {
    for (const name of Object.keys(form.fieldInfo))
      form.setFieldMeta(name as never, (meta) => ({
        ...meta,
        errorMap: { ...meta.errorMap, onSubmit: undefined },
      }))
    return form.handleSubmit()
  }

  return Object.assign(form, { box, blocker, submit })
}

type Shown = { isDefaultValue: boolean; isSubmitting: boolean; errorMap: { onSubmit?: unknown } }
type AnyForm = {
  box: React.RefObject<HTMLFormElement | null>
  blocker: { status: string; proceed?: (() => void) | undefined; reset?: (() => void) | undefined }
  submit: () => Promise<void>
  reset: () => void
}

/** The form on screen: its fields, its bar and what stands beside it. A view-only user gets no bar. */
export function Form({
  form,
  cancelHref,
  readOnly = !mayWrite(),
  ...shell
}: {
  form: AnyForm
  isNew?: boolean
  blocked?: boolean
  readOnly?: boolean
  submit?: string
  cancelHref?: string
  aside?: ReactNode
  children: ReactNode
}) {
  // TanStack's own type of it is too wide to be passed through a component
  const { Subscribe } = form as unknown as {
    Subscribe: (p: {
      selector: (s: Shown) => unknown
      children: (v: never) => ReactNode
    }) => ReactNode
  }
  return (
    <>
      <Subscribe
        selector={(s) => [!s.isDefaultValue, s.isSubmitting, s.errorMap.onSubmit] as const}
      >
        {([dirty, busy, error]: [boolean, boolean, unknown]) => (
          <FormShell
            {...shell}
            box={form.box}
            dirty={dirty}
            busy={busy}
            error={typeof error === 'string' ? error : undefined}
            readOnly={readOnly}
            cancel={
              cancelHref && (
                <Link to={cancelHref as string} className="button button-quiet">
                  Cancel
                </Link>
              )
            }
            onSubmit={() => void form.submit()}
            onDiscard={() => form.reset()}
          />
        )}
      </Subscribe>
      <ConfirmDialog
        open={form.blocker.status === 'blocked'}
        onClose={() => form.blocker.reset?.()}
        title="Unsaved changes"
        confirm="Leave without saving"
        onConfirm={() => form.blocker.proceed?.()}
      >
        What was changed on this page is lost when you leave it now.
      </ConfirmDialog>
    </>
  )
}
