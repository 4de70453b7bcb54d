import { t } from '@switchroom/contract'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { flushSync } from 'react-dom'
import { Button } from './button'
import { ReadOnlyFields } from './field'
import { Notice } from './notice'
import { SectionNav } from './section'
import './form-shell.css'

/** Applies errors with `say`, then focuses the first field with an error. */
export function showFormErrors(form: RefObject<HTMLElement | null>, say: () => void) {
  flushSync(say)
  // let anything that closes, such as a dialog, return the focus first
  queueMicrotask(() => focusFirstError(form.current))
}

/** Focuses a field, opening its tab first. Does nothing if the user has moved to another field by then. */
export function focusFirstError(form: HTMLElement | null) {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
  if (!field) return
  const panel = field.closest<HTMLElement>('[role="tabpanel"][hidden]')
  const tab = panel?.getAttribute('aria-labelledby')
  if (tab) document.getElementById(tab)?.click()
  const before = document.activeElement
  whenVisible(field, () => {
    if (document.activeElement !== before && document.activeElement !== document.body) return
    field.focus({ preventScroll: true })
    field.scrollIntoView({ block: 'center', behavior: 'smooth' })
  })
}

/** A tab that is in the URL opens some frames after its click. */
function whenVisible(field: HTMLElement, then: () => void, frames = 60) {
  if (field.checkVisibility() || frames === 0) then()
  else requestAnimationFrame(() => whenVisible(field, then, frames - 1))
}

/**
 * The layout of every form: fields on the left, facts on the right, and a bar at the bottom while there are
 * unsaved changes.
 */
export function FormShell({
  box,
  dirty,
  busy,
  error,
  isNew = false,
  blocked = false,
  readOnly = false,
  cancel,
  copy,
  onSubmit,
  onDiscard,
  aside,
  more,
  children,
}: {
  box: RefObject<HTMLFormElement | null>
  dirty: boolean
  busy: boolean
  error: ReactNode
  /** A new resource can be saved unchanged; a stored one only after a change. */
  isNew?: boolean
  /** Disables Save, for a reason shown among the fields. */
  blocked?: boolean
  readOnly?: boolean
  /** A link that leaves without saving. */
  cancel?: ReactNode
  /** Shows what is sent as code. */
  copy?: ReactNode
  onSubmit: () => void
  onDiscard: () => void
  aside?: ReactNode
  /** Sections below the form, which are not saved with it. */
  more?: ReactNode
  children: ReactNode
}) {
  const shell = useRef<HTMLDivElement>(null)
  const submitNow = useEffectEvent(onSubmit)
  const open = !readOnly && !blocked && (dirty || isNew)
  useEffect(() => {
    if (!open) return
    const save = (e: KeyboardEvent) => {
      if (e.key.toLowerCase() !== 's' || !(e.ctrlKey || e.metaKey) || e.altKey || e.shiftKey) return
      e.preventDefault()
      submitNow()
    }
    addEventListener('keydown', save)
    return () => removeEventListener('keydown', save)
  }, [open])

  return (
    <div className="form-shell" ref={shell}>
      <form
        ref={box}
        className="form"
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          e.stopPropagation()
          if (!busy) onSubmit()
        }}
      >
        <div className="form-fields">
          <ReadOnlyFields value={readOnly}>{children}</ReadOnlyFields>
        </div>
        {!readOnly && (
          <div className={dirty ? 'form-bar form-bar-dirty' : 'form-bar'}>
            {error && <Notice tone="bad">{error}</Notice>}
            <div className="form-bar-line">
              <span className="form-bar-text" role="status">
                {dirty && t('Unsaved changes')}
              </span>
              {copy}
              {!dirty && cancel}
              {dirty && (
                <Button look="quiet" onClick={onDiscard} disabled={busy}>
                  {t('Discard')}
                </Button>
              )}
              <Button type="submit" look="primary" busy={busy} disabled={!open && !busy}>
                {busy ? t('Saving…') : t('Save')}
              </Button>
            </div>
          </div>
        )}
      </form>
      <div className="form-aside">
        {aside}
        <SectionNav box={shell} />
      </div>
      {more && <div className="form-more">{more}</div>}
    </div>
  )
}
