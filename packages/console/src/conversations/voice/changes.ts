import {
  decimalText,
  type InterruptionCounts,
  numberText,
  type Percentiles,
  type PromptCounts,
  t,
  type VoiceFigures,
} from '@switchroom/contract'
import { msText } from '../../calls/call/conversation/conversation-text'
import type { Change } from '../../calls/dashboard/changes'

/** Figures for comparison: of the period before, or of the named application. */
export type Comparison = { figures: VoiceFigures; application: string | undefined }

/** A figure in words, what it is compared with, and how it differs. */
export type Shown = { text: string; other?: string | undefined; change?: Change | undefined }

/** `n` out of `of`. */
export type Share = { n: number; of: number }

/** Least number of times for reliable percentiles. */
export const FEWEST = 30

const NONE = '–'
const SAME: Change = { way: 'same', text: t('The same') }

export const percentText = ({ n, of }: Share) =>
  of === 0 ? NONE : t('{percent} %', { percent: decimalText((n / of) * 100) })

export const timeText = (ms: number | null) => (ms === null ? NONE : msText(ms))

const toned = (way: 'up' | 'down', worse: 'up' | 'down' | undefined) =>
  worse && (way === worse ? 'worse' : 'better')

function countChange(now: number, other: number): Change | undefined {
  if (now === other) return SAME
  if (other === 0) return undefined
  const percent = Math.round((Math.abs(now - other) / other) * 100)
  if (percent === 0) return SAME
  const text = numberText(percent)
  return now > other
    ? { way: 'up', text: t('{percent} % more', { percent: text }) }
    : { way: 'down', text: t('{percent} % fewer', { percent: text }) }
}

/** Difference in percentage points; undefined if either share has a total of 0. */
export function pointsOf(now: Share, other: Share): number | undefined {
  if (now.of === 0 || other.of === 0) return undefined
  return Math.round((now.n / now.of - other.n / other.of) * 1_000) / 10
}

function shareChange(now: Share, other: Share, worse?: 'up' | 'down'): Change | undefined {
  const points = pointsOf(now, other)
  if (points === undefined) return undefined
  if (points === 0) return SAME
  const text = decimalText(Math.abs(points))
  return points > 0
    ? {
        way: 'up',
        text: t('{points} points higher', { points: text }),
        tone: toned('up', worse),
      }
    : {
        way: 'down',
        text: t('{points} points lower', { points: text }),
        tone: toned('down', worse),
      }
}

function timeChange(now: number | null, other: number | null): Change | undefined {
  if (now === null || other === null) return undefined
  if (Math.round(now) === Math.round(other)) return SAME
  const time = msText(Math.abs(now - other))
  return now > other
    ? { way: 'up', text: t('{time} longer', { time }), tone: 'worse' }
    : { way: 'down', text: t('{time} shorter', { time }), tone: 'better' }
}

/** A count. Without `other`, there is nothing to compare with. */
export const countShown = (now: number, other: number | undefined): Shown => ({
  text: numberText(now),
  ...(other !== undefined && { other: numberText(other), change: countChange(now, other) }),
})

/** A percentage. `worse`: the direction that is worse. */
export const shareShown = (now: Share, other: Share | undefined, worse?: 'up' | 'down'): Shown => ({
  text: percentText(now),
  ...(other && { other: percentText(other), change: shareChange(now, other, worse) }),
})

/** A count with its percentage, as in tables. */
export const countedShown = (now: Share, other: Share | undefined): Shown => ({
  ...shareShown(now, other, 'up'),
  text:
    now.n === 0
      ? '0'
      : t('{count} ({percent} %)', {
          count: numberText(now.n),
          percent: decimalText((now.n / now.of) * 100),
        }),
})

/** A time in milliseconds: longer is worse. */
export const timeShown = (now: number | null, other: number | null | undefined): Shown => ({
  text: timeText(now),
  ...(other !== undefined &&
    !(now === null && other === null) && {
      other: timeText(other),
      change: timeChange(now, other),
    }),
})

/** Share of cached prompts among those with known cache use. */
export const cacheShare = ({ cached, not_cached }: PromptCounts): Share => ({
  n: cached,
  of: cached + not_cached,
})

/** Share of interrupted prompts among those of which it is known. */
export const bargeInShare = ({ barge_ins, barge_in_known }: InterruptionCounts): Share => ({
  n: barge_ins,
  of: barge_in_known,
})

/** Share of the caller in the time that both sides spoke. */
export const talkShare = ({ caller_talk, application_talk }: InterruptionCounts): Share => ({
  n: caller_talk,
  of: caller_talk + application_talk,
})

/** True if there are times, but too few for reliable percentiles. */
export const isUncertain = ({ known }: Percentiles) => known > 0 && known < FEWEST

/** A percentile. With few times on either side, it is marked neither better nor worse. */
export function percentileShown(
  now: Percentiles,
  other: Percentiles | undefined,
  percentile: 'p50' | 'p95' | 'p99',
): Shown {
  const shown = timeShown(now[percentile], other?.[percentile])
  if (!shown.other || !other || !(isUncertain(now) || isUncertain(other))) return shown
  const { change } = shown
  return {
    ...shown,
    other: isUncertain(other)
      ? t('{time} (of {count})', { time: shown.other, count: numberText(other.known) })
      : shown.other,
    change: change && { ...change, tone: undefined },
  }
}
