import { fromServer, numberText, type RunSimulation, t } from '@switchroom/contract'
import { PlainLink } from '../../lib/plain-link'
import { Scores } from '../../lib/scores'
import { Block } from '../../ui/block'
import { Fact, Facts } from '../../ui/facts'
import { Status } from '../../ui/status'
import { OUTCOMES } from './outcome-text'
import { callerHref } from './queries'
import sheet from './simulated-callers.css?url'

/** Who called in a run, why the conversation ended, what it cost and how it was graded. */
export const Simulation = ({
  application_sid,
  of,
}: {
  application_sid: string
  of: RunSimulation
}) => (
  <div className="caller-block">
    <link rel="stylesheet" href={sheet} precedence="page" />
    <Block
      title={t('Simulated caller')}
      action={
        of.outcome ? (
          <Status tone={OUTCOMES[of.outcome].tone}>{OUTCOMES[of.outcome].text}</Status>
        ) : (
          <Status tone="info">{t('Not finished')}</Status>
        )
      }
    >
      <Facts>
        <Fact name={t('Caller')}>
          <PlainLink href={callerHref({ application_sid, ...of })}>{of.caller_name}</PlainLink>{' '}
          {of.of > 1 &&
            t('(conversation {number} of {of})', {
              ...{ number: numberText(of.number), of: numberText(of.of) },
            })}
        </Fact>
        <Fact name={t('Goal')}>{of.goal}</Fact>
        {of.is_reached !== null && (
          <Fact name={t('Reached, as the caller says')}>{of.is_reached ? t('Yes') : t('No')}</Fact>
        )}
        {of.reason && <Fact name={t('Reason')}>{fromServer(of.reason)}</Fact>}
        <Fact name={t('Turns')}>{numberText(of.turns)}</Fact>
        <Fact name={t('Tokens')}>
          {t('{used} of {limit}', {
            ...{ used: numberText(of.tokens), limit: numberText(of.max_tokens) },
          })}
        </Fact>
      </Facts>
      {of.scores && <Scores scores={of.scores} />}
    </Block>
  </div>
)
