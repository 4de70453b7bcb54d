import { type Answer, isRecord, t } from '@switchroom/contract'
import type { Call, Leg } from '../call.ts'
import { callMembers } from '../call-members.ts'
import { exchange } from '../exchange.ts'
import { postHook } from '../hooks.ts'
import { walkNested } from '../nested.ts'
import type { Members, Verb } from '../run-application.ts'
import { capturesOf, type Target } from './dial-targets.ts'

/** A target that answered, and the tester's description of the conversation. */
export type Connected = {
  target: Target
  leg: Leg
  answer: Extract<Answer, { kind: 'answered' }>
}

/**
 * Asks the application whether to connect the party that answered. Its verbs are for that party, who may hang up during
 * them.
 */
export async function confirmed(call: Call, leg: Leg, hook: unknown) {
  const reply = await exchange(call, {
    name: 'dial:confirm',
    hook,
    verb: 'dial',
    data: callMembers(call, leg),
    expects: 'verbs',
    isUntraced: true,
  })
  if (reply.problem) return false
  const end = await walkNested(call, 'confirm', reply.verbs ?? [], leg)
  const isThere = !call.isCalledGone
  call.isCalledGone = false
  return end === 'done' && isThere && !call.ended
}

/** Blocks that a dial may run beside its conversation; a run does not play them. */
const BLOCKS = ['listen', 'stream', 'transcribe', 'dub']

/** The hooks that are posted while two parties talk, as far as the tester lets something happen. */
export async function duringCall(call: Call, verb: Verb, { leg, answer }: Connected) {
  const { data } = verb
  const { amd } = data
  const before = call.list
  const unheard = BLOCKS.filter((name) => data[name] !== undefined)
  if (unheard.length > 0)
    call.recorder.event(
      'info',
      t('The platform carries out {command}. There is no audio here, so nothing else happens.', {
        command: unheard.join(', '),
      }),
    )
  if (isRecord(amd)) {
    const type = answer.by === 'machine' ? 'amd_machine_detected' : 'amd_human_detected'
    await postHook(
      call,
      verb,
      { type, reason: answer.by === 'machine' ? 'long greeting' : 'short greeting' },
      { hook: amd.actionHook, leg },
    )
  }
  if (call.list !== before) return
  const matched = capturesOf(data).find((pattern) => answer.digits?.includes(pattern))
  if (matched !== undefined)
    await postHook(call, verb, { dtmf: matched }, { hook: data.dtmfHook, replaces: false, leg })
  if (answer.on_hold) await hold(call, verb, leg)
  if (answer.transfer_to !== undefined) await transfer(call, verb, leg, answer.transfer_to)
}

async function hold(call: Call, verb: Verb, leg: Leg) {
  call.recorder.event('info', t('The called party puts the caller on hold.'))
  const reply = await postHook(
    call,
    verb,
    { hold_detail: { from: leg.to, to: call.leg.from } },
    { hook: verb.data.onHoldHook, replaces: false, isPlayed: true },
  )
  // the platform repeats it for as long as they hold
  await walkNested(call, 'hold', reply?.verbs ?? [])
}

async function transfer(call: Call, verb: Verb, leg: Leg, to: string) {
  const refer: Members = {
    sip_refer_to: to.includes(':') ? `<${to}>` : `<sip:${to}>`,
    refer_to_user: to.replace(/^sips?:/, '').split('@')[0],
    referring_call_sid: leg.call_sid,
    referred_call_sid: call.leg.call_sid,
  }
  if (!verb.data.referHook)
    return call.recorder.event(
      'warn',
      t('The dial has no referHook, so the platform refuses the transfer.'),
    )
  await postHook(call, verb, { refer_details: refer }, { hook: verb.data.referHook })
}
