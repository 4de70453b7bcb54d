import { t } from '@switchroom/contract'
import { ask } from '../ask.ts'
import { type Call, isInterrupted } from '../call.ts'
import { postHook } from '../hooks.ts'
import { lapse } from '../lapse.ts'
import { transcribed } from '../overheard.ts'
import { digitsWanted } from '../pressed.ts'
import { clip } from '../recorder.ts'
import type { Verb } from '../run-application.ts'

const STREAM_S = 10

/** Streams audio, which a run does not have. The tester says how it ends. */
export async function listen(call: Call, verb: Verb) {
  const { data } = verb
  const { recorder, clock } = call
  recorder.event(
    'info',
    t('The platform would stream audio to {url}. There is no audio here, so nothing connects.', {
      url: clip(String(data.url), 300),
    }),
  )
  const since = clock.now()
  const keys = digitsWanted(data)
  const answer = await ask(call, {
    verb: verb.name,
    answers: keys.finish_keys ? ['ended', 'digits'] : ['ended'],
    targets: [{ type: 'stream', to: String(data.url) }],
    digits: keys.finish_keys ? keys : null,
  })
  const limit_s = typeof data.maxLength === 'number' && data.maxLength > 0 ? data.maxLength : 3_600
  const seconds = answer?.kind === 'ended' ? Math.min(answer.seconds ?? STREAM_S, limit_s) : 0
  await lapse(call, seconds * 1_000)
  const finish = answer?.kind === 'digits' ? answer.digits.at(-1) : undefined
  await postHook(
    call,
    verb,
    {
      dial_call_duration: Math.round((clock.now() - since) / 1_000),
      ...(finish !== undefined && { digits: finish }),
    },
    { replaces: !isInterrupted(call) },
  )
}

/** Posts every result of the caller's speech, until the application replaces the verb or somebody hangs up. */
export async function transcribe(call: Call, verb: Verb) {
  for (;;) {
    const before = call.list
    const answer = await ask(call, { verb: verb.name, answers: ['speech'] })
    if (answer?.kind !== 'speech') return
    const { text: transcript, confidence } = answer
    const words = { transcript, ...(confidence !== undefined && { confidence }) }
    await transcribed(call, verb, words, true)
    if (call.ended || call.list !== before) return
  }
}
