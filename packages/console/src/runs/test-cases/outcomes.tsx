import {
  type Expectation,
  type ExpectationOutcome,
  expectationText,
  fromServer,
  plural,
  type RunView,
  t,
} from '@switchroom/contract'
import { Block } from '../../ui/block'
import { Status } from '../../ui/status'
import { stepId } from '../runs/step-id'
import sheet from './outcomes.css?url'

/** Shows if a run met the expectations of its test case. Steps have the id `step-<index>` on the page. */
export const Outcomes = ({
  run: { state, expectations, outcomes },
}: {
  run: Pick<RunView, 'state' | 'expectations' | 'outcomes'>
}) =>
  expectations && (
    <div className="run-outcomes">
      <link rel="stylesheet" href={sheet} precedence="page" />
      <Block title={t('Expectations')} action={<Verdict state={state} outcomes={outcomes} />}>
        <ol className="outcomes">
          {expectations.map((expected, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
            <li key={i}>
              <Outcome expected={expected} outcome={outcomes?.[i]} />
            </li>
          ))}
        </ol>
      </Block>
    </div>
  )

function Verdict({ state, outcomes }: Pick<RunView, 'state' | 'outcomes'>) {
  if (!outcomes)
    return state === 'interrupted' ? (
      <Status tone="warn">{t('Not checked: the run was interrupted')}</Status>
    ) : (
      <Status tone="info">{t('Checked when the run has ended')}</Status>
    )
  const missed = outcomes.filter(({ is_met }) => !is_met).length
  return missed === 0 ? (
    <Status tone="ok">{t('Passed')}</Status>
  ) : (
    <Status tone="bad">
      {plural(
        missed,
        '1 of {total} expectations was not met|{n} of {total} expectations were not met',
        { total: outcomes.length },
      )}
    </Status>
  )
}

function Outcome({
  expected,
  outcome,
}: {
  expected: Expectation
  outcome: ExpectationOutcome | undefined
}) {
  return (
    <>
      <span className="outcome-state">
        {outcome &&
          (outcome.is_met ? (
            <Status tone="ok">{t('Met')}</Status>
          ) : (
            <Status tone="bad">{t('Not met')}</Status>
          ))}
      </span>
      <span className="outcome-text">
        <span>{expectationText(expected)}</span>
        {outcome && (
          <span className="outcome-note">
            {fromServer(outcome.text)}
            {outcome.nearest && <> {t('Nearest: “{text}”', { text: outcome.nearest })}</>}
            {outcome.step !== null && (
              <>
                {' '}
                <a href={`#${stepId(outcome.step)}`}>{t('Go to step')}</a>
              </>
            )}
          </span>
        )}
      </span>
    </>
  )
}
