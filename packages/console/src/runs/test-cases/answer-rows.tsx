import { t } from '@switchroom/contract'
import { SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useListField } from '../../lib/form-fields'
import type { FormLike } from '../../lib/form-like'
import { SortableRows } from '../../lib/sortable-rows'
import { IconButton } from '../../ui/button'
import { Section } from '../../ui/section'
import { CONTROLS } from '../runs/answer-controls'
import { AnswerField } from './answer-field'
import { ANSWER_OPTIONS, type AnswerRow } from './answer-values'
import { blank, type Values } from './values'

const MAX_ANSWERS = 100

/** The required field of an answer: always shown, without a label. The optional ones open below it. */
const mainOf = ({ kind }: AnswerRow) => CONTROLS[kind].fields.find(({ required }) => required)

function nameOf(row: AnswerRow) {
  const main = mainOf(row)
  return (main && row.typed[main.name]?.slice(0, 60)) || CONTROLS[row.kind].label
}

/** The caller's answers, one for each question. */
export const AnswerRows = ({ form }: { form: FormLike<Values> }) => (
  <Section
    title={t('The caller’s answers')}
    about={t(
      'One for each question, in this order. When none are left, the caller hangs up at the next question.',
    )}
  >
    <form.AppField name="answers">{() => <ListField />}</form.AppField>
    <form.Subscribe selector={(s) => s.values.answers}>
      {(rows) => (
        <SortableRows
          form={form}
          list="answers"
          rows={rows}
          nameOf={nameOf}
          deleteLabel={(row, i) =>
            t('Delete answer {place}: {answer}', { place: i + 1, answer: nameOf(row) })
          }
          add={{ label: t('Add answer'), row: blank.answer, max: MAX_ANSWERS }}
        >
          {(row, index, parts) => <Answer form={form} row={row} index={index} {...parts} />}
        </SortableRows>
      )}
    </form.Subscribe>
  </Section>
)

/** Renders nothing: names the list for the conflict dialog. */
function ListField() {
  useListField<AnswerRow>(
    t('The caller’s answers'),
    (rows) => rows.map((row, i) => `${i + 1}. ${nameOf(row)}`).join(', ') || t('None'),
  )
  return null
}

function Answer({
  form,
  row,
  index,
  place,
  actions,
}: {
  form: FormLike
  row: AnswerRow
  index: number
  place: ReactNode
  actions: ReactNode
}) {
  const main = mainOf(row)
  const more = CONTROLS[row.kind].fields.filter((field) => field !== main)
  const isUsed = more.some(({ name, required }) => required || row.typed[name])
  const [opened, setOpened] = useState(false)
  const open = more.length > 0 && (isUsed || opened)
  const at = `answers[${index}]`
  const fieldOf = (field: (typeof more)[number]) => (
    <AnswerField key={field.name} form={form} name={`${at}.typed.${field.name}`} field={field} />
  )
  return (
    <fieldset
      className="case-row case-answer"
      aria-label={t('Answer {index}', { index: index + 1 })}
      data-alone={!main || undefined}
    >
      {place}
      <form.SelectField name={`${at}.kind`} label={t('Kind of answer')} options={ANSWER_OPTIONS} />
      {main && fieldOf(main)}
      <span className="sortable-actions">
        {/* what is filled in stays in sight */}
        {actions && more.length > 0 && !isUsed && (
          <IconButton
            label={t('More fields of answer {index}', { index: index + 1 })}
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            <SlidersHorizontal />
          </IconButton>
        )}
        {actions}
      </span>
      {open && <div className="case-more">{more.map(fieldOf)}</div>}
    </fieldset>
  )
}
