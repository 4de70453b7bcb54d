import { t } from '@switchroom/contract'
import { ask } from './ask.ts'
import type { Call, Leg } from './call.ts'
import { callMembers } from './call-members.ts'
import { completeLeg } from './call-status.ts'
import { exchange } from './exchange.ts'
import { lapse } from './lapse.ts'
import type { Verb } from './run-application.ts'
import { openSocket } from './session.ts'

/** A dialed party that goes on without its caller. */
export type Adult = { leg: Leg; list: Verb[] }

/**
 * Runs the verbs of a dialed party that became a call of its own. On the platform it goes on beside the caller's; here
 * one comes after the other.
 */
export async function runAdult(
  call: Call,
  { leg: child, list }: Adult,
  applyCommands: (call: Call) => Promise<void>,
) {
  const { socket, base, leg, commands, side, list: rest } = call
  call.recorder.event(
    'info',
    t('The called party is a call of its own now. Here its verbs run first, then the caller’s.'),
  )
  Object.assign(call, { leg: child, side: 'called', list, commands: [], outer: commands })
  try {
    if (socket && base) await announce(call, socket.url, leg)
    await runVerbs(call, applyCommands)
    await completeLeg(call, child, 'jambonz')
  } finally {
    const own = call.socket
    Object.assign(call, { socket, leg, commands, side, list: rest, outer: undefined })
    call.isCalledGone = false
    if (own !== socket) await own?.close()
  }
}

/** The platform opens another WebSocket for the new call. */
async function announce(call: Call, url: string, parent: Leg) {
  const { username = null, password = null } = call.base ?? {}
  const to = new URL(url)
  to.pathname = `${to.pathname.replace(/\/$/, '')}/adulting`
  const hook = { url: to.href, method: 'GET', username, password }
  call.socket = openSocket(call, hook)
  await exchange(call, {
    name: 'session:adulting',
    hook: hook.url,
    data: { ...callMembers(call), parent_call_info: callMembers(call, parent) },
    expects: 'anything',
  })
}

async function runVerbs(call: Call, applyCommands: (call: Call) => Promise<void>) {
  while (!call.isCalledGone && !call.ended) {
    call.interrupt = new AbortController()
    await applyCommands(call)
    if (call.failure) throw call.failure
    const verb = call.list.shift()
    if (verb) await call.walk(call, verb)
    else if (!call.socket || call.socket.isDone()) return
    else {
      call.isIdle = true
      const answer = await ask(call, { verb: 'silence', answers: ['wait'] })
      if (answer?.kind === 'wait') await lapse(call, (answer.seconds ?? 0) * 1_000)
      call.isIdle = false
    }
  }
}
