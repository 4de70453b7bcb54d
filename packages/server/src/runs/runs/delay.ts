import { t } from '@switchroom/contract'
import type { Call } from './call.ts'
import type { Reply } from './exchange.ts'
import { hangUp } from './hang-up.ts'
import { walkNested } from './nested.ts'
import { readVerbs } from './read-verbs.ts'
import type { Members } from './run-application.ts'
import { delayOf } from './settings.ts'

const seconds = (value: unknown) =>
  typeof value === 'number' ? value * 1_000 : Number.POSITIVE_INFINITY

/** Applies `actionHookDelayAction`: tells what the caller heard or lost because the application took long to answer. */
export async function afterDelay(call: Call, data: Members, { ms }: Reply) {
  const delay = delayOf(call, data)
  if (!delay || call.ended) return
  if (ms > seconds(delay.noResponseGiveUpTimeout)) return giveUp(call, delay)
  if (ms <= seconds(delay.noResponseTimeout)) return
  const { verbs = [] } = readVerbs(call, [delay.actions ?? []].flat())
  // only once, whatever the retries: the answer came before the next one, or cut it
  if (verbs.length > 0) {
    call.recorder.event(
      'info',
      t('The application was slow to respond. Meanwhile, the caller heard this:'),
    )
    await walkNested(call, 'delay', verbs.slice(0, 1))
  }
}

/**
 * Fills the silence of a WebSocket application as it wants it, until it speaks. Resolves to true if the silence is over.
 */
export async function filled(call: Call, isOver: () => unknown): Promise<boolean> {
  const { socket, clock } = call
  const delay = call.delay ?? delayOf(call, {})
  // streamed text is a response as well
  if (!delay || !socket || call.streamed.isOn) return false
  const since = clock.now()
  const { verbs = [] } = readVerbs(call, [delay.actions ?? []].flat())
  const plays = verbs.length > 0 ? 1 + Math.max(0, Number(delay.retries) || 0) : 0
  const giveUpAt = since + seconds(delay.noResponseGiveUpTimeout)
  for (let play = 0; !isOver(); ) {
    const next = play < plays ? clock.now() + seconds(delay.noResponseTimeout) : giveUpAt
    if (!Number.isFinite(Math.min(next, giveUpAt))) return false
    while (!isOver() && clock.now() < Math.min(next, giveUpAt))
      await clock.measure(socket.activity(Math.min(next, giveUpAt) - clock.now()))
    if (isOver()) break
    if (clock.now() >= giveUpAt) {
      await giveUp(call, delay)
      break
    }
    await walkNested(call, 'delay', [verbs[play % verbs.length]!])
    play += 1
  }
  return true
}

async function giveUp(call: Call, { giveUpActions }: Members) {
  const { verbs = [] } = readVerbs(call, [giveUpActions ?? []].flat())
  if (verbs.length > 0) {
    call.recorder.event(
      'warn',
      t('The application took too long to respond. The platform gives up and runs giveUpActions.'),
    )
    call.list = verbs
    return
  }
  await hangUp(call, {
    by: 'platform',
    text: t('The application took too long to respond. The platform gives up and hangs up.'),
    x_reason: 'bot-action-delay-giveup',
  })
}
