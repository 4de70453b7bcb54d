import { type Call, type Conversation, numberText, t } from '@switchroom/contract'
import { timeText } from '../../calls/call/conversation/conversation-text'
import { outcome } from '../../calls/call-text'
import type { Row } from './comparison'

/** A sentence, and the index of the row that shows it; null without one. */
export type Told = { text: string; row: number | null }

/** The time of an entry in its call. */
export const clockOf = ({ began, answered, entries }: Conversation, index: number) =>
  timeText(entries[index]?.at ?? began, answered ?? began)

/** How two calls differ, the most telling first. */
export function summaryOf(rows: readonly Row[], a: Conversation, b: Conversation): Told[] {
  const told = [parting(rows, a, b), ...times(rows), ending(rows, a, b), ...settings(rows)]
  const sentences = told.filter((sentence) => sentence !== undefined)
  if (sentences.length > 0) return sentences
  const other = rows.findIndex(({ differences }) => differences.length > 0)
  return other < 0
    ? [{ text: t('No differences: the same steps, with similar response times.'), row: null }]
    : [{ text: t('Both calls have the same steps. Only details differ.'), row: other }]
}

/** The first step at which the application does something else. */
function parting(rows: readonly Row[], a: Conversation, b: Conversation): Told | undefined {
  const row = rows.findIndex((row) => row.isAlone || courseOf(row) !== undefined)
  const first = rows[row]
  if (!first) return undefined
  if (first.a === null)
    return {
      row,
      text: t(
        'The calls first diverge at {time} in call B, with a step that call A does not have.',
        {
          time: clockOf(b, first.b),
        },
      ),
    }
  const time = clockOf(a, first.a)
  return {
    row,
    text:
      first.b === null
        ? t('The calls first diverge at {time} in call A, with a step that call B does not have.', {
            time,
          })
        : t('The calls first diverge at {time} in call A and {other} in call B. {difference}.', {
            time,
            other: clockOf(b, first.b),
            difference: courseOf(first)?.text,
          }),
  }
}

/** The first difference in what was said or done. */
const courseOf = ({ differences }: Row) => differences.find(({ kind }) => kind === 'course')

/** The turn with the greatest difference in time, and how many turns differ. */
function times(rows: readonly Row[]): Told[] {
  const later = rows.flatMap(({ differences }, row) =>
    differences.flatMap(({ later, text }) => (later === undefined ? [] : [{ later, text, row }])),
  )
  const most = later.reduce<(typeof later)[number] | undefined>(
    (most, next) => (most && Math.abs(most.later) >= Math.abs(next.later) ? most : next),
    undefined,
  )
  if (!most) return []
  if (later.length === 1) return [{ text: `${most.text}.`, row: most.row }]
  const ofB = later.filter(({ later }) => later > 0).length
  return [
    {
      text: t('{difference}. This is the largest difference in response time.', {
        difference: most.text,
      }),
      row: most.row,
    },
    {
      text: t('Answered later: {a} in call A, {b} in call B.', {
        a: numberText(later.length - ofB),
        b: numberText(ofB),
      }),
      row: null,
    },
  ]
}

/** A sentence on who hung up, if both are known and differ. */
function ending(rows: readonly Row[], a: Conversation, b: Conversation): Told | undefined {
  if (a.hung_up_by === null || b.hung_up_by === null || a.hung_up_by === b.hung_up_by)
    return undefined
  return {
    text:
      a.hung_up_by === 'caller'
        ? t('The caller ended call A, the application ended call B.')
        : t('The application ended call A, the caller ended call B.'),
    row: rows.length - 1,
  }
}

/** Most settings listed; the rows show the rest. */
const SETTINGS = 5

const settings = (rows: readonly Row[]): Told[] =>
  rows
    .flatMap(({ differences }, row) =>
      differences.flatMap(({ kind, text }) =>
        kind === 'setting' ? [{ text: `${text}.`, row }] : [],
      ),
    )
    .slice(0, SETTINGS)

/** Differences between the two call records: application and outcome. */
export function recordsDiffer(a: Call, b: Call): Told[] {
  const [ofA, ofB] = [outcome(a).word, outcome(b).word]
  return [
    a.application_sid !== b.application_sid && t('The calls use different applications.'),
    ofA !== ofB && t('Call A: {a}. Call B: {b}.', { a: ofA, b: ofB }),
  ]
    .filter((text) => text !== false)
    .map((text) => ({ text, row: null }))
}
