import { t } from '@switchroom/contract'
import { useStore } from '@tanstack/react-form'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button } from '../ui/button'
import { ConfirmDialog } from '../ui/confirm-dialog'
import { Dialog, DialogFoot } from '../ui/dialog'
import { FormShell } from '../ui/form-shell'
import { Notice } from '../ui/notice'
import { mayWrite } from './access'
import { CopySave } from './copy-as'
import type { CopyRequest } from './copy-as/requests'
import { EditConflict } from './edit-conflict'
import { linkTo } from './link-to'
import type { Difference } from './merge'

type FormState = { isDefaultValue: boolean; values: object }
type Subscription = { unsubscribe: () => void }
type AnyForm = {
  box: React.RefObject<HTMLFormElement | null>
  blocker: { status: string; proceed?: (() => void) | undefined; reset?: (() => void) | undefined }
  store: { get: () => FormState; subscribe: (tell: (state: FormState) => void) => Subscription }
  submit: () => Promise<void>
  busy: boolean
  error: ReactNode
  conflict: { changes: Difference[] } | undefined
  setConflict: (conflict: undefined) => void
  applyChoices: (chosen: Difference[]) => void
  discard: () => void
  requests: (() => CopyRequest[]) | undefined
}

/** Renders the form: fields, save bar and side column. View-only users get no bar. */
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
  cancelHref?: string
  aside?: ReactNode
  /** Sections below the form, which are not saved with it. */
  more?: ReactNode
  children: ReactNode
}) {
  const dirty = useStore(form.store, (s) => !s.isDefaultValue)
  return (
    <>
      <FormShell
        {...shell}
        box={form.box}
        dirty={dirty}
        busy={form.busy}
        error={form.error}
        readOnly={readOnly}
        cancel={
          cancelHref && (
            <Link {...linkTo(cancelHref)} className="button button-quiet">
              {t('Cancel')}
            </Link>
          )
        }
        onSubmit={() => void form.submit()}
        onDiscard={form.discard}
        copy={form.requests && <CopyForm form={form} requests={form.requests} />}
      />
      <Questions form={form} />
    </>
  )
}

function CopyForm({ form, requests }: { form: AnyForm; requests: () => CopyRequest[] }) {
  const values = useStore(form.store, (s) => s.values)
  return <CopySave requests={requests} version={values} />
}

const firstFieldOf = (form: HTMLFormElement | null): HTMLElement | null =>
  form?.querySelector<HTMLElement>('input:enabled, textarea:enabled, select:enabled') ?? null

/** Renders the form in a dialog, with its buttons at the foot. */
export function FormDialog({
  form,
  title,
  wide = false,
  isNew = false,
  submit = t('Save'),
  submitting = t('Saving…'),
  onClose,
  children,
}: {
  form: AnyForm
  title: string
  wide?: boolean
  isNew?: boolean
  submit?: string
  submitting?: string
  onClose: () => void
  children: ReactNode
}) {
  const dirty = useStore(form.store, (s) => !s.isDefaultValue)
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      wide={wide}
      firstField={() => firstFieldOf(form.box.current)}
    >
      <form
        ref={form.box}
        className="dialog-body"
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          e.stopPropagation()
          if (!form.busy) void form.submit()
        }}
      >
        {children}
        {form.error && <Notice tone="bad">{form.error}</Notice>}
        <DialogFoot>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            type="submit"
            look="primary"
            busy={form.busy}
            disabled={!isNew && !dirty && !form.busy}
          >
            {form.busy ? submitting : submit}
          </Button>
        </DialogFoot>
      </form>
      <Questions form={form} />
    </Dialog>
  )
}

/** Asks about conflicts, and before unsaved changes are lost. */
function Questions({ form }: { form: AnyForm }) {
  return (
    <>
      {form.conflict && (
        <EditConflict
          fieldsOf={form.store}
          differences={form.conflict.changes}
          onClose={() => form.setConflict(undefined)}
          onChosen={form.applyChoices}
        />
      )}
      <ConfirmDialog
        open={form.blocker.status === 'blocked'}
        onClose={() => form.blocker.reset?.()}
        title={t('Unsaved changes')}
        confirm={t('Leave without saving')}
        onConfirm={() => form.blocker.proceed?.()}
      >
        {t("Your changes haven't been saved.")}
      </ConfirmDialog>
    </>
  )
}
