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
import { SYSTEM_DEFAULT_ROUTE, t } from '@switchroom/contract'
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

const INSTRUCTIONS = t(
  'Press Space to pick up the route, the arrow keys to move it, Space to drop it and Escape to cancel.',
)

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
        const nameOf = (key: unknown) =>
          rows[at(key)]?.regex || t('route {at}', { at: at(key) + 1 })
        const movedText = (key: unknown, i: number) =>
          t('{name} is now number {place} of {routes}', {
            name: nameOf(key),
            place: i + 1,
            routes: rows.length,
          })
        const move = (from: number, to: number) => moveRow(form, 'routes', from, to)

        const step = (key: string, by: 1 | -1) => {
          const from = at(key)
          // rendered before the focus moves, since the next key may follow at once
          flushSync(() => {
            move(from, from + by)
            setAnnouncement(movedText(key, from + by))
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
                  onDragStart: ({ active }) => t('Picked up {name}', { name: nameOf(active.id) }),
                  onDragOver: ({ active, over }) =>
                    over
                      ? t('{name} would be number {place} of {routes}', {
                          name: nameOf(active.id),
                          place: at(over.id) + 1,
                          routes: rows.length,
                        })
                      : undefined,
                  onDragEnd: () => dropped.current,
                  onDragCancel: ({ active }) =>
                    t('{name} is back where it was', { name: nameOf(active.id) }),
                },
              }}
              onDragEnd={({ active, over }: DragEndEvent) => {
                dropped.current = over ? movedText(active.id, at(over.id)) : undefined
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
                    <span>{t('Digit pattern')}</span>
                    <span>{t('Description (optional)')}</span>
                    <span>{t('Carrier')}</span>
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
                  {t('Add route')}
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
    t('Routes'),
    (rows) => rows.map((r, i) => `${i + 1}. ${r.regex}`).join(', ') || t('None'),
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
  const name = row.regex || t('route {index}', { index: index + 1 })
  const entries = row.lcr_carrier_set_entries
  const entriesAt = `routes[${index}].lcr_carrier_set_entries`
  return (
    <li
      ref={drag.setNodeRef}
      data-key={row.key}
      className={drag.isDragging ? 'route route-dragged' : 'route'}
      style={{ transform: CSS.Translate.toString(drag.transform), transition: drag.transition }}
    >
      <fieldset className="route-line" aria-label={t('Route {index}', { index: index + 1 })}>
        <span className="route-place">
          {!readOnly && (
            <button
              type="button"
              className="icon-button route-handle"
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
        <form.AppField name={`routes[${index}].regex`}>
          {(f) => (
            <f.TextField label={t('Digit pattern')} mono placeholder={t('Digit prefix or regex')} />
          )}
        </form.AppField>
        <form.AppField name={`routes[${index}].description`}>
          {(f) => <f.TextField label={t('Description')} optional />}
        </form.AppField>
        <div className="route-carriers">
          {entries.map((entry, j) => (
            <div className="route-carrier" key={entry.key}>
              <form.AppField name={`${entriesAt}[${j}].voip_carrier_sid`}>
                {() => (
                  <CarrierField
                    account_sid={account_sid}
                    label={j === 0 ? t('Carrier') : t('Carrier {j}', { j: j + 1 })}
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
              label={t('Add carrier')}
              onClick={() => form.setFieldValue(entriesAt, [...entries, blank.entry()])}
            >
              <Plus />
            </IconButton>
            <IconButton
              className="route-step"
              label={t('Move {name} up', { name })}
              disabled={index === 0}
              onClick={() => onStep(-1)}
            >
              <ArrowUp />
            </IconButton>
            <IconButton
              className="route-step"
              label={t('Move {name} down', { name })}
              disabled={index === count - 1}
              onClick={() => onStep(1)}
            >
              <ArrowDown />
            </IconButton>
            <IconButton
              label={t('Delete route {route}', { route: row.regex || index + 1 })}
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
        label={t('Move carrier {index} of {of} up', { index: index + 1, of })}
        disabled={index === 0}
        onClick={() => moveRow(form, at, index, index - 1)}
      >
        <ArrowUp />
      </IconButton>
      <IconButton
        label={t('Remove carrier {index} of {of}', { index: index + 1, of })}
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
  <fieldset className="route route-default" aria-label={t('System Default Route')}>
    <div className="route-default-head">
      {t('System Default Route')} <code>{SYSTEM_DEFAULT_ROUTE.regex}</code>
    </div>
    <form.AppField name="default_carrier">
      {() => (
        <CarrierField
          account_sid={account_sid}
          label={t('Select a default outbound carrier')}
          help={t('Takes calls that match none of the routes above.')}
        />
      )}
    </form.AppField>
  </fieldset>
)
