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

/** What the caller heard or lost because the application took long to answer (`actionHookDelayAction`). */
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
