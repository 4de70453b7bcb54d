import {
  denominatorOf,
  FEWEST_CALLS,
  FEWEST_WEEKS,
  isJudged,
  keysOf,
  numberText,
  percentOfCalls,
  plural,
  t,
  USUAL_WEEKS,
  type ViewAlert,
  type VoiceMeasure,
  type WatchedList,
} from '@switchroom/contract'

type Condition = Pick<ViewAlert, 'measure' | 'comparison' | 'threshold' | 'minutes'>

/** Condition of an alert: "More than 20 calls in 10 minutes". */
export function conditionText(
  { measure, comparison, threshold, minutes }: Condition,
  list: WatchedList,
): string {
  const isMore = comparison === 'more'
  const percent = numberText(threshold)
  if (measure === 'share')
    return isMore
      ? t('More than {percent} % of calls in {minutes} minutes', { percent, minutes })
      : t('Less than {percent} % of calls in {minutes} minutes', { percent, minutes })
  if (measure === 'usual')
    return isMore
      ? t('More than {percent} % of the usual calls in {minutes} minutes', { percent, minutes })
      : t('Less than {percent} % of the usual calls in {minutes} minutes', { percent, minutes })
  if (list === 'alerts')
    return isMore
      ? plural(
          threshold,
          'More than 1 alert in {minutes} minutes|More than {n} alerts in {minutes} minutes',
          { minutes },
        )
      : plural(
          threshold,
          'Fewer than 1 alert in {minutes} minutes|Fewer than {n} alerts in {minutes} minutes',
          { minutes },
        )
  return isMore
    ? plural(
        threshold,
        'More than 1 call in {minutes} minutes|More than {n} calls in {minutes} minutes',
        { minutes },
      )
    : plural(
        threshold,
        'Fewer than 1 call in {minutes} minutes|Fewer than {n} calls in {minutes} minutes',
        { minutes },
      )
}

/** Result of the last check; says so if there were too few calls to judge. */
export function foundText(
  measure: ViewAlert['measure'],
  counted: number,
  whole: number | null,
  list: WatchedList,
): string {
  if (measure === 'rows')
    return list === 'alerts'
      ? plural(counted, '1 alert|{n} alerts')
      : plural(counted, '1 call|{n} calls')
  if (measure === 'share') {
    const n = whole ?? 0
    return isJudged(measure, n)
      ? plural(n, '{percent} % of 1 call|{percent} % of {n} calls', {
          percent: numberText(percentOfCalls(counted, n)),
        })
      : plural(n, 'Too few to tell: 1 call|Too few to tell: {n} calls')
  }
  const count = plural(counted, '1 call|{n} calls')
  if (whole === null)
    return t('{count}, but too few weeks with records to tell what is usual', { count })
  const usual = numberText(whole)
  if (!isJudged(measure, whole))
    return t('{count}, but the usual {usual} are too few', { count, usual })
  const percent = numberText(percentOfCalls(counted, whole))
  return t('{count}, {percent} % of the usual {usual}', { count, percent, usual })
}

const SHARES: Partial<Record<VoiceMeasure, string>> = {
  calls: t('The calls of this view as a percentage of those with a conversation.'),
  turns: t('The calls of this view as a percentage of those in which the caller was listened to.'),
  prompts: t('The calls of this view as a percentage of those with prompts.'),
  requests: t('The calls of this view as a percentage of those that needed this vendor.'),
  response: t('The calls of this view as a percentage of those with a response time.'),
  answer: t('The calls of this view as a percentage of those with an answer time.'),
  first_audio: t('The calls of this view as a percentage of those with a time to first audio.'),
  barge_in_known: t(
    'The calls of this view as a percentage of those whose traces tell whether a prompt was interrupted.',
  ),
  talk_over: t(
    'The calls of this view as a percentage of those whose traces tell whether both spoke.',
  ),
  silence_before: t(
    'The calls of this view as a percentage of those with a known silence before the caller.',
  ),
}
const OF_USE: Record<string, string> = {
  tokens_at_least: t('The calls of this view as a percentage of those whose tokens are known.'),
  cost_at_least: t('The calls of this view as a percentage of those whose model has a price.'),
}
const OF_ANY_OUTCOME = t(
  'The calls of this view as a percentage of those with the same other filters, however they ended.',
)

/** Explains what a percentage is relative to, and when there is none. Undefined for rows. */
export function measureText(
  measure: ViewAlert['measure'],
  search: Readonly<Record<string, unknown>>,
): string | undefined {
  if (measure === 'rows') return undefined
  if (measure === 'usual')
    return t(
      'The calls of this view as a percentage of the mean of the same minutes of the last {weeks} weeks. It takes {fewest} weeks with records and a mean of {calls} calls; with less, no alert begins, and one that is on ends after an hour.',
      { weeks: USUAL_WEEKS, fewest: FEWEST_WEEKS, calls: FEWEST_CALLS.usual },
    )
  const whole = denominatorOf(search)
  const few = t(
    'With fewer than {calls} of these, no alert begins, and one that is on ends after an hour.',
    {
      calls: FEWEST_CALLS.share,
    },
  )
  const used = keysOf(OF_USE).find((name) => Number(search[name]) > 0)
  const of = used ? OF_USE[used] : whole?.counted_for && SHARES[whole.counted_for]
  return `${of ?? OF_ANY_OUTCOME} ${few}`
}
