import { t } from '@switchroom/contract'
import { answer } from './answer.ts'
import { type Call, checkStopped, isAnswered } from './call.ts'
import { RunOver } from './limits.ts'
import type { Members, Verb } from './run-application.ts'
import { tellVerb } from './verb-status.ts'
import { verbs } from './verbs/table.ts'
import type { Walk } from './verbs/walk-type.ts'
import { isWalked, type WalkedVerb } from './walkable.ts'

/** Verbs that answer the call before they run, unless they may speak before that. */
const NEEDING_MEDIA: readonly WalkedVerb[] = [
  'answer',
  'say',
  'play',
  'gather',
  'listen',
  'transcribe',
  'conference',
  'enqueue',
  'dequeue',
  'dtmf',
  'llm',
  'agent',
  'dialogflow',
  'lex',
  'rasa',
]
/** Verbs that the platform skips unless the call is answered. */
const NEEDING_AN_ANSWER: readonly WalkedVerb[] = ['hangup', 'sip:request', 'sip:refer']

/** Runs one verb, as the platform does, until it is over or replaced. */
export async function walk(call: Call, verb: Verb): Promise<void> {
  const { name, data } = verb
  if (!isWalked(name)) return
  checkStopped(call)
  countVerb(call)
  if (NEEDING_AN_ANSWER.includes(name) && !isAnswered(call)) {
    call.recorder.event(
      'warn',
      t('The platform skips {verb}, because the call is not answered yet.', { verb: name }),
    )
    return
  }
  if (needsMedia(name, data)) await answerFor(call, data)
  tellVerb(call, verb, { event: 'starting', name })
  const run: Walk = verbs[name]
  const outer = call.running
  call.running = name
  try {
    await run(call, verb)
  } finally {
    call.running = outer
  }
  tellVerb(call, verb, { event: 'finished', name })
}

function countVerb({ counts, limits }: Call) {
  counts.verbs += 1
  if (counts.verbs > limits.verbs)
    throw new RunOver(
      t('Limit reached: {limit} verbs. The application may be looping.', { limit: limits.verbs }),
    )
}

const needsMedia = (
  name: WalkedVerb,
  { bargeIn, listen, record, amd, transcribe, boostAudioSignal }: Members,
) =>
  NEEDING_MEDIA.includes(name) ||
  (name === 'config' &&
    [bargeIn, listen, record, amd, transcribe, boostAudioSignal].some((one) => one !== undefined))

async function answerFor(call: Call, { earlyMedia }: Members) {
  if (isAnswered(call)) return
  if (earlyMedia === true)
    return call.recorder.event('info', t('The caller hears this before the call is answered.'))
  await answer(call)
}
