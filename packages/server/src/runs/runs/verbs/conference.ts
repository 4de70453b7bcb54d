import { t } from '@switchroom/contract'
import { ask } from '../ask.ts'
import { type Call, isInterrupted } from '../call.ts'
import { rawMembers } from '../call-members.ts'
import { exchange } from '../exchange.ts'
import { postHook } from '../hooks.ts'
import { lapse } from '../lapse.ts'
import { walkNested } from '../nested.ts'
import type { Members, Verb } from '../run-application.ts'

const TALK_S = 10
const SILENCE_MS = 750

/** Meets others, of whom a run has none. The tester says when it is over. */
export async function conference(call: Call, verb: Verb) {
  const { data } = verb
  const { clock } = call
  const targets = [{ type: 'conference', to: String(data.name) }]
  if (data.startConferenceOnEnter === false) {
    await playRaw(call, verb, data.waitHook)
    const waited = await ask(call, { verb: verb.name, answers: ['wait'], targets })
    if (!waited) return
    if (waited.kind === 'hang_up') return void (await postHook(call, verb))
    const seconds = waited.kind === 'wait' ? (waited.seconds ?? 0) : 0
    if (!(await lapse(call, seconds * 1_000 + SILENCE_MS))) return
  }
  const since = clock.now()
  const tell = (event: string) => tellStatus(call, verb, event, (clock.now() - since) / 1_000)
  await tell('start')
  await tell('join')
  await playRaw(call, verb, data.enterHook)
  const answer = await ask(call, { verb: verb.name, answers: ['ended'], targets })
  if (answer?.kind === 'ended') await lapse(call, (answer.seconds ?? TALK_S) * 1_000)
  await tell('leave')
  await tell('end')
  await postHook(call, verb, {}, { replaces: !isInterrupted(call) })
}

/** Plays what a hook answers that gets the call object as it is. */
async function playRaw(call: Call, verb: Verb, hook: unknown) {
  if (!hook) return
  const reply = await exchange(call, {
    name: 'verb:hook',
    hook,
    verb: verb.name,
    data: rawMembers(call),
    expects: 'verbs',
  })
  if (reply.problem)
    call.recorder.event('warn', t('This hook failed, so the caller waits in silence.'))
  await walkNested(call, 'conference', reply.verbs ?? [])
}

async function tellStatus(call: Call, verb: Verb, event: string, duration: number) {
  const { statusEvents, statusHook, name } = verb.data
  if (!Array.isArray(statusEvents) || !statusEvents.includes(event)) return
  const about: Members = {
    event,
    duration,
    time: new Date().toISOString(),
    members: event === 'leave' || event === 'end' ? 0 : 1,
    conference_sid: `conf:${call.application.account_sid}:${name}`,
    friendly_name: name,
  }
  await postHook(call, verb, about, { hook: statusHook, replaces: false })
}
