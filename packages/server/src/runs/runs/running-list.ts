import { t } from '@switchroom/contract'
import { applyCommands } from './apply-commands.ts'
import { type Call, isAnswered } from './call.ts'
import { filled } from './delay.ts'
import { hangUp } from './hang-up.ts'
import { whileSilent } from './verbs/barge-in.ts'

/** Runs the verbs of a call, one after the other, until somebody hangs up. */
export async function runList(call: Call) {
  while (!call.ended) {
    call.interrupt = new AbortController()
    // in a call, verbs take time in which commands come in
    await settle(call)
    await applyCommands(call)
    if (call.failure) throw call.failure
    if (call.isLost && !call.ended) await hangUp(call, LOST)
    if (call.ended) return
    const verb = call.list.shift()
    if (verb) {
      call.delay = undefined
      await call.walk(call, verb)
    } else await whenEmpty(call)
  }
}

const LOST = {
  by: 'platform' as const,
  text: t('The connection to the application was lost, so the platform hangs up.'),
}

async function settle({ socket, commands, clock, limits, failure }: Call) {
  if (!socket || socket.isDone() || commands.length > 0 || failure) return
  await clock.aside(socket.activity(limits.settle_ms))
}

/** Over HTTP the call ends with its verbs. A WebSocket application may send more, and is waited for. */
async function whenEmpty(call: Call) {
  const { socket, clock, limits } = call
  const isOver = () => call.commands.length > 0 || call.failure || call.isLost || socket?.isDone()
  if (!socket || socket.isDone())
    return hangUp(call, {
      by: 'application',
      text: isAnswered(call)
        ? t('There are no more verbs, so the platform hangs up.')
        : t('The verbs ended without answering the call, so the platform declines it.'),
    })
  if (await filled(call, isOver)) return
  // commands that do not end the silence, such as tokens to say, may be followed by one that does
  while (!isOver()) if (!(await clock.measure(socket.activity(limits.silence_ms)))) break
  if (isOver()) return
  await whileSilent(call)
}
