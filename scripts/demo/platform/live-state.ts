import { reasonOf } from '../calls.ts'
import { FEATURE_SERVER, SBC } from '../hosts.ts'
import { lasting, type PlannedCall } from '../planned-call.ts'
import { Random } from '../random.ts'
import type { World } from '../world.ts'
import type { PlatformRedis } from './redis.ts'

const CALLS = 'active-call-sids'
/** How long the platform remembers a call that has ended. */
const REMEMBERED_SECONDS = 3_600
const REGISTRATION_SECONDS = 300

const keyOf = (call: PlannedCall) => `call:${call.account.sid}:${call.call_sid}`

const endStatus = (status: number) =>
  status === 200
    ? 'completed'
    : status === 486
      ? 'busy'
      : [408, 480, 487].includes(status)
        ? 'no-answer'
        : 'failed'

/** Writes what the platform's components keep in Redis, under their keys. */
export class LiveState {
  #keys: PlatformRedis['keys']
  #serviceUrl: string

  constructor(redis: PlatformRedis, serviceUrl: string) {
    this.#keys = redis.keys
    this.#serviceUrl = serviceUrl
    this.#keys.keep('default:fs-service-url', new Set([serviceUrl]))
  }

  /** Writes the state of a call as it is at this time. */
  show(call: PlannedCall, now: number) {
    const key = keyOf(call)
    const isOver = now >= call.ended_at
    const isTalking = call.answered_at !== undefined && now >= call.answered_at
    const [callStatus, sipStatus, sipReason] = isOver
      ? ([endStatus(call.status), call.status, reasonOf(call.status)] as const)
      : isTalking
        ? (['in-progress', 200, 'OK'] as const)
        : call.direction === 'outbound' && now >= call.at + call.rings_after_ms
          ? (['ringing', 180, 'Ringing'] as const)
          : (['trying', 100, 'Trying'] as const)
    this.#keys.keep(
      key,
      new Map(
        Object.entries({
          serviceUrl: this.#serviceUrl,
          callSid: call.call_sid,
          callId: call.sip_callid,
          sbcCallid: call.sip_callid,
          accountSid: call.account.sid,
          ...(call.application && { applicationSid: call.application.sid }),
          direction: call.direction,
          from: call.from,
          to: call.to,
          callerId: call.from,
          sipStatus: String(sipStatus),
          sipReason,
          callStatus,
          traceId: call.trace_id,
          originatingSipIp: call.remote_host,
          originatingSipTrunkName: call.trunk,
          fsSipAddress: `${FEATURE_SERVER}:5060`,
          fsPublicIp: SBC,
          ...(isOver && { duration: String(lasting(call)), callTerminationBy: call.ended_by }),
        }),
      ),
    )
    const calls = this.#keys.sorted(CALLS)
    if (!calls.has(key)) this.#count(call, 1)
    calls.set(key, call.at)
    this.#keys.keep(CALLS, calls)
    if (isOver) {
      this.#keys.expire(key, REMEMBERED_SECONDS)
      this.#count(call, -1)
    }
  }

  #count({ account, direction }: PlannedCall, n: number) {
    this.#keys.add(`${direction === 'inbound' ? 'incalls' : 'outcalls'}:account:${account.sid}`, n)
  }

  /** Registers the SIP clients that are switched on, as they do every few minutes. */
  register({ accounts }: World) {
    const random = new Random('phones')
    const users = new Map<string, number>()
    for (const { realm, phones } of accounts)
      for (const [n, name] of phones.entries()) {
        if (random.chance(0.15)) continue
        const user = `${name}@${realm}`
        const expiryTime = Date.now() + (REGISTRATION_SECONDS - random.int(0, 120)) * 1_000
        const contact = `sip:${name}@203.0.113.${100 + random.int(0, 99)}:${5060 + n}`
        const device = {
          contact,
          sbcAddress: `${SBC}:5060`,
          protocol: 'udp',
          proxy: SBC,
          expiryTime,
        }
        this.#keys.set(`user:${user}`, JSON.stringify(device), REGISTRATION_SECONDS)
        users.set(`user:${user}`, expiryTime)
      }
    this.#keys.keep('active-user', users)
  }

  /** Callers who wait in the queues of the larger accounts, and a conference. */
  queue({ accounts }: World, now: number) {
    for (const [n, account] of accounts.filter((a) => a.size >= 8).entries()) {
      const key = `queue:${account.sid}:${account.sector === 'finance' ? 'advisers' : 'support'}`
      // the lengths change every half minute, up to four
      const length = new Random(`${n} ${Math.floor(now / 30_000)}`).int(-1, 4)
      this.#keys.delete(key)
      const waiting = Array.from({ length: Math.max(0, length) }, (_, i) => {
        const member = `${now - i * 40_000}:${this.#serviceUrl}/v1/enqueue/${i}`
        return [member, 999] as const
      })
      if (waiting.length > 0) this.#keys.keep(key, new Map(waiting))
    }
    const [host] = accounts
    if (host)
      this.#keys.keep(
        `conf:${host.sid}:morning-briefing`,
        new Map([
          ['sipAddress', `${FEATURE_SERVER}:5060`],
          ['startTime', String(now)],
        ]),
      )
  }
}
