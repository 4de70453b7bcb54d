import { t } from '@switchroom/contract'
import { Plus, Trash2 } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { errorOf, useFieldContext } from '../../lib/form-fields'
import type { FormLike } from '../../lib/form-like'
import { Button, IconButton } from '../../ui/button'
import { useReadOnly } from '../../ui/field'
import { Notice } from '../../ui/notice'
import { rich } from '../../ui/rich'
import './grid.css'

type Row = { key: string; ipv4: string }
const CONTROLS = 'input, select'

/**
 * Rows with full keyboard control: Enter goes to the next row and adds one after the last, Ctrl or Alt with
 * an arrow goes to the same field of the row above or below, and deleting keeps the focus nearby.
 */
export function Grid<R extends Row>({
  form,
  name,
  label,
  noun,
  rows,
  onAdd,
  onDelete,
  children,
}: {
  form: FormLike
  /** Name of the list in the form, for errors about the whole list. */
  name?: string
  label: string
  /** Noun for one row: "SIP Gateway". */
  noun: string
  rows: R[]
  onAdd: () => void
  /** Returns false if the row must stay. */
  onDelete: (row: R) => boolean
  children: (row: R, actions: ReactNode) => ReactNode
}) {
  const readOnly = useReadOnly()
  const box = useRef<HTMLDivElement>(null)
  const focusNext = useRef<() => HTMLElement | null | undefined>(undefined)
  const rowAt = (i: number) => box.current?.querySelector<HTMLElement>(`[data-row="${i}"]`)
  const controlsOf = (row: Element | null | undefined) => [
    ...(row?.querySelectorAll<HTMLElement>(CONTROLS) ?? []),
  ]

  useEffect(() => {
    focusNext.current?.()?.focus()
    focusNext.current = undefined
  })

  const add = () => {
    const { length } = rows
    focusNext.current = () => controlsOf(rowAt(length))[0]
    onAdd()
  }
  const remove = (row: R, i: number) => {
    if (!onDelete(row)) return
    const near = Math.min(i, rows.length - 2)
    focusNext.current = () =>
      rowAt(near)?.querySelector('button') ?? box.current?.querySelector('button')
  }
  const onKeyDown = (e: KeyboardEvent, i: number) => {
    const from = e.target
    if (!(from instanceof HTMLElement && from.matches(CONTROLS))) return
    if (e.key === 'Enter') {
      e.preventDefault()
      const next = controlsOf(rowAt(i + 1))[0]
      if (next) next.focus()
      else if (!readOnly) add()
    }
    const step = { ArrowUp: -1, ArrowDown: 1 }[e.key]
    // Alt with an arrow opens a select
    if (!step || !(e.ctrlKey || (e.altKey && !from.matches('select')))) return
    e.preventDefault()
    controlsOf(rowAt(i + step))[controlsOf(rowAt(i)).indexOf(from)]?.focus()
  }

  return (
    <div className="grid" ref={box}>
      {name && <form.AppField name={name}>{() => <ListError label={label} />}</form.AppField>}
      {rows.map((row, i) => (
        <fieldset
          className="grid-row"
          key={row.key}
          data-row={i}
          onKeyDown={(e) => onKeyDown(e, i)}
        >
          <legend>{row.ipv4 || `${noun} ${i + 1}`}</legend>
          {children(
            row,
            !readOnly && (
              <IconButton
                className="grid-delete"
                label={t('Delete {noun} {ipv4}', { noun, ipv4: row.ipv4 || i + 1 })}
                onClick={() => remove(row, i)}
              >
                <Trash2 />
              </IconButton>
            ),
          )}
        </fieldset>
      ))}
      {!readOnly && (
        <div>
          <Button size="small" onClick={add}>
            <Plus aria-hidden />
            {rich('Add {noun}', { noun })}
          </Button>
        </div>
      )}
    </div>
  )
}

/** An error about the whole list; the tab counts it like one of a field. */
function ListError({ label }: { label: string }) {
  const error = errorOf(useFieldContext().state.meta)
  return error ? (
    <section className="grid-error" aria-label={label} aria-invalid tabIndex={-1}>
      <Notice tone="bad">{error}</Notice>
    </section>
  ) : null
}
