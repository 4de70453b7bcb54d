import {
  DOCTOR_CHECKS,
  DOCTOR_GROUPS,
  DOCTOR_OUTCOME_TEXTS,
  type DoctorReport,
  type DoctorResult,
  doctorFindings,
  doctorLabel,
  fromServer,
  t,
} from '@switchroom/contract'
import { keysOf } from '../../lib/records'
import { Status } from '../../ui/status'
import '../system-health/health.css'
import './doctor.css'

export const TONES = { problem: 'bad', warning: 'warn', not_checked: 'off', ok: 'ok' } as const

/** Results of the checks: those that need attention first, then the rest in groups. */
export function Results({ results }: Pick<DoctorReport, 'results'>) {
  const findings = doctorFindings(results)
  const groups = keysOf(DOCTOR_GROUPS).map((group) => ({
    title: DOCTOR_GROUPS[group],
    results: results.filter(
      (result) => DOCTOR_CHECKS[result.check].group === group && !findings.includes(result),
    ),
  }))
  return (
    <>
      {findings.length > 0 && (
        <Group title={t('Needs attention')} results={findings} nameOf={doctorLabel} />
      )}
      {groups
        .filter((group) => group.results.length > 0)
        .map((group) => (
          <Group key={group.title} {...group} nameOf={({ check }) => DOCTOR_CHECKS[check].label} />
        ))}
    </>
  )
}

type GroupProps = {
  title: string
  results: readonly DoctorResult[]
  nameOf: (result: DoctorResult) => string
}

const Group = ({ title, results, nameOf }: GroupProps) => (
  <section className="parts" aria-label={title}>
    <h2>{title}</h2>
    <ul>
      {results.map((result) => (
        <li key={`${result.check} ${result.sentence}`} className="doctor-result">
          <span className="part-name">{nameOf(result)}</span>
          <span className="part-state">
            <Status tone={TONES[result.outcome]}>{DOCTOR_OUTCOME_TEXTS[result.outcome]}</Status>
          </span>
          <div className="part-text">
            {fromServer(result.sentence)}
            {result.fix && (
              <p className="doctor-fix">
                <b>{t('To fix it:')}</b> {fromServer(result.fix)}
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  </section>
)
