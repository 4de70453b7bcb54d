import { plural, t, type VoiceFigures } from '@switchroom/contract'
import { PARTS } from '../../calls/call/conversation/conversation-text'
import partsSheet from '../../calls/call/conversation/response-parts.css?url'
import { ChangeText } from '../../calls/dashboard/figures'
import type { FigureFilter } from '../../calls/dashboard/links'
import { PlainLink } from '../../lib/plain-link'
import { rich } from '../../ui/rich'
import { type Comparison, percentText, timeShown } from './changes'
import { otherText } from './other-text'

type Parts = VoiceFigures['parts']
const sumOf = (parts: Parts) => parts.reduce((sum, { ms }) => sum + ms, 0)

/** Parts of the response times, and how they differ from the comparison. */
export function ResponseParts({
  data,
  other,
  hrefOf,
}: {
  data: VoiceFigures
  other: Comparison | undefined
  hrefOf: (filter: FigureFilter) => string
}) {
  const sum = sumOf(data.parts)
  const baseline = other?.figures.parts
  const longest = Math.max(sum, baseline ? sumOf(baseline) : 0)
  // what took time before and takes none now matters too
  const gone = (baseline ?? []).filter(({ part }) => !data.parts.some((p) => p.part === part))
  const rows = [...data.parts, ...gone.map(({ part }) => ({ part, ms: 0 }))]
  return (
    <>
      <link rel="stylesheet" href={partsSheet} precedence="page" />
      <p className="hint">
        {rich(
          'Mean times: recognition and digits over {responses}, everything else over {answers}.',
          {
            responses: (
              <PlainLink href={hrefOf({ voice: 'response' })}>
                {plural(data.response.known, '1 response time|{n} response times')}
              </PlainLink>
            ),
            answers: (
              <PlainLink href={hrefOf({ voice: 'answer' })}>
                {plural(data.answer.known, '1 answer time|{n} answer times')}
              </PlainLink>
            ),
          },
        )}
      </p>
      <Bar parts={data.parts} longest={longest} />
      {baseline && (
        <>
          <p className="voice-note">
            {other.application === undefined
              ? t('In the period before')
              : t('With {application}', { application: other.application })}
          </p>
          <Bar parts={baseline} longest={longest} />
        </>
      )}
      <dl className="voice-parts">
        {rows.map(({ part, ms }) => {
          const shown = timeShown(ms, baseline && (baseline.find((p) => p.part === part)?.ms ?? 0))
          return (
            <div key={part}>
              <dt>
                <span className="response-swatch" data-part={part} aria-hidden />
                {PARTS[part]}
              </dt>
              <dd className="numbers">
                {shown.text} <span className="voice-note">{percentText({ n: ms, of: sum })}</span>
              </dd>
              {shown.change && (
                <dd className="voice-note">
                  {otherText(shown, other)} <ChangeText {...shown.change} />
                </dd>
              )}
            </div>
          )
        })}
      </dl>
    </>
  )
}

const Bar = ({ parts, longest }: { parts: Parts; longest: number }) => (
  <div
    className="voice-bar"
    style={{ width: `${longest > 0 ? (sumOf(parts) / longest) * 100 : 0}%` }}
    aria-hidden
  >
    {parts.map(({ part, ms }) => (
      <span key={part} data-part={part} style={{ flexGrow: ms }} />
    ))}
  </div>
)
