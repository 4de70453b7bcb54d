import { numberText, plural, t, type VoiceFigures } from '@switchroom/contract'
import { Figure } from '../../calls/dashboard/figures'
import type { FigureFilter } from '../../calls/dashboard/links'
import {
  bargeInShare,
  type Comparison,
  cacheShare,
  countShown,
  isUncertain,
  percentileShown,
  type Share,
  type Shown,
  shareShown,
  talkShare,
} from './changes'
import { NOT_MEASURED } from './interruptions'
import { atLeast } from './links'
import { otherText, uncertainText } from './other-text'
import { mainTime, PAUSE_NAMES, PERCENTILES, TIME_NAMES } from './times'

const PROBLEMS = [
  { voice: 'not_understood', name: t('Not understood') },
  { voice: 'timed_out', name: t('No input') },
  { voice: 'failed', name: t('Recognizer failed') },
  { voice: 'hung_up', name: t('Hung up while waiting') },
] as const
const ENDS = [
  { voice: 'ended_by_caller', name: t('Ended by the caller') },
  { voice: 'ended_by_application', name: t('Ended by the application') },
] as const
/** The totals, each with a link to its calls and the value that it is compared with. */
export function Headline({
  data,
  other,
  hrefOf,
}: {
  data: VoiceFigures
  other: Comparison | undefined
  hrefOf: (filter: FigureFilter) => string
}) {
  const baseline = other?.figures
  const figure = (name: string, shown: Shown, filter: FigureFilter | undefined, hint?: string) => (
    <Figure
      key={name}
      name={name}
      href={filter && hrefOf(filter)}
      was={otherText(shown, other)}
      change={shown.change}
      hint={hint}
    >
      {shown.text}
    </Figure>
  )
  const main = mainTime(data)
  const measures = [main, main === 'response' ? 'answer' : 'response'] as const
  return (
    <dl className="figures">
      {figure(t('Calls'), countShown(data.calls, baseline?.calls), { voice: 'calls' })}
      {figure(t('Turns'), countShown(data.turns, baseline?.turns), { voice: 'turns' })}
      {measures.flatMap((measure) =>
        PERCENTILES.filter((p) => p !== 'p99' || measure === main).map((percentile) => {
          const ms = data[measure][percentile]
          return figure(
            TIME_NAMES[measure][percentile],
            percentileShown(data[measure], baseline?.[measure], percentile),
            atLeast(measure, ms),
            isUncertain(data[measure]) ? uncertainText(data[measure].known) : undefined,
          )
        }),
      )}
      {PROBLEMS.map(({ voice, name }) => {
        const share = (figures: VoiceFigures) => ({ n: figures[voice], of: figures.turns })
        return figure(
          name,
          shareShown(share(data), baseline && share(baseline), 'up'),
          { voice },
          ofTurns(share(data)),
        )
      })}
      {figure(
        t('Prompts from the cache'),
        shareShown(cacheShare(data), baseline && cacheShare(baseline), 'down'),
        { voice: 'cached' },
        ofPrompts(cacheShare(data)),
      )}
      {figure(
        t('Interrupted prompts'),
        shareShown(bargeInShare(data), baseline && bargeInShare(baseline)),
        data.barge_in_known > 0 ? { voice: 'barge_ins' } : undefined,
        data.barge_in_known > 0 ? ofPrompts(bargeInShare(data)) : NOT_MEASURED,
      )}
      {PAUSES.map(({ measure, percentile }) =>
        figure(
          PAUSE_NAMES[measure][percentile],
          percentileShown(data[measure], baseline?.[measure], percentile),
          atLeast(measure, data[measure][percentile]),
          pauseHint(data[measure].known),
        ),
      )}
      {figure(
        t('Talk share of callers'),
        shareShown(talkShare(data), baseline && talkShare(baseline)),
        data.talk_known > 0 ? { voice: 'talk_known' } : undefined,
        data.talk_known > 0
          ? plural(data.talk_known, 'In 1 call that tells it|In {n} calls that tell it')
          : NOT_MEASURED,
      )}
      {ENDS.map(({ voice, name }) => {
        const share = (figures: VoiceFigures) => ({ n: figures[voice], of: figures.calls })
        return figure(
          name,
          shareShown(share(data), baseline && share(baseline)),
          { voice },
          ofCalls(share(data)),
        )
      })}
    </dl>
  )
}

const PAUSES = [
  { measure: 'talk_over', percentile: 'p95' },
  { measure: 'silence_before', percentile: 'p50' },
] as const

const pauseHint = (known: number) =>
  known === 0 ? NOT_MEASURED : plural(known, 'In 1 turn that tells it|In {n} turns that tell it')

const ofTurns = ({ n, of }: Share) =>
  plural(of, '{count} of 1 turn|{count} of {n} turns', { count: numberText(n) })
const ofPrompts = ({ n, of }: Share) =>
  plural(of, '{count} of 1 prompt|{count} of {n} prompts', { count: numberText(n) })
const ofCalls = ({ n, of }: Share) =>
  plural(of, '{count} of 1 call|{count} of {n} calls', { count: numberText(n) })
