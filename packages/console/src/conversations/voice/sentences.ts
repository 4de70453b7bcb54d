import { numberText, type Percentiles, t, type VoiceFigures } from '@switchroom/contract'
import type { Change } from '../../calls/dashboard/changes'
import { type Comparison, FEWEST, isUncertain, percentText, pointsOf, timeText } from './changes'
import { mainTime, TIME_NAMES, type TimeMeasure } from './times'

export type Sentence = { text: string; tone: Change['tone'] }

/** Sentences that sum up the comparison; empty if there is nothing to compare with. */
export function sentencesOf(now: VoiceFigures, other: Comparison): Sentence[] {
  const { figures, application } = other
  if (now.calls === 0 || figures.calls === 0) return []
  const measure = mainTime(now)
  const time = timeSentence(measure, now, figures, application)
  const understood = understoodSentence(now, figures, application)
  const isFew = isUncertain(now[measure]) || isUncertain(figures[measure])
  return [
    time && (isFew ? { ...time, tone: undefined } : time),
    understood,
    isFew ? { text: uncertainText(now[measure], figures[measure]), tone: undefined } : undefined,
  ].filter((sentence) => sentence !== undefined)
}

function timeSentence(
  measure: TimeMeasure,
  figures: VoiceFigures,
  before: VoiceFigures,
  application: string | undefined,
): Sentence | undefined {
  const [ms, other] = [figures[measure].p95, before[measure].p95]
  if (ms === null || other === null) return undefined
  const values = {
    measure: TIME_NAMES[measure].p95,
    now: timeText(ms),
    other: timeText(other),
    application,
  }
  if (ms === other)
    return {
      tone: undefined,
      text:
        application === undefined
          ? t('{measure} stayed at {now}.', values)
          : t('{measure} is {now}, as with {application}.', values),
    }
  if (ms > other)
    return {
      tone: 'worse',
      text:
        application === undefined
          ? t('{measure} rose from {other} to {now}.', values)
          : t('{measure} is {now}, longer than {other} with {application}.', values),
    }
  return {
    tone: 'better',
    text:
      application === undefined
        ? t('{measure} fell from {other} to {now}.', values)
        : t('{measure} is {now}, shorter than {other} with {application}.', values),
  }
}

const missed = ({ not_understood, turns }: VoiceFigures) => ({ n: not_understood, of: turns })

function understoodSentence(
  figures: VoiceFigures,
  before: VoiceFigures,
  application: string | undefined,
): Sentence | undefined {
  const [share, other] = [missed(figures), missed(before)]
  const points = pointsOf(share, other)
  if (points === undefined) return undefined
  const values = { now: percentText(share), other: percentText(other), application }
  if (points === 0)
    return {
      tone: undefined,
      text:
        application === undefined
          ? t('As before, {now} of turns were not understood.', values)
          : t('{now} of turns were not understood, as with {application}.', values),
    }
  if (points > 0)
    return {
      tone: 'worse',
      text:
        application === undefined
          ? t('Turns not understood rose from {other} to {now}.', values)
          : t('{now} of turns were not understood, more than {other} with {application}.', values),
    }
  return {
    tone: 'better',
    text:
      application === undefined
        ? t('Turns not understood fell from {other} to {now}.', values)
        : t('{now} of turns were not understood, fewer than {other} with {application}.', values),
  }
}

const uncertainText = (now: Percentiles, other: Percentiles) =>
  t(
    'Percentiles of fewer than {fewest} times are uncertain: {now} are known, and {other} of what they are compared with.',
    { fewest: FEWEST, now: numberText(now.known), other: numberText(other.known) },
  )
