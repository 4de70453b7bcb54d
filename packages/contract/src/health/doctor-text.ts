import { plural, t } from '../wire/text.ts'
import type { DoctorReport, DoctorResult } from './doctor.ts'
import {
  DOCTOR_CHECKS,
  DOCTOR_GROUPS,
  DOCTOR_OUTCOMES,
  type DoctorOutcome,
} from './doctor-checks.ts'

export const DOCTOR_OUTCOME_TEXTS = {
  problem: t('Problem'),
  warning: t('Warning'),
  not_checked: t('Not checked'),
  ok: 'OK',
} as const satisfies Record<DoctorOutcome, string>

/** What is wrong first, the worst before the rest. */
export const doctorFindings = (results: readonly DoctorResult[]) =>
  results
    .filter(({ outcome }) => outcome === 'problem' || outcome === 'warning')
    .sort((a, b) => DOCTOR_OUTCOMES.indexOf(a.outcome) - DOCTOR_OUTCOMES.indexOf(b.outcome))

/** `2 problems, 1 warning` */
export function doctorSummary(results: readonly DoctorResult[]) {
  const count = (wanted: DoctorOutcome) =>
    results.filter(({ outcome }) => outcome === wanted).length
  const [problems, warnings] = [count('problem'), count('warning')]
  const found = [
    problems > 0 && plural(problems, '1 problem|{n} problems'),
    warnings > 0 && plural(warnings, '1 warning|{n} warnings'),
  ].filter(Boolean)
  return found.length > 0 ? found.join(', ') : t('No problems found')
}

/** `Database: Rights`, or just the label where the group says the same. */
export function doctorLabel({ check }: Pick<DoctorResult, 'check'>) {
  const { label, group } = DOCTOR_CHECKS[check]
  return group === 'database' || group === 'redis' ? `${DOCTOR_GROUPS[group]}: ${label}` : label
}

/** A report as text: for a terminal and for support. */
export function doctorText({ version, host, ran_at, results }: DoctorReport): string {
  const block = (result: DoctorResult) => {
    const { outcome, sentence, fix } = result
    const mark = DOCTOR_OUTCOME_TEXTS[outcome].toUpperCase()
    return `${mark}  ${doctorLabel(result)}\n  ${sentence}${fix ? `\n  ${t('To fix it: {fix}', { fix })}` : ''}`
  }
  const rest = Object.entries(DOCTOR_GROUPS).flatMap(([group, title]) => {
    const lines = results
      .filter(({ check }) => DOCTOR_CHECKS[check].group === group)
      .filter(({ outcome }) => outcome === 'ok' || outcome === 'not_checked')
      .map((result) => {
        const { check, outcome, sentence } = result
        const mark = outcome === 'ok' ? 'ok' : '--'
        return `  ${mark}  ${DOCTOR_CHECKS[check].label}: ${sentence}`
      })
    return lines.length > 0 ? [[title, ...lines].join('\n')] : []
  })
  return [
    t('Switchroom {version} on {host}, {ran_at}', { version, host, ran_at }),
    ...doctorFindings(results).map(block),
    ...rest,
    doctorSummary(results),
  ].join('\n\n')
}
