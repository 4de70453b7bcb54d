import { ANSWER_WITHIN_MINUTES, type Answer, t } from '@switchroom/contract'
import type { Caller } from './call.ts'
import type { KeptRun } from './keep.ts'
import { RunOver } from './limits.ts'

/** A caller who gives these answers, in this order, and then those of the tester. */
export function tester(answers: readonly Answer[], { ask }: Pick<KeptRun, 'ask'>): Caller {
  const left = [...answers]
  return {
    ask(_, signal) {
      const given = left.shift()
      if (given) return Promise.resolve(given)
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          close()
          reject(
            new RunOver(
              t('Nobody answered within {minutes} minutes. The run ends here.', {
                minutes: ANSWER_WITHIN_MINUTES,
              }),
            ),
          )
        }, ANSWER_WITHIN_MINUTES * 60_000).unref()
        const drop = ask((answer) => {
          close()
          resolve(answer)
        })
        const close = () => {
          clearTimeout(late)
          signal.removeEventListener('abort', close)
          drop()
        }
        signal.addEventListener('abort', close)
      })
    },
  }
}
