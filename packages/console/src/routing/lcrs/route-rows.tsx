import { SYSTEM_DEFAULT_ROUTE, t } from '@switchroom/contract'
import { ArrowUp, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useCallback } from 'react'
import { useListField } from '../../lib/form-fields'
import type { FormLike } from '../../lib/form-like'
import { moveRow, removeRow } from '../../lib/form-rows'
import { CarrierField } from '../../lib/picker-fields'
import { type RowParts, SortableRows } from '../../lib/sortable-rows'
import { IconButton } from '../../ui/button'
import { useReadOnly } from '../../ui/field'
import { blank, type LcrValues, type RouteValues } from './values'
import './route-rows.css'

const nameOf = ({ regex }: RouteValues, index: number) =>
  regex || t('route {index}', { index: index + 1 })

const deleteLabel = ({ regex }: RouteValues, i: number) =>
  t('Delete route {route}', { route: regex || i + 1 })

/** The routes in matching order, with the default route below. */
export function RouteRows({
  form,
  account_sid,
}: {
  form: FormLike<LcrValues>
  account_sid: string
}) {
  // the same function for each key, so that only the row that is typed in renders
  const fieldsOf = useCallback(
    (row: RouteValues, index: number, { place, actions }: RowParts) => (
      <RouteFields {...{ form, row, index, account_sid, place, actions }} />
    ),
    [form, account_sid],
  )
  const rowsOf = (rows: RouteValues[]) => (
    <>
      <form.AppField name="routes">{() => <ListField />}</form.AppField>
      {rows.length > 0 && (
        <div className="route-line route-heads" aria-hidden>
          <span>{t('Digit pattern')}</span>
          <span>{t('Description (optional)')}</span>
          <span>{t('Carrier')}</span>
        </div>
      )}
      <SortableRows
        form={form}
        list="routes"
        rows={rows}
        nameOf={nameOf}
        deleteLabel={deleteLabel}
        add={{ label: t('Add route'), row: blank.route }}
      >
        {fieldsOf}
      </SortableRows>
    </>
  )
  return (
    <>
      <form.Subscribe selector={(s) => s.values.routes}>{rowsOf}</form.Subscribe>
      <DefaultRoute form={form} account_sid={account_sid} />
    </>
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

function RouteFields({
  form,
  row,
  index,
  account_sid,
  place,
  actions,
}: {
  form: FormLike
  row: RouteValues
  index: number
  account_sid: string
  place: ReactNode
  actions: ReactNode
}) {
  const readOnly = useReadOnly()
  const entries = row.lcr_carrier_set_entries
  const entriesAt = `routes[${index}].lcr_carrier_set_entries`
  return (
    <fieldset className="route-line" aria-label={t('Route {index}', { index: index + 1 })}>
      {place}
      <form.TextField
        name={`routes[${index}].regex`}
        label={t('Digit pattern')}
        mono
        placeholder={t('Digit prefix or regex')}
      />
      <form.TextField name={`routes[${index}].description`} label={t('Description')} optional />
      <div className="route-carriers">
        {entries.map((entry, j) => (
          <div className="route-carrier" key={entry.key}>
            <form.AppField name={`${entriesAt}[${j}].voip_carrier_sid`}>
              {() => (
                <CarrierField
                  account_sid={account_sid}
                  ofAccounts={!account_sid}
                  label={j === 0 ? t('Carrier') : t('Carrier {j}', { j: j + 1 })}
                />
              )}
            </form.AppField>
            {!readOnly && entries.length > 1 && (
              <EntryActions form={form} at={entriesAt} index={j} route={row.regex || index + 1} />
            )}
          </div>
        ))}
      </div>
      {!readOnly && (
        <span className="sortable-actions">
          <IconButton
            label={t('Add carrier')}
            onClick={() => form.setFieldValue(entriesAt, [...entries, blank.entry()])}
          >
            <Plus />
          </IconButton>
          {actions}
        </span>
      )}
    </fieldset>
  )
}

function EntryActions({
  form,
  at,
  index,
  route,
}: {
  form: FormLike
  at: string
  index: number
  route: string | number
}) {
  return (
    <span className="sortable-actions">
      <IconButton
        label={t('Move carrier {index} of route {route} up', { index: index + 1, route })}
        disabled={index === 0}
        onClick={() => moveRow(form, at, index, index - 1)}
      >
        <ArrowUp />
      </IconButton>
      <IconButton
        label={t('Remove carrier {index} of route {route}', { index: index + 1, route })}
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
  <fieldset className="sortable-row route-default" aria-label={t('System Default Route')}>
    <div className="route-default-head">
      {t('System Default Route')} <code>{SYSTEM_DEFAULT_ROUTE.regex}</code>
    </div>
    <form.AppField name="default_carrier">
      {() => (
        <CarrierField
          account_sid={account_sid}
          ofAccounts={!account_sid}
          label={t('Select a default outbound carrier')}
          help={t('Takes calls that match none of the routes above.')}
        />
      )}
    </form.AppField>
  </fieldset>
)
