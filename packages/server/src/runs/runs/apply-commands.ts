import { isRecord, membersOf, t } from '@switchroom/contract'
import { runAdult } from './adult.ts'
import { type Call, isAnswered, type Leg } from './call.ts'
import { callMembers } from './call-members.ts'
import { completeLeg } from './call-status.ts'
import { exchange } from './exchange.ts'
import { hangUp } from './hang-up.ts'
import { verbsOf } from './redirected-verbs.ts'
import type { Command } from './socket-messages.ts'

const SERVICE_UNAVAILABLE = 503

/** Lets the commands that waited take effect, in their order. */
export async function applyCommands(call: Call) {
  for (;;) {
    const command = call.commands.shift()
    if (!command || call.ended) return
    await apply(call, command)
  }
}

async function apply(call: Call, { command, data, is_queued, members }: Command) {
  switch (command) {
    case 'redirect':
      return isRecord(data) ? redirectLegs(call, data) : redirect(call, data, is_queued)
    case 'call:status':
      return changeStatus(call, membersOf(data).call_status, members.callSid)
    default:
      return call.recorder.event(
        'warn',
        t('No language model is waiting for this output. The platform ignores it.'),
      )
  }
}

function redirect(call: Call, data: unknown, is_queued: boolean) {
  const verbs = verbsOf(call, data)
  if (verbs) call.list = is_queued ? [...call.list, ...verbs] : verbs
}

/**
 * Replaces the verbs of either leg, with those of a hook or with given ones. A dialed party with verbs of its own
 * becomes a call of its own.
 */
async function redirectLegs(call: Call, data: Record<string, unknown>) {
  const { bridged, recorder } = call
  call.bridged = undefined
  const ask = async (hook: unknown, leg = call.leg) =>
    (
      await exchange(call, {
        name: 'session:redirect',
        hook,
        data: callMembers(call, leg),
        expects: 'verbs',
      })
    ).verbs
  const { call_hook, child_call_hook, parent_call, child_call } = data
  // hooks win over verbs
  const hasHooks = Boolean(call_hook || child_call_hook)
  if (!hasHooks && !parent_call && !child_call)
    return recorder.event(
      'warn',
      t(
        'The platform reads call_hook, child_call_hook, parent_call or child_call in a redirect. Without them, nothing is replaced.',
      ),
    )
  const given = (verbs: unknown) => (verbs ? verbsOf(call, verbs) : undefined)
  const fetched = async (hook: unknown, leg?: Leg) => (hook ? await ask(hook, leg) : undefined)
  const own = hasHooks ? await fetched(call_hook) : given(parent_call)
  const wanted = hasHooks ? child_call_hook : child_call
  if (wanted && !bridged)
    recorder.event(
      'warn',
      t(
        'No dialed party is connected, so the platform ignores what is meant for the called party.',
      ),
    )
  const childs = bridged && (hasHooks ? await fetched(child_call_hook, bridged) : given(child_call))
  if (own) call.list = own
  if (childs && bridged) await runAdult(call, { leg: bridged, list: childs }, applyCommands)
  else if (bridged) await completeLeg(call, bridged, 'jambonz')
}

/** `completed` ends an answered call, `no-answer` one that is not. */
async function changeStatus(call: Call, status: unknown, callSid: unknown) {
  // that of a dialed party is over by now
  const isOwn = callSid === undefined || callSid === call.leg.call_sid
  if (isOwn && status === 'completed' && isAnswered(call))
    return hangUp(call, { by: 'application', text: t('The application ends the call.') })
  if (isOwn && status === 'no-answer' && !isAnswered(call))
    return hangUp(call, {
      by: 'application',
      text: t('The application refuses the call.'),
      sip_status: SERVICE_UNAVAILABLE,
    })
  call.recorder.event('warn', t('This status does not fit the call. The platform ignores it.'))
}
