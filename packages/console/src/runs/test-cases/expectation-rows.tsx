import {
  type Expectation,
  expectationText,
  MAX_EXPECTATIONS,
  MAX_SCORE_RULES,
  numberText,
  t,
} from '@switchroom/contract'
import { SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { errorOf, useListField } from '../../lib/form-fields'
import type { FormLike } from '../../lib/form-like'
import { SortableRows } from '../../lib/sortable-rows'
import { Button, IconButton } from '../../ui/button'
import { Notice } from '../../ui/notice'
import { Section } from '../../ui/section'
import { blank, type ExpectationRow, expectationOf, type Values } from './values'

const LABELS: Record<Expectation['kind'], string> = {
  says: t('Says'),
  does_not_say: t('Does not say'),
  plays: t('Plays'),
  asks: t('Asks for'),
  dials: t('Dials'),
  transfers: t('Transfers to'),
  returns: t('Returns from a tool'),
  hangs_up: t('Hangs up'),
}
const KINDS = Object.entries(LABELS).map(([value, label]) => ({ value, label }))
/** A trace does not have results of tools. */
const RULES = KINDS.filter(({ value }) => value !== 'returns')
const INPUTS = [
  { value: '', label: t('Speech or digits') },
  { value: 'speech', label: t('Speech only') },
  { value: 'digits', label: t('Digits only') },
]

const nameOf = (row: ExpectationRow) => expectationText(expectationOf(row)).slice(0, 60)

/** The expectations of a test case, of a simulated caller, or as rules of a score card. */
export const ExpectationRows = ({
  form,
  about = <About />,
  isRules = false,
}: {
  form: FormLike<Values>
  about?: ReactNode
  /** True to leave out what the traces of calls do not tell. */
  isRules?: boolean
}) => (
  <Section title={isRules ? t('Rules') : t('Expectations')} about={about}>
    <form.AppField name="expectations">{() => <ListField />}</form.AppField>
    <form.Subscribe selector={(s) => s.values.expectations}>
      {(rows) => (
        <>
          {rows.length > 0 && (
            <div className="case-row case-heads" aria-hidden>
              <span>{t('The application')}</span>
              {!isRules && <span>{t('Within (ms)')}</span>}
            </div>
          )}
          <SortableRows
            form={form}
            list="expectations"
            rows={rows}
            nameOf={nameOf}
            deleteLabel={(row, i) =>
              t('Delete expectation {place}: {expectation}', {
                place: i + 1,
                expectation: nameOf(row),
              })
            }
            add={{
              label: isRules ? t('Add rule') : t('Add expectation'),
              row: blank.expectation,
              max: isRules ? MAX_SCORE_RULES : MAX_EXPECTATIONS,
            }}
          >
            {(row, index, parts) => (
              <Expected form={form} row={row} index={index} isRules={isRules} {...parts} />
            )}
          </SortableRows>
        </>
      )}
    </form.Subscribe>
  </Section>
)

const About = () => (
  <>
    {t(
      'What the application must do, in this order; it may do more in between. A part of a text or address is enough, in upper or lower case, and of a number the last digits.',
    )}{' '}
    {t(
      'A time limit is optional. It is counted from the caller’s latest answer, or from the start of the call. Only time in which the caller waits for the application counts, not pauses, sounds, timeouts or conversations.',
    )}
  </>
)

/** Names the list for the conflict dialog, and shows what is wrong with it as a whole. */
function ListField() {
  const field = useListField<ExpectationRow>(
    t('Expectations'),
    (rows) => rows.map((row, i) => `${i + 1}. ${nameOf(row)}`).join(', ') || t('None'),
  )
  const error = errorOf(field.state.meta)
  return error ? (
    <section aria-label={t('Expectations')} aria-invalid tabIndex={-1}>
      <Notice tone="bad">{error}</Notice>
    </section>
  ) : null
}

function Expected({
  form,
  row,
  index,
  isRules,
  place,
  actions,
}: {
  form: FormLike
  row: ExpectationRow
  index: number
  isRules: boolean
  place: ReactNode
  actions: ReactNode
}) {
  const at = (member: keyof ExpectationRow) => `expectations[${index}].${member}`
  const isUsed = row.after_answer !== null || row.before_answer !== null || row.is_pattern
  const [opened, setOpened] = useState(false)
  return (
    <fieldset
      className="case-row case-expected"
      aria-label={t('Expectation {index}', { index: index + 1 })}
      data-alone={row.kind === 'hangs_up' || undefined}
    >
      {place}
      <form.SelectField
        name={at('kind')}
        label={t('The application')}
        options={isRules ? RULES : KINDS}
      />
      <Main form={form} kind={row.kind} at={at} />
      {row.kind !== 'does_not_say' && !isRules && (
        <form.NumberField
          name={at('within_ms')}
          label={t('Within (ms)')}
          min={0}
          {...(row.took_ms !== null && {
            placeholder: t('took {ms}', { ms: numberText(row.took_ms) }),
          })}
        />
      )}
      <span className="sortable-actions">
        {/* what is filled in stays in sight */}
        {actions && !isUsed && (
          <IconButton
            label={t('More fields of expectation {index}', { index: index + 1 })}
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            <SlidersHorizontal />
          </IconButton>
        )}
        {actions}
      </span>
      {actions && row.looser !== null && !row.is_pattern && (
        <div className="case-looser">
          <Button
            size="small"
            look="quiet"
            onClick={() => {
              form.setFieldValue(at('text'), row.looser)
              form.setFieldValue(at('is_pattern'), true)
            }}
          >
            {t('Allow other numbers, dates and names')}
          </Button>
        </div>
      )}
      {(isUsed || opened) && <More form={form} kind={row.kind} at={at} />}
    </fieldset>
  )
}

type PartProps = {
  form: FormLike
  kind: Expectation['kind']
  at: (member: keyof ExpectationRow) => string
}

const More = ({ form, kind, at }: PartProps) => (
  <div className="case-more">
    <form.NumberField name={at('after_answer')} label={t('After answer')} min={1} />
    <form.NumberField name={at('before_answer')} label={t('Before answer')} min={1} />
    {(kind === 'says' || kind === 'does_not_say' || kind === 'returns') && (
      <form.Checkbox name={at('is_pattern')} label={t('Regular expression')} />
    )}
  </div>
)

function Main({ form, kind, at }: PartProps) {
  switch (kind) {
    case 'says':
    case 'does_not_say':
    case 'returns':
      return <form.TextArea name={at('text')} label={t('Text or a part of it')} rows={1} />
    case 'plays':
      return <form.TextField name={at('url')} label={t('Address or a part of it')} mono />
    case 'asks':
      return <form.SelectField name={at('input')} label={t('Input')} options={INPUTS} />
    case 'dials':
      return <form.TextField name={at('number')} label={t('Number or address')} mono />
    case 'transfers':
      return <form.TextField name={at('to')} label={t('Number or address')} mono />
    case 'hangs_up':
      return null
  }
}
