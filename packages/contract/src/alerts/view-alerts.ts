import { z } from 'zod'
import { VIEW_LISTS } from '../users/view-lists.ts'
import { NoContent, resource, Sid } from '../wire/common.ts'
import { endpoints, removes } from '../wire/endpoint.ts'
import { IntegerOrNull, StringOrNull } from '../wire/fields.ts'
import { t } from '../wire/text.ts'
import { VIEW_MEASURES, type ViewMeasure } from './view-measures.ts'
import { WATCHED_LISTS } from './watched-lists.ts'

/** Limit for one account, or for one provider without its accounts. */
export const MAX_VIEW_ALERTS = 20
const MAX_DESTINATIONS = 20
const MINUTES = t('Enter a whole number of minutes from 5 to 1440')
const minutes = z.coerce.number<number>(MINUTES).int(MINUTES).min(5, MINUTES).max(1_440, MINUTES)

/** Valid thresholds of each measure. Percentages have at most one decimal. */
const THRESHOLDS: Record<ViewMeasure, { max: number; decimals: number; message: string }> = {
  rows: { max: 100_000, decimals: 0, message: t('Enter a whole number from 0 to 100000') },
  share: {
    max: 100,
    decimals: 1,
    message: t('Enter a percentage from 0 to 100, with at most one decimal'),
  },
  usual: {
    max: 1_000,
    decimals: 1,
    message: t('Enter a percentage from 0 to 1000, with at most one decimal'),
  },
}

const condition = {
  /** Views of alerts are measured by their rows only, and shares are of views with a filter that singles calls out. */
  measure: z.enum(VIEW_MEASURES, t('Enter rows, share or usual')),
  comparison: z.enum(['more', 'fewer'], t('Enter more or fewer')),
  /** More or fewer than this: rows, or percent. */
  threshold: z.number(),
  /** The rows of so many minutes are counted. */
  minutes,
  /** So long after an alert there is no other. */
  quiet_minutes: minutes,
}
export const ViewAlertSet = z
  .object({
    ...condition,
    measure: condition.measure.default('rows'),
    threshold: z.preprocess(
      // which would be 0
      (given) => (given === null || given === '' ? undefined : given),
      z.coerce.number<number>(t('Enter a number')),
    ),
    quiet_minutes: minutes.default(60),
    /** Destinations of the same account or provider as the alert. */
    alert_destination_sids: z
      .array(Sid)
      .max(MAX_DESTINATIONS)
      .transform((sids) => [...new Set(sids)])
      .default([]),
    /** Owner of the counted rows. Only for administrators; that of all others is known. */
    service_provider_sid: Sid.optional(),
  })
  .superRefine(({ measure, comparison, threshold }, ctx) => {
    const message = wrongThreshold(measure, comparison, threshold)
    if (message) ctx.addIssue({ code: 'custom', path: ['threshold'], message })
  })

function wrongThreshold(measure: ViewMeasure, comparison: string, threshold: number) {
  const { max, decimals, message } = THRESHOLDS[measure]
  if (threshold < 0 || threshold > max || Number(threshold.toFixed(decimals)) !== threshold)
    return message
  if (comparison === 'fewer' && threshold === 0)
    return measure === 'rows'
      ? t('There are never fewer than 0. Enter 1 or more')
      : t('It is never less than 0 %. Enter a higher percentage')
  if (comparison === 'more' && measure === 'share' && threshold === max)
    return t('It is never more than 100 %. Enter a lower percentage')
  return undefined
}

/** The alert of a saved view: told when there are more or fewer than its threshold. */
export const ViewAlert = z.object({
  saved_view_sid: z.string(),
  /** Owner of the counted rows, in whose list the alert appears. */
  account_sid: StringOrNull,
  service_provider_sid: StringOrNull,
  ...condition,
  alert_destination_sids: z.array(z.string()),
  /** User who set it, and whose permissions apply; null if that user was deleted. */
  set_by: StringOrNull,
  /** Times are ISO 8601. */
  state: z.object({
    checked_at: StringOrNull,
    /** Rows at the last check. */
    counted: IntegerOrNull,
    /**
     * The denominator of the percentage: the calls that the rows are a part of, or the usual number. Null if measured
     * in
     * rows, or with too few weeks of records. Percentages of few calls neither raise an alert nor end it (`isJudged`).
     */
    whole: IntegerOrNull,
    /** Null while the condition is not met. */
    firing_since: StringOrNull,
    /** The last alert. */
    fired_at: StringOrNull,
    /** Why the last check failed; it is repeated. */
    error: StringOrNull,
    /** Why it is not checked any more, until it is saved again. */
    stopped: StringOrNull,
  }),
})
export type ViewAlert = z.infer<typeof ViewAlert>

const { one, all } = resource('/ViewAlerts', { saved_view_sid: Sid })
const person = { own: true, personOnly: true } as const

export const viewAlerts = endpoints({
  list: {
    ...all,
    ...person,
    method: 'GET',
    summary: 'List the alerts of the saved views of a list',
    query: z.object({ list: z.enum(Object.keys(VIEW_LISTS) as (keyof typeof VIEW_LISTS)[]) }),
    response: z.array(ViewAlert),
  },
  set: {
    ...one,
    ...person,
    method: 'PUT',
    summary: `Set the alert of a saved view of ${Object.values(WATCHED_LISTS).join(' or ')}`,
    body: ViewAlertSet,
    status: 204,
    response: NoContent,
  },
  remove: { ...one, ...person, ...removes, summary: 'Delete the alert of a saved view' },
})
