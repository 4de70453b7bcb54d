import { t } from '@switchroom/contract'
import type { Call } from './call.ts'
import { readVerbs } from './read-verbs.ts'
import type { Verb } from './run-application.ts'

/** The verbs of a redirect; undefined if the platform refuses them, and what is running goes on. */
export function verbsOf(call: Call, data: unknown): Verb[] | undefined {
  const { verbs, problem } = readVerbs(call, data)
  if (problem)
    call.recorder.event(
      'bad',
      t('The platform refuses the verbs of this redirect: {problem}', { problem: problem.text }),
    )
  return verbs
}
