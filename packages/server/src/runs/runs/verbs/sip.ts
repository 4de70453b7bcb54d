import { t } from '@switchroom/contract'
import { ask } from '../ask.ts'
import type { Call } from '../call.ts'
import { postHook } from '../hooks.ts'
import { clip } from '../recorder.ts'
import type { Members, Verb } from '../run-application.ts'

/** Sends a request within the call, such as INFO, and posts how the other side answers. */
export async function sipRequest(call: Call, verb: Verb) {
  const { method } = verb.data
  const answer = await ask(call, {
    verb: verb.name,
    answers: ['status', 'error'],
    targets: [{ type: 'method', to: String(method) }],
  })
  if (!answer || answer.kind === 'hang_up') return
  const result =
    answer.kind === 'error'
      ? { result: 'failed', err: answer.details ?? 'request failed' }
      : { result: 'success', sip_status: answer.kind === 'status' ? (answer.status ?? 200) : 200 }
  await postHook(call, verb, result, { endsCall: true })
}

const ACCEPTED = 202

/** Transfers the caller, and posts what comes of it. */
export async function sipRefer(call: Call, verb: Verb) {
  const { referTo, eventHook } = verb.data
  const answer = await ask(call, {
    verb: verb.name,
    answers: ['status'],
    targets: [{ type: 'transfer', to: String(referTo) }],
  })
  if (answer?.kind !== 'status') return
  const { status: refer_status = ACCEPTED, final_status = 200 } = answer
  if (refer_status !== ACCEPTED) {
    call.recorder.event(
      'warn',
      t('The other side refuses the transfer with {status}.', { status: refer_status }),
    )
    await postHook(call, verb, { refer_status })
    return
  }
  await postHook(
    call,
    verb,
    {},
    {
      hook: eventHook,
      replaces: false,
      instead: { event: 'transfer-status', call_status: final_status },
    },
  )
  await postHook(call, verb, { refer_status, final_referred_call_status: final_status })
}

/** A text message, which is not sent. */
export async function message(call: Call, verb: Verb) {
  const { to, text } = verb.data
  call.recorder.event(
    'info',
    t('The platform would send a message to {to}: {text}', {
      to: clip(String(to)),
      text: clip(String(text ?? ''), 300),
    }),
  )
  const sent: Members = {
    message_sid: crypto.randomUUID(),
    message_status: 'success',
    carrier: 'try-it',
    carrier_message_id: crypto.randomUUID(),
  }
  await postHook(call, verb, sent)
}
