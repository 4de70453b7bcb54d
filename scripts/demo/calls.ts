import { SBCS } from './hosts.ts'
import { type Incident, incidentAt } from './incident.ts'
import { personIn } from './numbers.ts'
import type { PlannedCall } from './planned-call.ts'
import { Random } from './random.ts'
import { MINUTE, ratesAt } from './rhythm.ts'
import { tellStory } from './stories/story.ts'
import { DEGRADED, PROVIDERS, type ProviderPlan } from './tenants.ts'
import type { Account, ApplicationKind, World } from './world.ts'

const NO_TRACE = '0'.repeat(32)
/** No call of the demo lasts longer. */
export const LONGEST_MS = 30 * MINUTE
const KINDS: readonly (readonly [ApplicationKind | 'phone', number])[] = [
  ['assistant', 38],
  ['menu', 26],
  ['agent', 8],
  ['reminder', 10],
  ['phone', 18],
]
const OUTCOMES = {
  inbound: [
    [200, 890],
    [487, 60],
    [480, 20],
    [404, 20],
    [603, 10],
  ],
  outbound: [
    [200, 770],
    [486, 75],
    [480, 60],
    [487, 50],
    [404, 28],
    [503, 8],
    [408, 9],
  ],
} as const
const REASONS: Record<number, string> = {
  404: 'Not Found',
  408: 'Request Timeout',
  480: 'Temporarily Unavailable',
  486: 'Busy Here',
  487: 'Request Terminated',
  503: 'Service Unavailable',
  603: 'Decline',
}
export const reasonOf = (status: number) => REASONS[status] ?? 'OK'

export type Plan = {
  seed: string
  /** How many calls there are, compared with the usual. */
  scale: number
  world: World
  /** When the demo was made. Calls are planned by the minute, relative to it. */
  began: number
  /** Since when calls are traced. */
  traced_from: number
  incidents: readonly Incident[]
  /** The carrier that has the calls of the degraded one now, by its name. */
  detour?: string | undefined
}

/** The calls that begin in a minute (of Unix time): the same ones whenever it is asked. */
export function callsOf(plan: Plan, minute: number): PlannedCall[] {
  const at = minute * MINUTE
  const begun = Math.floor(plan.began / MINUTE)
  const random = new Random(`${plan.seed} ${minute - begun}`)
  const rates = ratesAt(at, minute - begun, plan.scale)
  return PROVIDERS.flatMap((provider, i) => {
    const weights = weightsOf(plan.world, provider)
    if (weights.length === 0) return []
    return Array.from({ length: random.poisson(rates[i]!) }, () =>
      planCall(plan, provider, random.weighted(weights), at + random.int(0, MINUTE - 1), random),
    ).flat()
  }).sort((a, b) => a.at - b.at)
}

/** The accounts of a provider and how many of its calls are theirs. */
function weightsOf(world: World, { name }: ProviderPlan) {
  const known = weightsIn.get(world) ?? new Map<string, Weight[]>()
  weightsIn.set(world, known)
  const weights =
    known.get(name) ??
    world.accounts.filter((a) => a.provider === name).map((a): Weight => [a, a.size])
  known.set(name, weights)
  return weights
}
type Weight = [Account, number]
// asked for every minute of four weeks
const weightsIn = new WeakMap<World, Map<string, Weight[]>>()

function planCall(
  plan: Plan,
  provider: ProviderPlan,
  account: Account,
  at: number,
  random: Random,
): PlannedCall[] {
  const kinds = KINDS.filter(([kind]) =>
    kind === 'phone'
      ? account.phones.length > 0
      : account.applications.some((a) => a.kind === kind),
  )
  const kind = random.weighted(kinds)
  const application = account.applications.find((a) => a.kind === kind)
  const direction = kind === 'phone' || kind === 'reminder' ? 'outbound' : 'inbound'
  const own = account.numbers[application ? account.applications.indexOf(application) : 0]!
  const person = personIn(account.country, random)
  const to = direction === 'inbound' ? own : person
  const carrier = detoured(
    plan,
    provider,
    { direction, to },
    carrierOf(provider, account, { direction, to }, random),
  )
  const trouble = incidentAt(plan.incidents, { at, trunk: carrier.name, direction, to })
  const status = trouble && random.chance(trouble.refuses) ? 503 : outcome(direction, random)
  const post_dial = direction === 'inbound' ? random.int(90, 220) : random.skewed(1_500, 0.35)
  const rings_after_ms = Math.round(post_dial * (trouble?.slower ?? 1))
  const rings_ms = direction === 'inbound' ? random.int(90, 260) : random.skewed(6_500, 0.5)
  const settled = Math.round(at + rings_after_ms + Math.min(rings_ms, 60_000))
  const call: PlannedCall = {
    call_sid: random.uuid(),
    sip_callid: random.uuid(),
    trace_id: application && status === 200 ? random.hex(32) : NO_TRACE,
    account,
    ...(application && { application }),
    direction,
    from: direction === 'inbound' ? person : own,
    to,
    trunk: carrier.name,
    host: random.pick(SBCS),
    remote_host: random.pick(carrier.addresses),
    at,
    rings_after_ms,
    status,
    ended_at: status === 503 ? at + rings_after_ms : settled,
    ended_by: 'caller',
    reason: status === 487 ? 'caller abandoned' : reasonOf(status),
  }
  if (status !== 200) return [call]
  call.answered_at = settled
  return answer(plan, call, random)
}

/** Carrier by the routing tables: mobiles through the first carrier, other countries through the last. */
function carrierOf(
  { country, carriers }: ProviderPlan,
  account: Account,
  { direction, to }: Pick<PlannedCall, 'direction' | 'to'>,
  random: Random,
) {
  if (country !== account.country) return carriers.at(-1)!
  const isMobile = direction === 'outbound' && /^(447|614|1773|1847)/.test(to)
  return isMobile && random.chance(0.9)
    ? carriers[0]!
    : random.weighted(carriers.map((c) => [c, c.share] as const))
}

/** Carrier of a call that was routed past the degraded one. */
const detoured = (
  { detour }: Plan,
  { carriers }: ProviderPlan,
  { direction, to }: Pick<PlannedCall, 'direction' | 'to'>,
  usual: ProviderPlan['carriers'][number],
) =>
  (usual.name === DEGRADED.carrier &&
    direction === 'outbound' &&
    to.startsWith(DEGRADED.prefix) &&
    carriers.find(({ name }) => name === detour)) ||
  usual

/** Most people who call an application are answered at once, so few give up. */
const outcome = (direction: PlannedCall['direction'], random: Random) =>
  random.weighted<number>(OUTCOMES[direction])

/** How long calls last that are not told span by span, in milliseconds. */
const MEDIANS = {
  assistant: 34_000,
  menu: 150_000,
  reminder: 16_000,
  agent: 120_000,
  phone: 190_000,
}

function answer(plan: Plan, call: PlannedCall, random: Random): PlannedCall[] {
  const answered_at = call.answered_at!
  if (call.application && call.at >= plan.traced_from) {
    const story = tellStory(call, random)
    const ended = { ...call, story, ended_at: call.at + story.ended_ms, ended_by: story.ended_by }
    const whole = { ...ended, reason: hangup(ended) }
    return [whole, ...legOf(whole, random)]
  }
  const median = MEDIANS[call.application?.kind ?? 'phone']
  const lasts = Math.min(LONGEST_MS - 2 * MINUTE, Math.max(2_000, random.skewed(median, 0.7)))
  const ended_by = random.chance(0.55) ? 'caller' : 'jambonz'
  const ended_at = Math.round(answered_at + lasts)
  const trace_id = call.at >= plan.traced_from ? call.trace_id : NO_TRACE
  return [{ ...call, trace_id, ended_at, ended_by, reason: hangup({ ...call, ended_by }) }]
}

/** Value that SBCs write. In an outbound call the platform is the caller, and has another word for itself. */
export const hangup = ({ ended_by, direction }: Pick<PlannedCall, 'ended_by' | 'direction'>) =>
  (ended_by === 'caller') === (direction === 'inbound') ? 'caller hungup' : 'called party hungup'

/** The leg to a phone of the account, where the application dialled one. */
function legOf(call: PlannedCall, random: Random): PlannedCall[] {
  const { story, application: _, ...rest } = call
  const dialled = story?.dialled
  if (!dialled) return []
  const leg: PlannedCall = {
    ...rest,
    story: undefined,
    call_sid: dialled.call_sid,
    sip_callid: dialled.sip_callid,
    sip_parent_callid: call.sip_callid,
    direction: 'outbound',
    to: dialled.user,
    trunk: 'user',
    remote_host: `203.0.113.${100 + random.int(0, 99)}`,
    at: call.at + dialled.at_ms,
    rings_after_ms: 180,
    status: dialled.status,
    ended_at: call.at + dialled.ended_ms,
    reason:
      dialled.status === 200
        ? hangup({ ended_by: call.ended_by, direction: 'outbound' })
        : reasonOf(dialled.status),
  } as PlannedCall
  delete leg.story
  if (dialled.status === 200) leg.answered_at = call.at + dialled.answered_ms
  else delete leg.answered_at
  return [leg]
}
