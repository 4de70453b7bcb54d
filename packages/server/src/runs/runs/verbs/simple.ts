import { isRecord, t } from '@switchroom/contract'
import { answer as answerCall } from '../answer.ts'
import { type Call, isAnswered } from '../call.ts'
import { reasonOf, setStatus } from '../call-status.ts'
import { hangUp } from '../hang-up.ts'
import { postHook } from '../hooks.ts'
import { clip } from '../recorder.ts'
import type { Verb } from '../run-application.ts'
import { changeSettings } from '../settings.ts'

/** Where an application gives no status that refuses a call. */
const DECLINED = 603

export const answer = (call: Call) => answerCall(call)

export async function config(call: Call, verb: Verb) {
  const { amd } = verb.data
  changeSettings(call, verb.data)
  if (!isRecord(amd)) return
  call.recorder.event(
    'info',
    t('The platform listens whether a person or a machine speaks. Here it is a person.'),
  )
  const found = { type: 'amd_human_detected', reason: 'short greeting' }
  await postHook(call, verb, found, { hook: amd.actionHook })
}

/** Data that every later message has. */
export function tag(call: Call, { data }: Verb) {
  if (isRecord(data.data)) call.customerData = data.data
  call.recorder.event('info', t('Later requests carry this data as customerData.'))
}

export function alert(call: Call, { data }: Verb) {
  call.recorder.event(
    'info',
    isAnswered(call)
      ? t('The call is answered already, so this alert has no effect.')
      : t('Sent to the caller’s device: {message}', { message: clip(String(data.message)) }),
  )
}

/** Out of a queue's own verbs, it has nothing to leave. */
export function leave({ recorder }: Call) {
  recorder.event('warn', t('The caller is not in a queue, so leave has no effect.'))
}

export async function hangup(call: Call, { data }: Verb) {
  const headers = isRecord(data.headers) ? data.headers : {}
  const [, reason] = Object.entries(headers).find(([name]) => /^x-reason$/i.test(name)) ?? []
  await hangUp(call, {
    by: 'application',
    text: t('The application hangs up.'),
    ...(typeof reason === 'string' && { x_reason: clip(reason, 500) }),
  })
}

export async function decline(call: Call, { data }: Verb) {
  if (isAnswered(call))
    return call.recorder.event(
      'warn',
      t('The platform skips {verb}, because the call is answered already.', {
        verb: 'sip:decline',
      }),
    )
  const asked = Number(data.status)
  const status = Number.isInteger(asked) && asked >= 300 && asked < 700 ? asked : DECLINED
  const reason = typeof data.reason === 'string' ? data.reason : reasonOf(status)
  await hangUp(call, {
    by: 'application',
    text: t('The application declines the call.'),
    sip_status: status,
    sip_reason: clip(reason),
  })
  await setStatus(call, call.leg, 'failed', status, { sip_reason: reason })
}
