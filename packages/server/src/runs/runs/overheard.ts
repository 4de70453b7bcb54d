import type { Call } from './call.ts'
import { rawMembers, traceHeader } from './call-members.ts'
import { postHook } from './hooks.ts'
import { recognized } from './recognized.ts'
import type { Verb } from './run-application.ts'

export type Words = { transcript: string; confidence?: number }

/** Posts what the caller says to the hook of a transcription. */
export async function transcribed(call: Call, verb: Verb, words: Words, replaces: boolean) {
  const speech = recognized(call, verb.data, words)
  // its trace is in the body instead of a header
  const instead = { ...rawMembers(call), b3: traceHeader(call) }
  const hook = verb.data.transcriptionHook
  await postHook(call, verb, { speech }, { hook, instead, isUntraced: true, replaces })
}

/** The same for the transcription that `config` has in the background. */
export async function overheard(call: Call, words: Words) {
  const { settings, side } = call
  if (!settings.transcribe || side === 'called') return
  await transcribed(call, { name: 'transcribe', data: settings.transcribe }, words, false)
}
