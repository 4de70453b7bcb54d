import { t } from '@switchroom/contract'
import { type Call, isInterrupted, type Leg } from './call.ts'
import type { Verb } from './run-application.ts'

/** What the platform takes in answers that are played while something else goes on. */
const ALLOWED: Record<NonNullable<Call['nested']>, readonly string[]> = {
  queue: ['play', 'say', 'pause', 'leave', 'tag'],
  conference: ['play', 'say', 'pause'],
  hold: ['play', 'say', 'pause'],
  confirm: ['play', 'say', 'pause', 'gather', 'config', 'tag', 'hangup'],
  delay: ['play', 'say'],
}

/** Runs such verbs. `refused`: one of them is not allowed, and ended the list. */
export async function walkNested(
  call: Call,
  nested: NonNullable<Call['nested']>,
  list: readonly Verb[],
  /** Whom the verbs are for, if not for the caller. */
  called?: Leg,
): Promise<'done' | 'left' | 'refused'> {
  const { list: rest, nested: outer, side, leg } = call
  Object.assign(call, { list: [...list], nested })
  if (called) Object.assign(call, { side: 'called', leg: called })
  try {
    for (;;) {
      const verb = call.list.shift()
      if (!verb || isInterrupted(call) || call.isCalledGone) return 'done'
      if (!ALLOWED[nested].includes(verb.name)) {
        call.recorder.event(
          'bad',
          t('{verb} is not allowed here. The platform stops this list of verbs.', {
            verb: verb.name,
          }),
        )
        return 'refused'
      }
      if (verb.name === 'leave') return 'left'
      await call.walk(call, verb)
    }
  } finally {
    Object.assign(call, { list: rest, nested: outer, side, leg })
  }
}
