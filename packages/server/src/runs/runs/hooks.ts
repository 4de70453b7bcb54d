import { t } from '@switchroom/contract'
import type { Call, Leg } from './call.ts'
import { callMembers } from './call-members.ts'
import { notifyStatus } from './call-status.ts'
import { exchange, type HookValue, type Reply } from './exchange.ts'
import { hangUp } from './hang-up.ts'
import type { Members, Verb } from './run-application.ts'
import { report } from './session.ts'

type How = {
  /** Another hook than `actionHook`. */
  hook?: HookValue
  /** Whether verbs in the answer replace those that are left. */
  replaces?: boolean
  /** Whether verbs in the answer are run, whatever else goes on. */
  isPlayed?: boolean
  /** Whether a failure ends the call. */
  endsCall?: boolean
  isUntraced?: boolean
  leg?: Leg
  /** What is sent in place of the call's members. */
  instead?: Members
}

/** Posts a hook of a verb. A list of verbs in the answer replaces those that are left. */
export async function postHook(
  call: Call,
  verb: Verb,
  data: Members = {},
  {
    hook = verb.data.actionHook,
    replaces = true,
    isPlayed = replaces,
    endsCall = false,
    isUntraced = false,
    leg = call.leg,
    instead,
  }: How = {},
): Promise<Reply | undefined> {
  if (!hook || call.socket?.isDone()) return undefined
  const { id } = verb.data
  const reply = await exchange(call, {
    name: 'verb:hook',
    hook,
    verb: verb.name,
    data: {
      ...(instead ?? callMembers(call, leg)),
      ...(id !== undefined && { verb_id: id }),
      ...data,
    },
    // the platform does not look at an answer that it has no use for
    expects: isPlayed ? 'verbs' : 'anything',
    isUntraced,
  })
  if (reply.verbs && reply.verbs.length > 0 && replaces) call.list = reply.verbs
  else if (reply.problem && !call.ended) await failed(call, verb, reply.problem, endsCall)
  return reply
}

/** What the platform does when a hook fails: it mostly goes on, and tells a gather's application. */
async function failed(call: Call, verb: Verb, { text }: { text: string }, endsCall: boolean) {
  const { recorder, socket } = call
  const { name, data } = verb
  if (endsCall)
    return hangUp(call, {
      by: 'platform',
      text: t('The hook of {verb} failed, which ends the call.', { verb: name }),
    })
  recorder.event(
    'warn',
    name === 'transcribe'
      ? t('The hook of transcribe failed. The transcription goes on.')
      : t('The hook of {verb} failed. The call goes on with the next verb.', { verb: name }),
  )
  if (name !== 'gather') return
  const error = 'invalid actionHook response'
  if (socket)
    report(call, socket, {
      msg: error,
      details: text,
      verb: name,
      ...(typeof data.id === 'string' && { id: data.id }),
    })
  await notifyStatus(call, call.leg, { error, reason: text })
}
