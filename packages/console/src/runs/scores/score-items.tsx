import {
  decimalText,
  fromServer,
  numberText,
  type ScoreFigures,
  TOP_SCORE,
  t,
} from '@switchroom/contract'
import { type Comparison, shareShown } from '../../conversations/voice/changes'
import { otherText } from '../../conversations/voice/other-text'
import { Part } from '../../conversations/voice/part'

/** Figures to compare with, and of which application if it is another. */
export type OtherScores = Pick<Comparison, 'application'> & { figures: ScoreFigures }

export type Props = {
  data: ScoreFigures
  other: OtherScores | undefined
  filter: { account_sid: string | undefined; application_sid: string | undefined }
  provider: string
  hourly: boolean
}
type Item = ScoreFigures['items'][number]

export function Items({ data, other }: Pick<Props, 'data' | 'other'>) {
  const thenOf = ({ kind, name }: Item) =>
    other?.figures.items.find((one) => one.kind === kind && one.name === name)
  return (
    <Part title={t('By rule and criterion')}>
      <div className="table-box voice-table">
        <table className="table" aria-label={t('Scores by rule and criterion')}>
          <thead>
            <tr>
              <th scope="col">{t('Rule or criterion')}</th>
              <th scope="col" data-align="end">
                {t('Judged')}
              </th>
              <th scope="col" data-align="end">
                {t('Passed')}
              </th>
              <th scope="col" data-align="end">
                {t('Not certain')}
              </th>
              <th scope="col" data-align="end">
                {t('Mean score')}
              </th>
            </tr>
          </thead>
          <tbody>
            {data.items.map((item) => {
              const then = thenOf(item)
              const passed = shareShown(
                { n: item.passed, of: item.judged },
                then && { n: then.passed, of: then.judged },
                'down',
              )
              return (
                <tr key={`${item.kind} ${item.name}`}>
                  <td data-label={t('Rule or criterion')} dir="auto">
                    {item.kind === 'rule' ? fromServer(item.name) : item.name}
                  </td>
                  <td data-label={t('Judged')} data-align="end">
                    {numberText(item.judged)}
                  </td>
                  <td data-label={t('Passed')} data-align="end">
                    <span className="voice-cell">
                      {passed.text}
                      {passed.change && (
                        <span className="voice-note">{otherText(passed, other)}</span>
                      )}
                    </span>
                  </td>
                  <td data-label={t('Not certain')} data-align="end">
                    {numberText(item.unsure)}
                  </td>
                  <td data-label={t('Mean score')} data-align="end">
                    <Mean item={item} then={thenOf(item)} other={other} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </Part>
  )
}

const meanText = (mean: number) =>
  t('{score} of {top}', { score: decimalText(mean), top: TOP_SCORE })

function Mean({
  item: { mean },
  then,
  other,
}: {
  item: Item
  then: Item | undefined
  other: OtherScores | undefined
}) {
  if (mean === null) return '–'
  const text = meanText(mean)
  const was = then?.mean == null ? undefined : meanText(then.mean)
  return (
    <span className="voice-cell">
      {text}
      {was !== undefined && was !== text && (
        <span className="voice-note">{otherText({ text, other: was }, other)}</span>
      )}
    </span>
  )
}
