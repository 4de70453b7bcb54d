import { t } from '@switchroom/contract'
import { ask } from '../ask.ts'
import { type Call, isInterrupted } from '../call.ts'
import { exchange } from '../exchange.ts'
import { postHook } from '../hooks.ts'
import { lapse } from '../lapse.ts'
import { walkNested } from '../nested.ts'
import type { Verb } from '../run-application.ts'
import { isEndless } from '../speech.ts'

const TALK_S = 10
const SILENCE_MS = 500

const queueSid = ({ application }: Call, name: unknown) =>
  `queue:${application.account_sid}:${name}`

/** Waits in a queue, with the verbs of its waitHook, until somebody takes the caller out of it. */
export async function enqueue(call: Call, verb: Verb) {
  const { clock } = call
  const { name } = verb.data
  const since = clock.now()
  const queue_sid = queueSid(call, name)
  const waited = () => Math.round((clock.now() - since) / 1_000)
  let hook = verb.data.waitHook
  for (;;) {
    const played = await playWaiting(call, verb, hook, { queue_sid, queue_time: waited() })
    // a hook that fails, is empty or is not allowed is not tried again
    if (played !== 'again') hook = undefined
    const answer =
      played === 'left'
        ? ({ kind: 'left' } as const)
        : await ask(call, {
            verb: verb.name,
            answers: ['bridged', 'wait'],
            targets: [{ type: 'queue', to: String(name) }],
          })
    if (answer?.kind === 'wait') {
      if (await lapse(call, (answer.seconds ?? 0) * 1_000 + SILENCE_MS)) continue
    }
    const queue_time = waited()
    if (answer?.kind === 'bridged') await lapse(call, (answer.seconds ?? TALK_S) * 1_000)
    const queue_result =
      answer?.kind === 'left' ? 'leave' : answer?.kind === 'bridged' ? 'bridged' : 'hangup'
    await postHook(
      call,
      verb,
      { queue_sid, queue_time, queue_result },
      { replaces: !isInterrupted(call) },
    )
    return
  }
}

async function playWaiting(
  call: Call,
  verb: Verb,
  hook: unknown,
  queue: { queue_sid: string; queue_time: number },
): Promise<'left' | 'again' | 'over'> {
  if (!hook) return 'over'
  const { leg, customerData } = call
  const reply = await exchange(call, {
    name: 'verb:hook',
    hook,
    verb: verb.name,
    data: {
      ...queue,
      queue_size: 1,
      queue_position: 0,
      call_sid: leg.call_sid,
      call_id: leg.call_id,
      ...(customerData && { customerData }),
    },
    expects: 'verbs',
  })
  if (reply.problem)
    call.recorder.event('warn', t('The waitHook failed, so the caller waits in silence.'))
  if (!reply.verbs || reply.verbs.length === 0) return 'over'
  const end = await walkNested(call, 'queue', reply.verbs)
  // an endless verb is never over
  const isDone = end === 'done' && !reply.verbs.some(({ data }) => isEndless(data))
  return end === 'left' ? 'left' : isDone ? 'again' : 'over'
}

/** Takes the first caller out of a queue, and talks with them. */
export async function dequeue(call: Call, verb: Verb) {
  const { name, timeout } = verb.data
  const timeout_s = typeof timeout === 'number' ? timeout : 0
  const answer = await ask(call, {
    verb: verb.name,
    answers: timeout_s > 0 ? ['bridged', 'nothing'] : ['bridged'],
    targets: [{ type: 'queue', to: String(name) }],
    timeout_ms: timeout_s > 0 ? timeout_s * 1_000 : null,
  })
  if (!answer) return
  if (answer.kind === 'bridged' && !(await lapse(call, (answer.seconds ?? TALK_S) * 1_000))) return
  const dequeue_result =
    answer.kind === 'bridged' ? 'complete' : answer.kind === 'nothing' ? 'timeout' : 'hangup'
  await postHook(call, verb, { dequeue_result })
}
