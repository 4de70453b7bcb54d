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
import { SYSTEM_DEFAULT_ROUTE } from '@switchroom/contract'
import { ArrowDown, ArrowUp, GripVertical, Plus, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useListField } from '../../lib/form-fields'
import type { FormLike } from '../../lib/form-like'
import { moveRow, removeRow } from '../../lib/form-rows'
import { CarrierField } from '../../lib/picker-fields'
import { Button, IconButton } from '../../ui/button'
import { useReadOnly } from '../../ui/field'
import { blank, type LcrValues, type RouteValues } from './values'
import './route-rows.css'

const INSTRUCTIONS =
  'Press Space to pick up the route, the arrow keys to move it, Space to drop it and Escape to cancel.'

/** The routes in matching order, with the default route below. */
export function RouteRows({
  form,
  account_sid,
}: {
  form: FormLike<LcrValues>
  account_sid: string
}) {
  const readOnly = useReadOnly()
  const box = useRef<HTMLOListElement>(null)
  const [announcement, setAnnouncement] = useState('')
  // announced once the rows are in their new order
  const dropped = useRef<string>(undefined)
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  return (
    <form.Subscribe selector={(s) => s.values}>
      {({ routes: rows }) => {
        const at = (key: unknown) => rows.findIndex((r) => r.key === key)
        const nameOf = (key: unknown) => rows[at(key)]?.regex || `route ${at(key) + 1}`
        const place = (i: number) => `number ${i + 1} of ${rows.length}`
        const move = (from: number, to: number) => moveRow(form, 'routes', from, to)

        const step = (key: string, by: 1 | -1) => {
          const from = at(key)
          // rendered before the focus moves, since the next key may follow at once
          flushSync(() => {
            move(from, from + by)
            setAnnouncement(`${nameOf(key)} is now ${place(from + by)}`)
          })
          const buttons = box.current
            ?.querySelector(`[data-key="${key}"]`)
            ?.querySelectorAll<HTMLButtonElement>('.route-step:not(:disabled)')
          const wanted = [...(buttons ?? [])]
          ;(by < 0 ? wanted[0] : wanted.at(-1))?.focus()
        }
        return (
          <>
            <form.AppField name="routes">{() => <ListField />}</form.AppField>
            <DndContext
              sensors={sensors}
              collisionDetection={closestCenter}
              accessibility={{
                screenReaderInstructions: { draggable: INSTRUCTIONS },
                announcements: {
                  onDragStart: ({ active }) => `Picked up ${nameOf(active.id)}`,
                  onDragOver: ({ active, over }) =>
                    over ? `${nameOf(active.id)} would be ${place(at(over.id))}` : undefined,
                  onDragEnd: () => dropped.current,
                  onDragCancel: ({ active }) => `${nameOf(active.id)} is back where it was`,
                },
              }}
              onDragEnd={({ active, over }: DragEndEvent) => {
                dropped.current = over
                  ? `${nameOf(active.id)} is now ${place(at(over.id))}`
                  : undefined
                if (over && over.id !== active.id) move(at(active.id), at(over.id))
              }}
            >
              <SortableContext
                items={rows.map((r) => r.key)}
                strategy={verticalListSortingStrategy}
                disabled={readOnly}
              >
                {rows.length > 0 && (
                  <div className="route-line route-heads" aria-hidden>
                    <span>Digit pattern</span>
                    <span>Description (optional)</span>
                    <span>Carrier</span>
                  </div>
                )}
                <ol className="routes" ref={box}>
                  {rows.map((row, i) => (
                    <RouteRow
                      key={row.key}
                      form={form}
                      row={row}
                      index={i}
                      count={rows.length}
                      account_sid={account_sid}
                      onStep={(by) => step(row.key, by)}
                    />
                  ))}
                </ol>
              </SortableContext>
            </DndContext>
            <p className="visually-hidden" role="status">
              {announcement}
            </p>
            {!readOnly && (
              <div>
                <Button
                  size="small"
                  onClick={() => form.setFieldValue('routes', [...rows, blank.route()])}
                >
                  <Plus aria-hidden />
                  Add route
                </Button>
              </div>
            )}
            <DefaultRoute form={form} account_sid={account_sid} />
          </>
        )
      }}
    </form.Subscribe>
  )
}

/** Renders nothing: names the list for the conflict dialog. */
function ListField() {
  useListField<RouteValues>(
    'Routes',
    (rows) => rows.map((r, i) => `${i + 1}. ${r.regex}`).join(', ') || 'None',
  )
  return null
}

function RouteRow({
  form,
  row,
  index,
  count,
  account_sid,
  onStep,
}: {
  form: FormLike
  row: RouteValues
  index: number
  count: number
  account_sid: string
  onStep: (by: 1 | -1) => void
}) {
  const readOnly = useReadOnly()
  const drag = useSortable({ id: row.key })
  const name = row.regex || `route ${index + 1}`
  const entries = row.lcr_carrier_set_entries
  const entriesAt = `routes[${index}].lcr_carrier_set_entries`
  return (
    <li
      ref={drag.setNodeRef}
      data-key={row.key}
      className={drag.isDragging ? 'route route-dragged' : 'route'}
      style={{ transform: CSS.Translate.toString(drag.transform), transition: drag.transition }}
    >
      <fieldset className="route-line" aria-label={`Route ${index + 1}`}>
        <span className="route-place">
          {!readOnly && (
            <button
              type="button"
              className="icon-button route-handle"
              ref={drag.setActivatorNodeRef}
              {...drag.attributes}
              {...drag.listeners}
              aria-label={`Move ${name}`}
              title="Drag to reorder"
            >
              <GripVertical />
            </button>
          )}
          {index + 1}
        </span>
        <form.AppField name={`routes[${index}].regex`}>
          {(f) => <f.TextField label="Digit pattern" mono placeholder="Digit prefix or regex" />}
        </form.AppField>
        <form.AppField name={`routes[${index}].description`}>
          {(f) => <f.TextField label="Description" optional />}
        </form.AppField>
        <div className="route-carriers">
          {entries.map((entry, j) => (
            <div className="route-carrier" key={entry.key}>
              <form.AppField name={`${entriesAt}[${j}].voip_carrier_sid`}>
                {() => (
                  <CarrierField
                    account_sid={account_sid}
                    label={j === 0 ? 'Carrier' : `Carrier ${j + 1}`}
                  />
                )}
              </form.AppField>
              {!readOnly && entries.length > 1 && (
                <EntryActions form={form} at={entriesAt} index={j} of={name} />
              )}
            </div>
          ))}
        </div>
        {!readOnly && (
          <span className="route-actions">
            <IconButton
              label="Add carrier"
              onClick={() => form.setFieldValue(entriesAt, [...entries, blank.entry()])}
            >
              <Plus />
            </IconButton>
            <IconButton
              className="route-step"
              label={`Move ${name} up`}
              disabled={index === 0}
              onClick={() => onStep(-1)}
            >
              <ArrowUp />
            </IconButton>
            <IconButton
              className="route-step"
              label={`Move ${name} down`}
              disabled={index === count - 1}
              onClick={() => onStep(1)}
            >
              <ArrowDown />
            </IconButton>
            <IconButton
              label={`Delete route ${row.regex || index + 1}`}
              onClick={() => removeRow(form, 'routes', index)}
            >
              <Trash2 />
            </IconButton>
          </span>
        )}
      </fieldset>
    </li>
  )
}

function EntryActions({
  form,
  at,
  index,
  of,
}: {
  form: FormLike
  at: string
  index: number
  of: string
}) {
  return (
    <span className="route-carrier-actions">
      <IconButton
        label={`Move carrier ${index + 1} of ${of} up`}
        disabled={index === 0}
        onClick={() => moveRow(form, at, index, index - 1)}
      >
        <ArrowUp />
      </IconButton>
      <IconButton
        label={`Remove carrier ${index + 1} of ${of}`}
        onClick={() => removeRow(form, at, index)}
      >
        <Trash2 />
      </IconButton>
    </span>
  )
}

/** Always the last route; only its carrier can be chosen. */
const DefaultRoute = ({
  form,
  account_sid,
}: {
  form: FormLike<LcrValues>
  account_sid: string
}) => (
  <fieldset className="route route-default" aria-label={SYSTEM_DEFAULT_ROUTE.description}>
    <div className="route-default-head">
      {SYSTEM_DEFAULT_ROUTE.description} <code>{SYSTEM_DEFAULT_ROUTE.regex}</code>
    </div>
    <form.AppField name="default_carrier">
      {() => (
        <CarrierField
          account_sid={account_sid}
          label="Select a default outbound carrier"
          help="Takes calls that match none of the routes above."
        />
      )}
    </form.AppField>
  </fieldset>
)
