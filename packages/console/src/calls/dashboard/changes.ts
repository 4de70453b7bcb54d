import { type CallCounts, decimalText, durationText, numberText, t } from '@switchroom/contract'

/** How a figure differs from the period before: which way, and in words. `tone` where one way is better. */
export type Change = {
  way: 'up' | 'down' | 'same'
  text: string
  tone?: 'better' | 'worse' | undefined
}

const SAME: Change = { way: 'same', text: t('As before') }

/** A count, as a percentage of the one before. */
export function countChange(now: number, before: number): Change {
  if (now === before) return SAME
  if (before === 0) return { way: 'up', text: t('None before') }
  const percent = Math.round((Math.abs(now - before) / before) * 100)
  if (percent === 0) return SAME
  return now > before
    ? { way: 'up', text: t('{percent} % more', { percent: numberText(percent) }) }
    : { way: 'down', text: t('{percent} % fewer', { percent }) }
}

const ratioOf = ({ answered, not_answered }: Pick<CallCounts, 'answered' | 'not_answered'>) =>
  answered + not_answered > 0 ? answered / (answered + not_answered) : undefined

/** An answered ratio, in points. Undefined if one of them is unknown. */
export function ratioChange(now: CallCounts, before: CallCounts): Change | undefined {
  const [a, b] = [ratioOf(now), ratioOf(before)]
  if (a === undefined || b === undefined) return undefined
  const points = Math.round((a - b) * 1_000) / 10
  if (points === 0) return SAME
  const text = decimalText(Math.abs(points))
  return points > 0
    ? { way: 'up', text: t('{points} points higher', { points: text }) }
    : { way: 'down', text: t('{points} points lower', { points: text }) }
}

export const averageOf = ({ seconds, timed }: CallCounts) => (timed > 0 ? seconds / timed : null)

const timeChange = (difference: number, time: string | undefined): Change =>
  difference > 0
    ? { way: 'up', text: t('{time} longer', { time }) }
    : { way: 'down', text: t('{time} shorter', { time }) }

/** A duration. Undefined if one of them is unknown. */
export function durationChange(now: number | null, before: number | null): Change | undefined {
  if (now === null || before === null) return undefined
  const difference = Math.round(now) - Math.round(before)
  if (difference === 0) return SAME
  return timeChange(difference, durationText(Math.abs(difference)))
}

/** Seconds to a tenth, as times to answer are. */
export function secondsChange(now: number | null, before: number | null): Change | undefined {
  if (now === null || before === null) return undefined
  const difference = Math.round((now - before) * 10) / 10
  if (difference === 0) return SAME
  return timeChange(difference, `${decimalText(Math.abs(difference))} s`)
}
