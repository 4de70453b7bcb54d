import { z } from 'zod'
import { accountParams, serviceProviderParams } from '../wire/common.ts'
import { type Endpoint, endpoints } from '../wire/endpoint.ts'
import { Integer } from '../wire/fields.ts'
import { fileColumns } from '../wire/file-columns.ts'
import { ZoneName } from '../wire/report-links.ts'
import { t } from '../wire/text.ts'
import { CallAnomalies } from './call-anomalies.ts'
import { Call, CallFigures } from './calls.ts'
import { MISSING_MEMBERS } from './missing-members.ts'
import { modelFilters } from './model-filters.ts'
import { SCORE_FILTERS } from './score-results.ts'
import { SaidFilter, voiceFilters } from './voice-filters.ts'

const TIME = t('Enter a time, such as 2026-01-31T00:00:00Z')
const Iso = z.union([z.iso.datetime({ offset: true }), z.iso.date()])
/** ISO 8601. */
export const TimeText = z
  .string(TIME)
  .max(40, TIME)
  .refine((text) => Iso.safeParse(text).success, TIME)
/** Time in milliseconds since 1970. */
const Moment = TimeText.transform((text) => Date.parse(text))

const number = (message: string, min: number, max: number) =>
  z.coerce.number<number>(message).int(message).min(min, message).max(max, message)

/** Both ends are inclusive. `days` means that many times 24 hours until now, to the minute, and overrides both ends. */
const span = {
  days: number(t('Enter a whole number of days from 1 to 3650'), 1, 3_650).optional(),
  start: Moment.optional(),
  end: Moment.optional(),
}

const MISSING = t('Enter members of a call that may be missing, separated by commas')

/** Room for a column of numbers. */
const MAX_FILTER = 1_000
const Name = z.string().trim().max(128).optional()
const filters = {
  ...span,
  direction: z.enum(['inbound', 'outbound'], t('Enter inbound or outbound')).optional(),
  /** `known`: either of both. `unknown`: the record does not say. */
  answered: z
    .enum(['true', 'false', 'known', 'unknown'], t('Enter true, false, known or unknown'))
    .transform((text) => (text === 'true' ? true : text === 'false' ? false : text))
    .optional(),
  /**
   * Text within `from` or `to`, not a pattern; numbers in any notation, of which calls have one; the beginning of a number
   * with `*` behind it; or a call_sid, trace_id or Call-ID. If nothing has it, the name of a carrier, an application, an
   * account or a status, or the beginning of an id.
   */
  filter: z.string().trim().max(MAX_FILTER).optional(),
  /** The carrier's name, exactly. */
  trunk: Name,
  application_sid: Name,
  sip_status: number(t('Enter a SIP status'), 0, 999).optional(),
  /** Digits that `to` begins with. */
  prefix: z
    .string()
    .regex(/^\d{1,15}$/, t('Enter 1 to 15 digits'))
    .optional(),
  /** Selects records that lack these members, which lists and figures show as unknown. */
  missing: z
    .string(MISSING)
    .transform((text) => [...new Set(text.split(','))])
    .pipe(z.array(z.enum(MISSING_MEMBERS, MISSING)))
    .optional(),
  ...voiceFilters,
  /** Words that were said, as beginnings, and phrases in quotation marks: all of them. */
  said: SaidFilter.optional(),
  /** Only calls that were scored, by their result. Beside it, calls are filtered by application, version, account and time alone. */
  score: z.enum(SCORE_FILTERS, t('Enter scored, passed, failed or unsure')).optional(),
  ...modelFilters,
}

export const CallSpan = z.object(span)
export const CallFilters = z.object(filters)

/** The largest page. */
export const CALLS_MAX = 500

const page = t('missing or invalid "page" query arg')
const count = t('missing or invalid "count" query arg')
/** Paging of recorded data. */
export const recordPaging = {
  page: number(page, 1, 10_000_000),
  count: number(count, 1, CALLS_MAX),
}
/** The platform's portal sends `undefined` and `io` for none. */
const CallPage = CallFilters.extend({
  ...recordPaging,
  direction: filters.direction.catch(undefined),
  answered: filters.answered.catch(undefined),
})

/** A page of recorded data. */
export const recordPage = <T extends z.ZodType>(record: T) =>
  z.object({
    data: z.array(record),
    total: Integer,
    /** Both are text, as platform clients expect. */
    page: z.string(),
    page_size: z.string(),
  })

export const Calls = recordPage(Call)
export type Calls = z.infer<typeof Calls>

/** The columns of a file of calls, in their order. */
export const CALL_COLUMNS = Call.keyof().options

/** The same for an account, a provider and everyone. */
const list = { method: 'GET', query: CallPage, response: Calls } as const
const saved = {
  method: 'GET',
  own: true,
  file: 'recent-calls.csv',
  query: CallFilters.extend({
    format: z.enum(['csv', 'ndjson'], t('Enter csv or ndjson')).optional(),
    ...fileColumns(CALL_COLUMNS),
  }),
  response: z.string(),
} as const satisfies Partial<Endpoint>
export const CallPeriod = CallSpan.extend({
  /** Days and hours of the week are those of this time zone. UTC if missing. */
  time_zone: ZoneName.optional(),
})
/** A period of all calls, or of those of one application. */
export const ApplicationPeriod = CallPeriod.extend({
  /** Limits the figures to calls of this application. */
  application_sid: z
    .string()
    .trim()
    .min(1, t('Enter the SID of an application'))
    .max(128, t('Enter the SID of an application'))
    .optional(),
})
const counted = {
  method: 'GET',
  own: true,
  costs: 'figures',
  query: CallPeriod,
  response: CallFigures,
} as const
const unusual = { method: 'GET', own: true, costs: 'figures', response: CallAnomalies } as const

const ofAccount = { params: accountParams, access: 'account' } as const
export const accountRecentCalls = endpoints({
  list: {
    ...list,
    ...ofAccount,
    path: '/Accounts/:account_sid/RecentCalls',
    summary: 'List calls of an account, newest first',
  },
  export: {
    ...saved,
    ...ofAccount,
    path: '/Accounts/:account_sid/RecentCalls/Export',
    summary: 'Export calls of an account as CSV or JSON lines',
  },
  figures: {
    ...counted,
    ...ofAccount,
    path: '/Accounts/:account_sid/CallFigures',
    summary: 'Get call statistics of an account',
  },
  anomalies: {
    ...unusual,
    ...ofAccount,
    path: '/Accounts/:account_sid/CallAnomalies',
    summary: 'List anomalies among the calls of an account',
  },
})

const ofProvider = { params: serviceProviderParams, access: 'service_provider' } as const
export const providerRecentCalls = endpoints({
  list: {
    ...list,
    ...ofProvider,
    path: '/ServiceProviders/:service_provider_sid/RecentCalls',
    summary: 'List calls of a service provider’s accounts, newest first',
  },
  export: {
    ...saved,
    ...ofProvider,
    path: '/ServiceProviders/:service_provider_sid/RecentCalls/Export',
    summary: 'Export calls of a service provider’s accounts as CSV or JSON lines',
  },
  figures: {
    ...counted,
    ...ofProvider,
    path: '/ServiceProviders/:service_provider_sid/CallFigures',
    summary: 'Get call statistics of a service provider’s accounts',
  },
  anomalies: {
    ...unusual,
    ...ofProvider,
    path: '/ServiceProviders/:service_provider_sid/CallAnomalies',
    summary: 'List anomalies among the calls of a service provider’s accounts',
  },
})

export const recentCalls = endpoints({
  list: {
    ...list,
    path: '/RecentCalls',
    access: 'admin',
    own: true,
    summary: 'List all calls, newest first',
  },
  export: {
    ...saved,
    path: '/RecentCalls/Export',
    access: 'admin',
    summary: 'Export all calls as CSV or JSON lines',
  },
  figures: {
    ...counted,
    path: '/CallFigures',
    access: 'admin',
    summary: 'Get statistics of all calls',
  },
  anomalies: {
    ...unusual,
    path: '/CallAnomalies',
    access: 'admin',
    summary: 'List anomalies among all calls',
  },
  view: {
    path: '/RecentCalls/:call_id',
    params: z.object({ call_id: z.string().min(1).max(256) }),
    access: 'account',
    method: 'GET',
    own: true,
    summary: 'Get a call by its call_sid, its trace_id, or the Call-ID of one of its legs',
    response: Call,
  },
})
