import { type Call, FAILURE_HOURS, failurePrefix } from '@switchroom/contract'
import { z } from 'zod'
import { HOUR_MS } from '../../stores/calls/sums.ts'

/** Names per kind that are counted one by one; further ones are counted together. */
const MAX_HITS = 20
const MAX_SAMPLES = 10

const Counts = z.record(z.string(), z.number())
const Hits = z.object({ by: Counts, others: z.number() })
const Sample = z.object({
  at: z.string(),
  call_sid: z.string().nullable(),
  sip_callid: z.string().nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
})
/** What is kept of the calls of a failure. Its size does not grow with them. */
const Content = z.object({
  /** By hours since 1970. */
  hours: Counts,
  accounts: Hits,
  applications: Hits,
  callers: Hits,
  /** The latest first. */
  samples: z.array(Sample),
})
export type Content = z.infer<typeof Content>

export const readContent = (json: string): Content => Content.parse(JSON.parse(json))

const none = () => ({ by: {}, others: 0 })
export const emptyContent = (): Content => ({
  hours: {},
  accounts: none(),
  applications: none(),
  callers: none(),
  samples: [],
})

export const hourOf = (at: string | number) => Math.floor(new Date(at).getTime() / HOUR_MS)

const cut = (text: string | null) => text?.toWellFormed().slice(0, 128) ?? null

function addHit({ by, others }: Content['accounts'], name: string | null) {
  if (name === null) return { by, others }
  const isCounted = Object.hasOwn(by, name) || Object.keys(by).length < MAX_HITS
  return isCounted
    ? { by: { ...by, [name]: (by[name] ?? 0) + 1 }, others }
    : { by, others: others + 1 }
}

/** The content with further calls. */
export function withCalls(content: Content, calls: readonly Call[]): Content {
  let { accounts, applications, callers } = content
  const hours = { ...content.hours }
  for (const call of calls) {
    const hour = hourOf(call.attempted_at)
    hours[hour] = (hours[hour] ?? 0) + 1
    accounts = addHit(accounts, cut(call.account_sid))
    applications = addHit(applications, cut(call.application_sid) || null)
    callers = addHit(callers, failurePrefix(call.from))
  }
  const newest = Math.max(...Object.keys(hours).map(Number))
  const samples = calls.map((call) => ({
    at: call.attempted_at,
    call_sid: cut(call.call_sid),
    sip_callid: cut(call.sip_callid),
    from: cut(call.from),
    to: cut(call.to),
  }))
  return {
    hours: Object.fromEntries(
      Object.entries(hours).filter(([hour]) => Number(hour) > newest - FAILURE_HOURS),
    ),
    accounts,
    applications,
    callers,
    samples: [...content.samples, ...samples]
      .sort((a, b) => (a.at < b.at ? 1 : -1))
      .slice(0, MAX_SAMPLES),
  }
}

/** Calls per hour up to now, oldest first. */
export const lastHours = ({ hours }: Content, now: number) =>
  Array.from({ length: FAILURE_HOURS }, (_, i) => hours[hourOf(now) - FAILURE_HOURS + 1 + i] ?? 0)
