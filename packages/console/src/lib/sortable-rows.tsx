import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { t } from '@switchroom/contract'
import { ArrowDown, ArrowUp, GripVertical, Plus, Trash2 } from 'lucide-react'
import { memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button, IconButton } from '../ui/button'
import { useReadOnly } from '../ui/field'
import type { FormLike } from './form-like'
import { moveRow, removeRow } from './form-rows'
import './sortable-rows.css'

const INSTRUCTIONS = t(
  'Press Space to pick up the row, the arrow keys to move it, Space to drop it and Escape to cancel.',
)
// other objects would render all rows
const POINTER = { activationConstraint: { distance: 4 } }
const KEYBOARD = { coordinateGetter: sortableKeyboardCoordinates }
const CONTROLS = 'input, select, textarea'

type Row = { key: string }
/** Parts of a row beside its fields. */
export type RowParts = {
  /** The row's number, with the handle to drag it by. */
  place: ReactNode
  /** Buttons that move and delete the row; false for view-only users. */
  actions: ReactNode
}

/**
 * Rows of a form's list in an order that can be changed by dragging, by keyboard and by buttons. A row renders when it
 * changes itself, if `nameOf`, `deleteLabel` and `children` stay the same functions.
 */
export function SortableRows<R extends Row>({
  form,
  list,
  rows,
  nameOf,
  deleteLabel,
  add,
  children,
}: {
  form: FormLike
  /** Name of the list in the form. */
  list: string
  rows: readonly R[]
  /** Name of a row in labels and announcements. */
  nameOf: (row: R, index: number) => string
  deleteLabel: (row: R, index: number) => string
  add: { label: string; row: () => R; max?: number }
  children: (row: R, index: number, parts: RowParts) => ReactNode
}) {
  const readOnly = useReadOnly()
  const box = useRef<HTMLOListElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const [announcement, setAnnouncement] = useState('')
  // announced once the rows are in their new order
  const dropped = useRef<string>(undefined)
  const focusNext = useRef<() => HTMLElement | null | undefined>(undefined)
  const sensors = useSensors(useSensor(PointerSensor, POINTER), useSensor(KeyboardSensor, KEYBOARD))
  useEffect(() => {
    focusNext.current?.()?.focus()
    focusNext.current = undefined
  })

  const at = (key: unknown) => rows.findIndex((row) => row.key === key)
  const named = (key: unknown) => {
    const row = rows[at(key)]
    return row ? nameOf(row, at(key)) : ''
  }
  const movedText = (key: unknown, i: number) =>
    t('{name} is now number {place} of {count}', {
      name: named(key),
      place: i + 1,
      count: rows.length,
    })
  const rowAt = (i: number) => box.current?.querySelector(`[data-row="${i}"]`)

  const step = (from: number, by: 1 | -1) => {
    const { key } = rows[from]!
    // rendered before the focus moves, since the next key may follow at once
    flushSync(() => {
      moveRow(form, list, from, from + by)
      setAnnouncement(movedText(key, from + by))
    })
    const wanted = [
      ...(rowAt(from + by)?.querySelectorAll<HTMLElement>('[data-step]:not(:disabled)') ?? []),
    ]
    ;(by < 0 ? wanted[0] : wanted.at(-1))?.focus()
  }
  const remove = (i: number) => {
    const near = Math.min(i, rows.length - 2)
    focusNext.current = () =>
      rowAt(near)?.querySelector<HTMLElement>('[data-delete]') ?? addButton.current
    removeRow(form, list, i)
  }
  const append = () => {
    const { length } = rows
    focusNext.current = () => rowAt(length)?.querySelector<HTMLElement>(CONTROLS)
    form.setFieldValue(list, [...rows, add.row()])
  }

  const latest = useRef({ step, remove })
  useEffect(() => {
    latest.current = { step, remove }
  })
  const [handlers] = useState<Handlers>(() => ({
    onStep: (from, by) => latest.current.step(from, by),
    onDelete: (i) => latest.current.remove(i),
  }))
  const order = rows.map(({ key }) => key).join(' ')
  // another array would render all rows
  const items = useMemo(() => (order ? order.split(' ') : []), [order])
  return (
    <>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        accessibility={{
          screenReaderInstructions: { draggable: INSTRUCTIONS },
          announcements: {
            onDragStart: ({ active }) => t('Picked up {name}', { name: named(active.id) }),
            onDragOver: ({ active, over }) =>
              over
                ? t('{name} would be number {place} of {count}', {
                    name: named(active.id),
                    place: at(over.id) + 1,
                    count: rows.length,
                  })
                : undefined,
            onDragEnd: () => dropped.current,
            onDragCancel: ({ active }) =>
              t('{name} is back where it was', { name: named(active.id) }),
          },
        }}
        onDragEnd={({ active, over }: DragEndEvent) => {
          dropped.current = over ? movedText(active.id, at(over.id)) : undefined
          if (over && over.id !== active.id) moveRow(form, list, at(active.id), at(over.id))
        }}
      >
        <SortableContext items={items} strategy={verticalListSortingStrategy} disabled={readOnly}>
          <ol className="sortable-rows" ref={box}>
            {rows.map((row, i) => (
              <SortableRow
                key={row.key}
                row={row}
                index={i}
                count={rows.length}
                nameOf={nameOf}
                deleteLabel={deleteLabel}
                handlers={handlers}
              >
                {children}
              </SortableRow>
            ))}
          </ol>
        </SortableContext>
      </DndContext>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      {!readOnly && rows.length < (add.max ?? Number.POSITIVE_INFINITY) && (
        <div>
          <Button size="small" ref={addButton} onClick={append}>
            <Plus aria-hidden />
            {add.label}
          </Button>
        </div>
      )}
    </>
  )
}

type Handlers = { onStep: (from: number, by: 1 | -1) => void; onDelete: (i: number) => void }

function PlainSortableRow<R extends Row>({
  row,
  index,
  count,
  nameOf,
  deleteLabel,
  handlers,
  children,
}: {
  row: R
  index: number
  count: number
  nameOf: (row: R, index: number) => string
  deleteLabel: (row: R, index: number) => string
  handlers: Handlers
  children: (row: R, index: number, parts: RowParts) => ReactNode
}) {
  const readOnly = useReadOnly()
  const drag = useSortable({ id: row.key })
  const name = nameOf(row, index)
  return (
    <li
      ref={drag.setNodeRef}
      data-row={index}
      className={drag.isDragging ? 'sortable-row sortable-dragged' : 'sortable-row'}
      style={{ transform: CSS.Translate.toString(drag.transform), transition: drag.transition }}
    >
      {children(row, index, {
        place: (
          <span className="sortable-place">
            {!readOnly && (
              <button
                type="button"
                className="icon-button sortable-handle"
                ref={drag.setActivatorNodeRef}
                {...drag.attributes}
                {...drag.listeners}
                aria-label={t('Move {name}', { name })}
                title={t('Drag to reorder')}
              >
                <GripVertical />
              </button>
            )}
            {index + 1}
          </span>
        ),
        actions: !readOnly && (
          <>
            <IconButton
              className="sortable-step"
              data-step
              label={t('Move {name} up', { name })}
              disabled={index === 0}
              onClick={() => handlers.onStep(index, -1)}
            >
              <ArrowUp />
            </IconButton>
            <IconButton
              className="sortable-step"
              data-step
              label={t('Move {name} down', { name })}
              disabled={index === count - 1}
              onClick={() => handlers.onStep(index, 1)}
            >
              <ArrowDown />
            </IconButton>
            <IconButton
              className="sortable-delete"
              data-delete
              label={deleteLabel(row, index)}
              onClick={() => handlers.onDelete(index)}
            >
              <Trash2 />
            </IconButton>
          </>
        ),
      })}
    </li>
  )
}

// React's type of `memo` forgets the type parameter
const SortableRow = memo(PlainSortableRow) as typeof PlainSortableRow
