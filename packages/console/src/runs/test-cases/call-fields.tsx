import { t } from '@switchroom/contract'
import { Plus, Trash2 } from 'lucide-react'
import { useListField } from '../../lib/form-fields'
import type { FormLike } from '../../lib/form-like'
import { removeRow } from '../../lib/form-rows'
import { Button, IconButton } from '../../ui/button'
import { useReadOnly } from '../../ui/field'
import { Columns, Section } from '../../ui/section'
import { blank, type HeaderRow, type Values } from './values'

const HEADERS = 'start.sip_headers'

/** The call that the test case plays. */
export const CallFields = ({ form }: { form: FormLike<Values> }) => (
  <Section title={t('Call')} about={t('The call that comes in to the application.')}>
    <Columns>
      <form.TextField name="start.from" label={t('From')} mono placeholder="+15551230001" />
      <form.TextField name="start.to" label={t('To')} mono placeholder="+15551230002" />
    </Columns>
    <form.TextField name="start.caller_name" label={t('Caller name')} optional />
    <form.AppField name={HEADERS}>{() => <ListField />}</form.AppField>
    <form.Subscribe selector={(s) => s.values.start.sip_headers}>
      {(rows) => <Headers form={form} rows={rows} />}
    </form.Subscribe>
  </Section>
)

/** Renders nothing: names the list for the conflict dialog. */
function ListField() {
  useListField<HeaderRow>(
    t('SIP headers'),
    (rows) => rows.map(({ name, value }) => `${name}: ${value}`).join(', ') || t('None'),
  )
  return null
}

function Headers({ form, rows }: { form: FormLike; rows: readonly HeaderRow[] }) {
  const readOnly = useReadOnly()
  if (readOnly && rows.length === 0) return null
  return (
    <fieldset className="case-headers">
      <legend>
        {t('SIP headers')} <span className="field-optional">{t('(optional)')}</span>
      </legend>
      {rows.map(({ key, name }, i) => (
        <div className="case-header" key={key}>
          <form.TextField
            name={`${HEADERS}[${i}].name`}
            label={t('Name')}
            mono
            placeholder="X-Language"
          />
          <form.TextField name={`${HEADERS}[${i}].value`} label={t('Value')} mono />
          {!readOnly && (
            <IconButton
              label={t('Remove header {name}', { name: name || i + 1 })}
              onClick={() => removeRow(form, HEADERS, i)}
            >
              <Trash2 />
            </IconButton>
          )}
        </div>
      ))}
      {!readOnly && (
        <Button size="small" onClick={() => form.setFieldValue(HEADERS, [...rows, blank.header()])}>
          <Plus aria-hidden />
          {t('Add header')}
        </Button>
      )}
    </fieldset>
  )
}
