import { t } from '@switchroom/contract'
import { ask } from '../ask.ts'
import { type Call, isInterrupted } from '../call.ts'
import { postHook } from '../hooks.ts'
import { lapse } from '../lapse.ts'
import type { Verb } from '../run-application.ts'
import { targetsOf } from './dial-targets.ts'

const TIMEOUT_S = 60
const TALK_S = 10

/** Hands the caller to somebody else. Its choreography is the platform's; a run has only what comes of it. */
export async function transfer(call: Call, verb: Verb) {
  const { timeout } = verb.data
  const answer = await ask(call, {
    verb: verb.name,
    answers: ['answered', 'busy', 'no_answer', 'failed'],
    targets: targetsOf(call, verb.data),
    timeout_ms: (typeof timeout === 'number' ? timeout : TIMEOUT_S) * 1_000,
  })
  switch (answer?.kind) {
    case 'answered': {
      await lapse(call, (answer.seconds ?? TALK_S) * 1_000)
      return post(call, verb, 'bridged', 'completed', 200)
    }
    case 'busy':
      return post(call, verb, 'returned', 'busy', 486)
    case 'failed':
      return post(call, verb, 'failed', 'error', answer.status ?? 404)
    case 'no_answer':
      return post(call, verb, 'returned', 'no-answer', 487)
    case 'hang_up':
      return post(call, verb, 'failed', 'caller-abandoned', 487)
    default:
      return call.recorder.event('info', t('The transfer ends without a result.'))
  }
}

async function post(call: Call, verb: Verb, result: string, reason: string, sip_status: number) {
  const data = { transfer_result: result, transfer_reason: reason, sip_status }
  await postHook(call, verb, data, { replaces: !isInterrupted(call) })
}
