import { fromServer, type RuleScore, type Score, TOP_SCORE, t } from '@switchroom/contract'
import { Status } from '../ui/status'
import sheet from './scores.css?url'

/** How rules were met, and criteria graded: each with its reason. */
export const Scores = ({
  rules = [],
  scores,
}: {
  rules?: readonly RuleScore[]
  scores: readonly Score[]
}) => (
  <>
    <link rel="stylesheet" href={sheet} precedence="page" />
    <ul className="scores" aria-label={t('Scores')}>
      {rules.map((rule) => (
        <li key={rule.rule}>
          <RuleText of={rule} />
        </li>
      ))}
      {scores.map((score) => (
        <li key={score.criterion}>
          <ScoreText of={score} />
        </li>
      ))}
    </ul>
  </>
)

const RuleText = ({ of: { rule, is_met, reason, nearest } }: { of: RuleScore }) => (
  <>
    <strong dir="auto">{fromServer(rule)}</strong>{' '}
    {is_met === null ? (
      <Status tone="warn">{t('Not certain')}</Status>
    ) : is_met ? (
      <Status tone="ok">{t('Met')}</Status>
    ) : (
      <Status tone="bad">{t('Not met')}</Status>
    )}
    <p dir="auto">{fromServer(reason)}</p>
    {is_met === false && nearest !== null && <q dir="auto">{nearest}</q>}
  </>
)

const ScoreText = ({ of: { criterion, score, reason, quote, refused } }: { of: Score }) =>
  score === null ? (
    <>
      <strong>{criterion}</strong> <Status tone="warn">{t('No score')}</Status>
      <p>{fromServer(refused ?? '')}</p>
    </>
  ) : (
    <>
      <strong>{criterion}</strong>{' '}
      <span className="numbers">{t('{score} of {top}', { score, top: TOP_SCORE })}</span>
      <p dir="auto">{reason}</p>
      <q dir="auto">{quote}</q>
    </>
  )
