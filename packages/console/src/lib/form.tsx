import { ApiError, fromServer, type Issue, plural, t } from '@switchroom/contract'
import { createFormHook } from '@tanstack/react-form'
import { useMutation } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { showFormErrors } from '../ui/form-shell'
import { toastSuccess, type Undo } from '../ui/toast'
import type { CopyRequest } from './copy-as/requests'
import { saveDraft, takeDraft } from './draft'
import type { Endpoint, Reply, Sent } from './endpoints'
import { messageOf, requestIdOf, statusOf } from './failure'
import { formControls } from './form-controls'
import { fieldComponents, fieldContext, formContext } from './form-fields'
import { formLike } from './form-like'
import { type Difference, differences, mergeChosen } from './merge'
import { type Changed, sendChange } from './send-change'
import { isRedirectingToLogIn, onBeforeLogInRedirect } from './session'

const { useAppForm } = createFormHook({
  fieldContext,
  formContext,
  fieldComponents,
  formComponents: {},
})

/** `['sip_gateways', 0, 'ipv4']` as a field name: `sip_gateways[0].ipv4`. */
const fieldName = (path: Issue['path']) =>
  path.reduce<string>(
    (name, part) =>
      typeof part === 'number' ? `${name}[${part}]` : name ? `${name}.${part}` : part,
    '',
  )

type FormErrors = { form?: ReactNode; fields: Record<string, string> }

/** Assigns issues to their fields; issues without a field on screen appear above the bar. */
function errorsByField(
  issues: Issue[],
  message: ReactNode,
  onScreen: (name: string) => boolean,
): FormErrors {
  const fields: Record<string, string> = {}
  const rest: string[] = []
  for (const issue of issues) {
    const name = fieldName(issue.path)
    const text = fromServer(issue.message)
    if (name && onScreen(name)) fields[name] ??= text
    else rest.push(text)
  }
  const n = Object.keys(fields).length
  if (n === 0) return { form: rest.length ? rest.join('. ') : message, fields }
  const counted = plural(n, 'One field needs attention|{n} fields need attention')
  return { form: [counted, ...rest].join('. '), fields }
}

/** The issues of a request's body, by the contract's schema. */
const issuesOf = <E extends Endpoint>(e: E, sent: Sent<E>): Promise<Issue[]> =>
  e.parse(sent).then(
    () => [],
    (error: unknown) => {
      if (error instanceof ApiError) return error.body.issues
      throw error
    },
  )

/**
 * A form for one endpoint: validated by the contract's schema, then sent; both kinds of errors appear on the
 * fields. It guards unsaved changes, restores them after an expired session, and lets the user resolve
 * conflicts with another user's changes.
 */
export function useApiForm<T extends object, E extends Endpoint, View = unknown>(o: {
  endpoint: E
  defaultValues: T
  /** Form values to request. */
  toSend: (value: T) => Sent<E>
  /** `undo`: for the notice, if what was saved can be undone exactly. */
  onDone: (reply: Reply<E>, value: T, undo: Undo | undefined) => unknown
  /** Validation beyond the schema, with issues by the form's field names. */
  check?: (value: T) => Issue[] | Promise<Issue[]>
  /** Maps the path of an issue to the form's field, where names differ. */
  fieldFor?: (path: Issue['path'], value: T) => Issue['path']
  /** Asks something before the request is sent. Resolves to undefined if it is not to be sent. */
  asking?: (
    sent: Sent<E>,
    value: T,
    send: (sent: Sent<E>) => Promise<Changed<E>>,
  ) => Promise<Changed<E> | undefined>
  /** Replaces the single request, for a save that takes several. */
  save?: (sent: Sent<E>, value: T) => Promise<Reply<E>>
  /** The requests that `save` sends, to be shown as code. */
  requests?: (sent: Sent<E>, value: T) => CopyRequest[]
  /** Shown instead of the server's message for a 403. */
  forbidden?: string
  /** For edits: the version of the default values, and the form values of a newer view. */
  edits?: { version: string | undefined; valuesOf: (view: View) => T }
  /** For forms in dialogs: keeps a draft apart from that of the page's own form. */
  dialog?: string
}) {
  const { dialog } = o
  const sending = (sent: Sent<E>) => sendChange(o.endpoint, sent)
  const saving = async (sent: Sent<E>, value: T) => {
    if (o.asking) return o.asking(sent, value, sending)
    return o.save ? { reply: await o.save(sent, value), undo: undefined } : sending(sent)
  }
  const { mutateAsync } = useMutation({
    mutationFn: ({ sent, value }: { sent: Sent<E>; value: T }) => saving(sent, value),
  })
  const box = useRef<HTMLFormElement>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ReactNode>()
  const [conflict, setConflict] = useState<Conflict<T>>()

  // while there are changes, refetched data must not replace what they are based on
  const stored = { values: o.defaultValues, version: o.edits?.version }
  const base = useRef(stored)
  const formRef = useRef<{ state: { isDefaultValue: boolean } }>(undefined)
  if (!formRef.current || formRef.current.state.isDefaultValue) base.current = stored

  const form = useAppForm({ defaultValues: base.current.values })
  const fields = formLike(form)
  const { AppField } = fields
  const controls = useMemo(() => formControls<T>(AppField), [AppField])
  formRef.current = form

  const done = useRef<{ reply: Reply<E>; value: T; undo: Undo | undefined }>(undefined)
  useEffect(() => {
    // after the render in which the form is clean, so that navigating away does not ask
    if (!done.current) return
    const { reply, value, undo } = done.current
    done.current = undefined
    o.onDone(reply, value, undo)
  })

  // preloads the schemas; a failure is reported when the form is sent
  useEffect(() => void o.endpoint.withSchemas().catch(() => undefined), [o.endpoint])

  useEffect(() => {
    const place = dialog ? `${location.pathname}#${dialog}` : location.pathname
    const draft = takeDraft(place, form.state.values)
    if (draft) {
      // saving compares with the draft's version, so newer changes of others are noticed
      base.current = draft.base
      for (const [name, value] of Object.entries(draft.values)) fields.setFieldValue(name, value)
      toastSuccess(
        draft.lacksSecrets
          ? t('Your unsaved changes are back. Passwords and keys must be entered again.')
          : t('Your unsaved changes are back.'),
      )
    }
    return onBeforeLogInRedirect(() => {
      if (!form.state.isDefaultValue) saveDraft(place, form.state.values, base.current)
    })
  }, [form, fields, dialog])

  useEffect(() => {
    if (!error) return
    const refused = form.state.values
    const { unsubscribe } = form.store.subscribe(() => {
      if (form.state.values !== refused) setError(undefined)
    })
    return unsubscribe
  }, [error, form])

  const unsaved = () => !form.state.isDefaultValue && !isRedirectingToLogIn()
  const blocker = useBlocker({
    // switching tabs within the page loses nothing
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && unsaved(),
    enableBeforeUnload: unsaved,
    withResolver: true,
  })

  const mark = (name: string, message: string | undefined) =>
    fields.setFieldMeta(name, (meta) => ({
      ...meta,
      errorMap: { ...meta.errorMap, onSubmit: message },
    }))
  const onScreen = (name: string) => !!fields.fieldInfo[name]?.instance

  function refuse({ form: message, fields: marked }: FormErrors) {
    showFormErrors(box, () => {
      for (const [name, message] of Object.entries(marked)) mark(name, message)
      setError(message)
      // in the same render as the errors, so that the form can be saved again at once
      setBusy(false)
    })
  }

  /** Rebases on another user's newer version. False if there are conflicts, which the dialog then shows. */
  function rebase(current: View & { version?: string }) {
    const theirs = o.edits!.valuesOf(current)
    const changes = differences(base.current.values, form.state.values, theirs)
    base.current = { values: theirs, version: current.version }
    if (changes.length > 0) setConflict({ changes, theirs })
    return changes.length === 0
  }

  const running = useRef(false)
  async function submit() {
    if (running.current) return
    // clear all errors of the last attempt: an error of one field may have been fixed
    // by changing another
    for (const name of Object.keys(form.fieldInfo)) mark(name, undefined)
    setError(undefined)
    const value = form.state.values
    const { version } = base.current
    const sent: Sent<E> = { ...o.toSend(value), ...(version && { version }) }
    const toField = (i: Issue) => ({ ...i, path: o.fieldFor?.(i.path, value) ?? i.path })
    running.current = true
    setBusy(true)
    let failure: unknown
    try {
      const wrong = [
        ...((await o.check?.(value)) ?? []),
        ...(await issuesOf(o.endpoint, sent)).map(toField),
      ]
      if (wrong.length) return refuse(errorsByField(wrong, t('Check the form'), onScreen))
      const changed = await mutateAsync({ sent, value })
      if (!changed) return
      done.current = { ...changed, value }
      // the sent values are stored now, so the form is clean
      form.reset(value)
    } catch (e) {
      failure = e
    } finally {
      running.current = false
      setBusy(false)
    }
    if (failure === undefined) return
    const refused = failure instanceof ApiError ? failure.body : undefined
    if (refused?.code === 'changed' && o.edits) {
      // `current` is the newer version of the view that was edited
      if (rebase(refused.current as View & { version?: string })) await submit()
      return
    }
    if (refused?.issues.length)
      return refuse(errorsByField(refused.issues.map(toField), fromServer(refused.msg), onScreen))
    if (o.forbidden && statusOf(failure) === 403) return refuse({ form: o.forbidden, fields: {} })
    const id = requestIdOf(failure)
    refuse({
      form: id
        ? t('{message} (request {id})', { message: messageOf(failure), id })
        : messageOf(failure),
      fields: {},
    })
  }

  /** Applies the choices of the conflict dialog and saves. */
  function applyChoices(chosen: Difference[]) {
    const values = mergeChosen(form.state.values, chosen)
    setConflict(undefined)
    for (const [name, value] of Object.entries(values)) fields.setFieldValue(name, value)
    void submit()
  }

  const requests =
    o.save && !o.requests
      ? undefined
      : () => {
          const value = form.state.values
          const sent = o.toSend(value)
          return o.requests?.(sent, value) ?? [{ endpoint: o.endpoint, sent }]
        }

  const discard = () => {
    setError(undefined)
    form.reset()
  }
  return Object.assign(form, {
    ...controls,
    box,
    blocker,
    submit,
    discard,
    busy,
    error,
    conflict,
    setConflict,
    applyChoices,
    requests,
  })
}

type Conflict<T> = { changes: Difference[]; theirs: T }
