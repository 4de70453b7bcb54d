import { type Call, numberText, t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../lib/api'
import { accountScores } from '../../../lib/endpoints'
import { INLINE } from '../../../lib/inline'
import { Scores } from '../../../lib/scores'
import { useCapabilities } from '../../../lib/use-capabilities'
import { Block } from '../../../ui/block'
import { Status } from '../../../ui/status'

const RESULTS = {
  passed: { tone: 'ok', text: t('Passed') },
  failed: { tone: 'bad', text: t('Failed') },
  unsure: { tone: 'warn', text: t('Not certain') },
} as const

/** The scores of a call, each with its reason; nothing for a call that was not scored. */
export function CallScores({ call: { account_sid, call_sid } }: { call: Call }) {
  const ours = useCapabilities()
  const { data } = useQuery({
    ...query(accountScores.view, {
      params: { account_sid: account_sid ?? '', call_sid: call_sid ?? '' },
    }),
    ...INLINE,
    enabled: !!ours && account_sid !== null && call_sid !== null,
  })
  const score = data?.score
  if (!score) return null
  const { tone, text } = RESULTS[score.result]
  return (
    <div className="call-scores">
      <Block title={t('Scores')} action={<Status tone={tone}>{text}</Status>}>
        {score.criteria.length > 0 && (
          <p className="hint">
            {t('{tokens} tokens were used. A score of at least {pass} passes.', {
              tokens: numberText(score.tokens),
              pass: score.pass_score,
            })}
          </p>
        )}
        <Scores rules={score.rules} scores={score.criteria} />
      </Block>
    </div>
  )
}
