import { isRecord, t } from '@switchroom/contract'
import type { Call } from './call.ts'
import { clip } from './recorder.ts'
import type { Members, Verb } from './run-application.ts'

/** Pieces of one verb that are shown. */
const MOST = 20

/** About as fast as voices speak. */
const CHARS_PER_SECOND = 15

/** Approximate duration of a prompt. */
export function spokenMs(data: Members): number {
  const chars = textOf(data).replace(/<[^<>]*>/g, '').length
  const loop = loopOf(data)
  return Math.round((chars / CHARS_PER_SECOND) * 1_000) * (loop === 'forever' ? 1 : loop)
}

/** All that a prompt says. */
export const textOf = ({ text }: Members) =>
  [text]
    .flat()
    .filter((one) => typeof one === 'string')
    .join(' ')

/** Speaks the text of a verb. Its duration depends on the voice, and is unknown. */
export function speak(call: Call, { name, data }: Verb) {
  const { recorder, side } = call
  const { text, stream } = data
  const common = {
    kind: 'said' as const,
    verb: name,
    side,
    ...voiceOf(call, data),
    loop: loopOf(data),
  }
  if (stream === true) {
    recorder.add({ ...common, text: null })
    return
  }
  const texts = [text].flat().filter((one) => typeof one === 'string')
  for (const one of texts.slice(0, MOST)) recorder.add({ ...common, text: one })
  if (texts.length === 0) recorder.event('warn', t('There is no text to say.'))
}

export function play({ recorder, side }: Call, { name, data }: Verb) {
  const urls = [data.url].flat().filter((one) => typeof one === 'string')
  for (const url of urls.slice(0, MOST))
    recorder.add({ kind: 'played', verb: name, side, url, loop: loopOf(data) })
}

/** The voice of a verb: its own, else that of `config`, else the application's, member by member. */
export function voiceOf(call: Call, { synthesizer }: Members) {
  const own = isRecord(synthesizer) ? synthesizer : {}
  const { settings, application } = call
  const first = (member: string, stored: string | null) =>
    [own[member], settings.synthesizer[member], stored].find(isSaid)
  return {
    vendor: nameOf(first('vendor', application.speech_synthesis_vendor)),
    language: nameOf(first('language', application.speech_synthesis_language)),
    voice: nameOf(first('voice', application.speech_synthesis_voice)),
    label: nameOf(first('label', application.speech_synthesis_label)),
  }
}

const isSaid = (value: unknown) => value !== undefined && value !== null && value !== 'default'

/** A custom voice may be an object. */
const nameOf = (value: unknown) =>
  value === undefined || value === null
    ? null
    : clip(typeof value === 'string' ? value : JSON.stringify(value))

export const isEndless = ({ loop }: Members) => loop === 'forever'

function loopOf({ loop }: Members): number | 'forever' {
  if (loop === 'forever') return loop
  const count = Number(loop ?? 1)
  return Number.isFinite(count) && count > 0 ? count : 1
}
