import { MAX_CRITERIA, t } from '@switchroom/contract'
import { Plus, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useListField } from '../../lib/form-fields'
import type { FormLike } from '../../lib/form-like'
import { removeRow } from '../../lib/form-rows'
import { Button, IconButton } from '../../ui/button'
import { useReadOnly } from '../../ui/field'
import { Section } from '../../ui/section'
import sheet from './simulated-callers.css?url'
import { blankCriterion, type CriterionRow } from './values'

const CRITERIA = 'criteria'

type WithCriteria = { criteria: CriterionRow[] }

/** Criteria that a language model grades conversations by. */
export const Criteria = ({
  form,
  children,
}: {
  form: FormLike<WithCriteria>
  children?: ReactNode
}) => (
  <Section
    title={t('Scores')}
    about={t(
      'The language model grades each conversation from 1 to 5. A score needs a reason and a quote from the conversation, or it is refused.',
    )}
  >
    <link rel="stylesheet" href={sheet} precedence="page" />
    <form.AppField name={CRITERIA}>{() => <ListField />}</form.AppField>
    <form.Subscribe selector={(s) => s.values.criteria}>
      {(rows) => <CriterionRows form={form} rows={rows} />}
    </form.Subscribe>
    {children}
  </Section>
)

/** Renders nothing: names the list for the conflict dialog. */
function ListField() {
  useListField<CriterionRow>(
    t('Scores'),
    (rows) => rows.map(({ name }) => name).join(', ') || t('None'),
  )
  return null
}

function CriterionRows({
  form,
  rows,
}: {
  form: FormLike<WithCriteria>
  rows: readonly CriterionRow[]
}) {
  const readOnly = useReadOnly()
  const like = form as unknown as FormLike
  return (
    <div className="caller-criteria">
      {rows.map(({ key, name }, i) => (
        <fieldset
          key={key}
          className="caller-criterion"
          aria-label={t('Criterion {place}', { place: i + 1 })}
        >
          <form.TextField name={`${CRITERIA}[${i}].name`} label={t('Criterion')} />
          <form.TextArea
            name={`${CRITERIA}[${i}].description`}
            label={t('What is good, what is bad')}
            rows={2}
            optional
          />
          {!readOnly && (
            <IconButton
              label={t('Remove criterion {name}', { name: name || i + 1 })}
              onClick={() => removeRow(like, CRITERIA, i)}
            >
              <Trash2 />
            </IconButton>
          )}
        </fieldset>
      ))}
      {!readOnly && rows.length < MAX_CRITERIA && (
        <Button
          size="small"
          onClick={() => form.setFieldValue(CRITERIA, [...rows, blankCriterion()])}
        >
          <Plus aria-hidden />
          {t('Add criterion')}
        </Button>
      )}
    </div>
  )
}
