import { randomUUID } from 'node:crypto'
import { plural, t } from '@switchroom/contract'
import { answer as answerCall } from '../answer.ts'
import { ask } from '../ask.ts'
import { type Call, isInterrupted, type Leg } from '../call.ts'
import { completeLeg, setStatus } from '../call-status.ts'
import { isForChild, isHangUpOf } from '../commands.ts'
import { hangUp } from '../hang-up.ts'
import { postHook } from '../hooks.ts'
import { lapse } from '../lapse.ts'
import type { Members, Verb } from '../run-application.ts'
import { type Connected, confirmed, duringCall } from './dial-hooks.ts'
import { type Target, targetsOf } from './dial-targets.ts'

const TIMEOUT_S = 60
/** Duration of a conversation if the tester gives none. */
const TALK_S = 10

type Outcome = {
  dial_call_status: string
  dial_sip_status: number
  leg: Leg
  /** True if another hook gave verbs in place of those that are left. */
  isReplaced?: boolean
}

/** Rings its targets, and connects the first that answers. */
export async function dial(call: Call, verb: Verb) {
  const { data } = verb
  if (data.answerOnBridge !== true) await answerCall(call)
  const targets = targetsOf(call, data)
  if (targets.length === 0)
    return call.recorder.event(
      'bad',
      t('No target has a number, user or SIP URI, so nobody is dialed.'),
    )
  const legs = targets.map((target) => newLeg(call, target, data))
  call.dialed.push(...legs)
  for (const leg of legs) {
    await setStatus(call, leg, 'trying', 100)
    await setStatus(call, leg, 'ringing', 180)
  }
  const { leg, isReplaced, ...result } = await ring(call, verb, targets, legs)
  await postHook(
    call,
    verb,
    { ...result, dial_call_sid: leg.call_sid, dial_sbc_callid: leg.call_id },
    { replaces: !isReplaced && !isInterrupted(call) },
  )
}

async function ring(call: Call, verb: Verb, targets: Target[], legs: Leg[]): Promise<Outcome> {
  const timeout_s = typeof verb.data.timeout === 'number' ? verb.data.timeout : TIMEOUT_S
  const answer = await ask(call, {
    verb: verb.name,
    answers: ['answered', 'busy', 'no_answer', 'failed'],
    targets,
    timeout_ms: timeout_s * 1_000,
  })
  switch (answer?.kind) {
    case 'answered': {
      const at = Math.min(answer.target ?? 0, legs.length - 1)
      const leg = legs[at]!
      const others = legs.filter((other) => other !== leg)
      for (const other of others) await setStatus(call, other, 'no-answer', 487)
      leg.answered_at = call.clock.now()
      await setStatus(call, leg, 'in-progress', 200)
      return talk(call, verb, { target: targets[at]!, leg, answer })
    }
    case 'busy':
      return fail(call, legs, 'busy', 486)
    case 'failed':
      return fail(call, legs, 'failed', answer.status ?? 404)
    default:
      for (const leg of legs) isHungUp(call, leg)
      return fail(call, legs, 'no-answer', 487)
  }
}

async function fail(call: Call, legs: Leg[], status: string, sip_status: number): Promise<Outcome> {
  for (const leg of legs) await setStatus(call, leg, status, sip_status)
  return { dial_call_status: status, dial_sip_status: sip_status, leg: legs[0]! }
}

async function talk(call: Call, verb: Verb, connected: Connected): Promise<Outcome> {
  const { leg, answer, target } = connected
  const outcome: Outcome = { dial_call_status: 'completed', dial_sip_status: 200, leg }
  const confirmHook = target.data.confirmHook ?? verb.data.confirmHook
  if (confirmHook && !(await confirmed(call, leg, confirmHook))) {
    call.recorder.event(
      'warn',
      t('The confirmHook declined the called party, so it is not connected.'),
    )
    await completeLeg(call, leg, 'jambonz')
    return { ...outcome, dial_call_status: 'no-answer', dial_sip_status: 487 }
  }
  await answerCall(call)
  const before = call.list
  await duringCall(call, verb, connected)
  if (call.list !== before) {
    await completeLeg(call, leg, 'jambonz')
    return { ...outcome, isReplaced: true }
  }
  const since = call.clock.now()
  const { timeLimit } = verb.data
  const limit_s =
    typeof timeLimit === 'number' && timeLimit > 0 ? timeLimit : Number.POSITIVE_INFINITY
  const seconds = Math.min(answer.seconds ?? TALK_S, limit_s)
  call.bridged = leg
  const isOver = await lapse(call, seconds * 1_000)
  const talked = Math.round((call.clock.now() - since) / 1_000)
  call.recorder.event('info', plural(talked, 'They talk for 1 second.|They talk for {n} seconds.'))
  // a party with verbs of its own is not hung up
  if (!isOver && !isHungUp(call, leg) && call.commands.some(isForChild))
    return { ...outcome, dial_call_status: 'in-progress' }
  call.bridged = undefined
  const byCaller = isOver && answer.ended_by === 'caller'
  await completeLeg(call, leg, byCaller ? 'caller' : 'jambonz')
  if (byCaller) await hangUp(call, { by: 'caller', text: t('The caller hangs up.') })
  return outcome
}

/** True if a command hangs up this party, and not the caller: the dial is over, but nothing else. */
function isHungUp(call: Call, leg: Leg) {
  const at = call.commands.findIndex((command) => isHangUpOf(command, leg))
  if (at < 0) return false
  call.commands.splice(at, 1)
  call.interrupt = new AbortController()
  return true
}

function newLeg({ leg }: Call, { to }: Target, { callerId }: Members): Leg {
  const caller_id = typeof callerId === 'string' ? callerId : leg.from
  const call_sid = randomUUID()
  return {
    call_sid,
    parent_call_sid: leg.call_sid,
    direction: 'outbound',
    from: caller_id,
    to,
    call_id: `${call_sid}@192.0.2.20`,
    caller_id,
    call_status: 'trying',
    sip_status: 100,
    sip_reason: 'Trying',
  }
}
