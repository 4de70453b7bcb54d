import { membersOf, t, type Webhook } from '@switchroom/contract'
import type { Call } from '../call.ts'
import { callMembers } from '../call-members.ts'
import { exchange, isSocketUrl } from '../exchange.ts'
import { hangUp } from '../hang-up.ts'
import type { Verb } from '../run-application.ts'
import { openSocket } from '../session.ts'

/** Asks another hook for the verbs to go on with, and hands the call over to where it is. */
export async function redirect(call: Call, verb: Verb) {
  const { actionHook, statusHook } = verb.data
  const to = stored(call, actionHook)
  const isHandedOver = to && isSocketUrl(to.url) && to.url !== call.socket?.url
  if (isHandedOver) {
    await call.socket?.close()
    call.socket = openSocket(call, to)
  }
  const reply = await exchange(call, {
    // to another WebSocket, the call is new
    name: isHandedOver ? 'session:new' : 'session:redirect',
    hook: actionHook,
    verb: verb.name,
    data: callMembers(call),
    expects: 'verbs',
  })
  // later hooks are relative to where the call is now; a WebSocket application keeps it whatever it asks over HTTP
  if (to && (!call.socket || isHandedOver)) call.base = to
  const status = stored(call, statusHook)
  if (status) call.statusHook = status
  if (reply.problem)
    return hangUp(call, {
      by: 'platform',
      text: t('The redirect failed, which ends the call: {problem}', {
        problem: reply.problem.text,
      }),
    })
  if (reply.verbs && reply.verbs.length > 0) call.list = reply.verbs
}

/** A hook of a verb as one that is stored. Undefined if it stays where the call is. */
function stored({ base }: Call, hook: unknown): Webhook | undefined {
  const { url = hook, method } = membersOf(hook)
  if (typeof url !== 'string' || !/^(?:https?|wss?):\/\//i.test(url)) return undefined
  const { username = null, password = null } = base ?? {}
  return { url, method: typeof method === 'string' ? method : 'POST', username, password }
}
