import { type DoctorResult, t } from '@switchroom/contract'
import type { CannotStart } from '../../config/cannot-start.ts'

export type Finding = Pick<DoctorResult, 'outcome' | 'sentence' | 'fix'>

export const ok = (sentence: string): Finding => ({ outcome: 'ok', sentence, fix: null })
export const notChecked = (sentence: string): Finding => ({
  outcome: 'not_checked',
  sentence,
  fix: null,
})
export const warning = (sentence: string, fix: string): Finding => ({
  outcome: 'warning',
  sentence,
  fix,
})
export const problem = (sentence: string, fix: string): Finding => ({
  outcome: 'problem',
  sentence,
  fix,
})

const VARIABLES = /^([A-Z][A-Z_, ]+): (.*)$/s

/** A reason not to start, as a finding. `what` names what has to run, as in `the database`. */
export function findingOf({ message, status }: CannotStart, what: string): Finding {
  const [, variables, text] = VARIABLES.exec(message) ?? []
  if (!variables || !text) return problem(message, t('Check {what} and its variables.', { what }))
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  return problem(
    sentence,
    status === 1
      ? t(
          'Make sure that {what} runs and can be reached from this machine, or correct {variables}.',
          {
            what,
            variables,
          },
        )
      : t('Correct {variables}, or change {what} to match.', { what, variables }),
  )
}

/** `a, b and 3 more` */
export function named(names: readonly string[], most = 5) {
  const rest = names.length - most
  return rest > 0
    ? t('{names} and {rest} more', { names: names.slice(0, most).join(', '), rest })
    : names.join(', ')
}
