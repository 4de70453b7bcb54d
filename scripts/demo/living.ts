import { randomUUID } from 'node:crypto'
import { alertsBetween } from './alerts.ts'
import { callsOf, hangup, LONGEST_MS, type Plan, reasonOf } from './calls.ts'
import { SBC } from './hosts.ts'
import type { PlannedCall } from './planned-call.ts'
import type { Commands } from './platform/feature-server.ts'
import type { LiveState } from './platform/live-state.ts'
import { MINUTE } from './rhythm.ts'
import { mayRecord, type Store } from './store.ts'
import { PROVIDERS } from './tenants.ts'
import type { World } from './world.ts'

const TICK_MS = 1_000
/** SIP clients register again before they expire. */
const REGISTER_EVERY_MS = 120_000
/** How soon it notices that somebody has deleted an account, or routed calls to another carrier. */
const LOOK_EVERY_MS = 20_000

/** The calls that go on now, and those to come. */
export class Living {
  #plan: Plan
  #store: Store
  #look: (world: World) => Promise<Pick<Plan, 'world' | 'detour'>>
  #live: LiveState | undefined
  #calls: PlannedCall[] = []
  /** The first minute that is not planned yet. */
  #next: number
  #until: number
  #registered = 0
  #looked = Date.now()
  #timer: NodeJS.Timeout | undefined
  #busy: Promise<void> = Promise.resolve()

  /** `until`: all calls that ended before are stored. `look` reads what people have changed, and leaves out deleted accounts. */
  constructor(
    plan: Plan,
    store: Store,
    until: number,
    look: (world: World) => Promise<Pick<Plan, 'world' | 'detour'>>,
  ) {
    this.#plan = plan
    this.#store = store
    this.#look = look
    this.#until = until
    this.#next = Math.floor((until - LONGEST_MS) / MINUTE)
  }

  /** Begins to live. `onProgress` is told until when everything is stored; `onError`, why it cannot go on. */
  start(live: LiveState, onProgress: (until: number) => void, onError: (e: unknown) => void) {
    this.#live = live
    const tick = async () => {
      try {
        await this.#tick()
        onProgress(this.#until)
        this.#timer = setTimeout(next, TICK_MS)
      } catch (e) {
        onError(e)
      }
    }
    const next = () => {
      this.#busy = tick()
    }
    next()
  }

  async stop() {
    clearTimeout(this.#timer)
    await this.#busy
    clearTimeout(this.#timer)
  }

  async #tick() {
    const now = Date.now()
    const live = this.#live!
    if (now - this.#looked > LOOK_EVERY_MS) {
      Object.assign(this.#plan, await this.#look(this.#plan.world))
      this.#looked = now
    }
    for (; this.#next * MINUTE <= now; this.#next++)
      this.#calls.push(
        ...callsOf(this.#plan, this.#next).filter((call) => call.ended_at >= this.#until),
      )
    if (now - this.#registered > REGISTER_EVERY_MS) {
      live.register(this.#plan.world)
      this.#registered = now
    }
    live.queue(this.#plan.world, now)
    const begun = this.#calls.filter((call) => call.at <= now)
    for (const call of begun) live.show(call, now)
    const ended = begun.filter((call) => call.ended_at <= now)
    if (ended.length > 0) await this.#store.everything(ended, new Set(ended.filter(mayRecord)))
    const alerts = alertsBetween(this.#plan, this.#until, now)
    if (alerts.length > 0) await this.#store.alerts(alerts)
    this.#calls = this.#calls.filter((call) => !ended.includes(call))
    this.#until = now
  }

  /** What Switchroom may ask of a feature server. */
  commands: Commands = {
    isLive: (call_sid) => this.#find(call_sid) !== undefined,
    hangUp: (call_sid) => {
      const call = this.#find(call_sid)
      if (!call) return false
      const now = Date.now()
      const isOf = (c: PlannedCall) => c === call || c.sip_parent_callid === call.sip_callid
      // a leg that the application has not dialled yet never begins
      this.#calls = this.#calls.filter((c) => !isOf(c) || c.at <= now)
      for (const leg of this.#calls.filter(isOf)) cutShort(leg, now)
      return true
    },
    create: (request) => {
      const account = this.#plan.world.accounts.find((a) => a.sid === request.account_sid)
      const provider = PROVIDERS.find(({ name }) => name === account?.provider)
      if (!account || !provider) return undefined
      const { number, name, sipUri } = request.to as Record<string, string | undefined>
      const at = Date.now()
      const [carrier] = provider.carriers
      const application = account.applications.find((a) => a.sid === request.application_sid)
      const call: PlannedCall = {
        call_sid: randomUUID(),
        sip_callid: randomUUID(),
        trace_id: '0'.repeat(32),
        account,
        ...(application && { application }),
        direction: 'outbound',
        from: String(request.from),
        to: number ?? name ?? sipUri ?? '',
        trunk: number ? carrier!.name : 'user',
        host: SBC,
        remote_host: carrier!.addresses[0]!,
        at,
        rings_after_ms: 1_400,
        status: 200,
        answered_at: at + 7_000,
        ended_at: at + 60_000,
        ended_by: 'caller',
        reason: hangup({ ended_by: 'caller', direction: 'outbound' }),
      }
      this.#calls.push(call)
      return { sid: call.call_sid, callId: call.sip_callid }
    },
  }

  #find = (call_sid: string) => {
    const now = Date.now()
    return this.#calls.find((c) => c.call_sid === call_sid && c.at <= now && c.ended_at > now)
  }
}

/** Ends a call that goes on, by the platform. */
function cutShort(call: PlannedCall, now: number) {
  if (call.ended_at <= now) return
  call.ended_at = now
  call.ended_by = 'jambonz'
  call.reason = hangup(call)
  if (call.answered_at === undefined || call.answered_at <= now) return
  delete call.answered_at
  delete call.story
  call.status = 487
  call.reason = reasonOf(487)
}
