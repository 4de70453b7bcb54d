import {
  type Conversation,
  fromServer,
  numberText,
  plural,
  type Recorded,
  type Transcription,
  type TranscriptionPlan,
  t,
} from '@switchroom/contract'

/** Speech service and language of the last transcription, suggested again. */
export type Before = Pick<Transcription, 'speech_credential_sid' | 'language'>

/** `12 min 40 s`, or `40 s`. */
export function lengthText(ms: number): string {
  const all = Math.round(ms / 1_000)
  const [minutes, seconds] = [Math.floor(all / 60), all % 60]
  return minutes > 0
    ? t('{minutes} min {seconds} s', { minutes: numberText(minutes), seconds })
    : t('{seconds} s', { seconds })
}

/** Sentences about the length, speech and requests of a transcription before it starts. */
export function planTexts({ length_ms, speech_ms, requests }: TranscriptionPlan): string[] {
  const speech = speech_ms.caller + speech_ms.other
  if (requests === 0)
    return [
      t('The recording is {length} long. There is no speech in it.', {
        length: lengthText(length_ms),
      }),
    ]
  return [
    t(
      'The recording is {length} long. {speech} of it is speech: {caller} by the caller, {other} by the other side.',
      {
        length: lengthText(length_ms),
        speech: lengthText(speech),
        caller: lengthText(speech_ms.caller),
        other: lengthText(speech_ms.other),
      },
    ),
    plural(
      requests,
      'Only the speech is sent, in 1 request to the service.|Only the speech is sent, in {n} requests to the service.',
    ),
  ]
}

/** How many of the parts the service has answered, and of how many. */
export const progressOf = ({ parts }: Transcription) => ({
  done: parts.filter(({ text, error }) => text !== null || error !== null).length,
  all: parts.length,
})

/** How much a transcription lacks, with the first reason; undefined if it is whole. */
export function failedText({ parts }: Transcription): string | undefined {
  const errors = parts.flatMap(({ error }) => (error === null ? [] : [error]))
  const [reason] = errors
  if (reason === undefined) return undefined
  return plural(
    errors.length,
    '1 of {all} stretches of speech is missing: {reason}|{n} of {all} stretches of speech are missing: {reason}',
    { all: numberText(parts.length), reason: fromServer(reason) },
  )
}

/** The words of a recording as turns, in order of time: milliseconds since it began. */
export const turnsOf = ({ parts }: Transcription): Recorded[] =>
  parts
    .flatMap(({ side, from, to, text }): Recorded[] =>
      text ? [{ kind: 'recorded', at: from, end: to, side, text }] : [],
    )
    .sort((a, b) => a.at - b.at)

/** The language that most turns were recognized in; undefined if none is known. */
export function languageOf(conversation: Conversation | undefined): string | undefined {
  const counts = new Map<string, number>()
  for (const entry of conversation?.entries ?? [])
    if (entry.kind === 'heard' && entry.language)
      counts.set(entry.language, (counts.get(entry.language) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}
