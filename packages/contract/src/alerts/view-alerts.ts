import { z } from 'zod'
import { VIEW_LISTS } from '../users/view-lists.ts'
import { Int, NoContent, resource, Sid } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { t } from '../wire/text.ts'
import { WATCHED_LISTS } from './watched-lists.ts'

/** Of one account, or of one provider without its accounts. */
export const MAX_VIEW_ALERTS = 20
const MAX_DESTINATIONS = 20
const MAX_ROWS = 100_000
const MINUTES = t('Enter a whole number of minutes from 5 to 1440')
const minutes = z.coerce.number<number>(MINUTES).int(MINUTES).min(5, MINUTES).max(1_440, MINUTES)

const condition = {
  comparison: z.enum(['more', 'fewer'], t('Enter more or fewer')),
  /** More or fewer rows than these. */
  threshold: Int(0, MAX_ROWS),
  /** The rows of so many minutes are counted. */
  minutes,
  /** So long after an alert there is no other. */
  quiet_minutes: minutes,
}
export const ViewAlertSet = z
  .object({
    ...condition,
    quiet_minutes: minutes.default(60),
    /** Of the same account or provider as the alert. */
    alert_destination_sids: z
      .array(Sid)
      .max(MAX_DESTINATIONS)
      .transform((sids) => [...new Set(sids)])
      .default([]),
    /** Whose rows are counted. For administrators; everybody else’s is known. */
    service_provider_sid: Sid.optional(),
  })
  .refine(({ comparison, threshold }) => comparison === 'more' || threshold > 0, {
    path: ['threshold'],
    message: t('There are never fewer than 0. Enter 1 or more'),
  })

/** The alert of a saved view: told when there are more or fewer rows than its threshold. */
export const ViewAlert = z.object({
  saved_view_sid: z.string(),
  /** Whose rows are counted, and in whose list it appears. */
  account_sid: z.string().nullable(),
  service_provider_sid: z.string().nullable(),
  ...condition,
  alert_destination_sids: z.array(z.string()),
  /** Who set it, and whose rights it has; null if that user was deleted. */
  set_by: z.string().nullable(),
  /** Times are ISO 8601. */
  state: z.object({
    checked_at: z.string().nullable(),
    /** Rows at the last check. */
    counted: z.number().int().nullable(),
    /** Null while the condition is not met. */
    firing_since: z.string().nullable(),
    /** The last alert. */
    fired_at: z.string().nullable(),
    /** Why the last check failed; it is repeated. */
    error: z.string().nullable(),
    /** Why it is not checked any more, until it is saved again. */
    stopped: z.string().nullable(),
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
  remove: {
    ...one,
    ...person,
    method: 'DELETE',
    summary: 'Delete the alert of a saved view',
    status: 204,
    response: NoContent,
  },
})
