import { t } from '@switchroom/contract'
import { type Call, isInterrupted, type Leg } from './call.ts'
import type { Verb } from './run-application.ts'

/** What the platform takes in answers that are played while something else goes on. */
const ALLOWED: Record<NonNullable<Call['nested']>, readonly string[]> = {
  queue: ['play', 'say', 'pause', 'leave', 'tag'],
  conference: ['play', 'say', 'pause'],
  hold: ['play', 'say', 'pause'],
  // of the hooks in it; its own verbs may be any but what needs a call that is not answered
  confirm: ['config', 'gather', 'say', 'tag'],
  delay: ['play', 'say'],
}
const NEEDS_UNANSWERED = 'sip:decline'

/** Runs such verbs. `refused`: one of them is not allowed, and ended the list. */
export async function walkNested(
  call: Call,
  nested: NonNullable<Call['nested']>,
  list: readonly Verb[],
  /** Whom the verbs are for, if not for the caller. */
  called?: Leg,
): Promise<'done' | 'left' | 'refused'> {
  const { list: rest, nested: outer, side, leg } = call
  const own = [...list]
  const declined = nested === 'confirm' && own.find(({ name }) => name === NEEDS_UNANSWERED)
  if (declined) return refuse(call, declined)
  const isAllowed = ({ name }: Verb) =>
    (nested === 'confirm' && call.list === own) || ALLOWED[nested].includes(name)
  Object.assign(call, { list: own, nested })
  if (called) Object.assign(call, { side: 'called', leg: called })
  try {
    for (;;) {
      const verb = call.list.shift()
      if (!verb || isInterrupted(call) || call.isCalledGone) return 'done'
      if (!isAllowed(verb)) return refuse(call, verb)
      if (verb.name === 'leave') return 'left'
      await call.walk(call, verb)
    }
  } finally {
    Object.assign(call, { list: rest, nested: outer, side, leg })
  }
}

function refuse({ recorder }: Call, { name }: Verb): 'refused' {
  recorder.event(
    'bad',
    t('{verb} is not allowed here. The platform stops this list of verbs.', { verb: name }),
  )
  return 'refused'
}
