import {
  type Conversation,
  type ConversationEntry,
  decimalText,
  durationText,
  type Heard,
  type ModelSession,
  type ModelTurn,
  numberText,
  PARTIES,
  type Party,
  type ResponsePart,
  type ResponseTime,
  type Said,
  t,
  type WordsKept,
} from '@switchroom/contract'
import { LEFT_OUT } from './kept-words'
import { costText, modelEvent, tokensText } from './model-text'

/** `362 ms`, or `1.31 s` from a second on. */
export function msText(ms: number): string {
  const whole = Math.round(ms)
  return whole < 1_000 ? `${numberText(whole)} ms` : `${decimalText(whole / 1_000, 2)} s`
}

/** The time in the call, `0:32`: since the answer, before it with a minus sign. */
export function timeText(at: number, zero: number): string {
  const text = durationText(Math.abs(at - zero) / 1_000) ?? ''
  return at < zero && text !== '0:00' ? `−${text}` : text
}

/** Who speaks; undefined if nobody does. */
export function whoOf(entry: ConversationEntry): string | undefined {
  if (entry.kind === 'event') return undefined
  if (entry.kind === 'said') return PARTIES.application
  if (entry.kind === 'model') {
    if (modelEvent(entry)) return undefined
    return entry.side === 'caller' ? PARTIES.caller : t('Model')
  }
  return entry.side === 'other' ? t('Other side') : PARTIES[entry.side]
}

type VendorName = (vendor: string) => string

const serviceText = (
  { vendor, label }: Pick<Heard | Said, 'vendor' | 'label'>,
  nameOf: VendorName,
) => vendor !== null && (label === null ? nameOf(vendor) : `${nameOf(vendor)} (${label})`)

/** The service that an entry used, as one text to compare; undefined where there is none. */
function serviceOf(entry: ConversationEntry): string | undefined {
  if ((entry.kind !== 'heard' && entry.kind !== 'said') || entry.vendor === null) return undefined
  const { kind, vendor, label, language } = entry
  return JSON.stringify([kind, vendor, label, language, entry.kind === 'said' && entry.voice])
}

/** Tells for each entry if its service differs from the one of its kind before; the service is shown only then. */
export function serviceChanges(entries: readonly ConversationEntry[]): boolean[] {
  const last: Partial<Record<ConversationEntry['kind'], string>> = {}
  return entries.map((entry) => {
    const service = serviceOf(entry)
    if (service === undefined) return true
    const changes = last[entry.kind] !== service
    last[entry.kind] = service
    return changes
  })
}

const known = (facts: readonly (string | false | null)[]) =>
  facts.filter((fact) => fact !== false && fact !== null)

const ENDED_BY = {
  number: t('Ended after enough digits'),
  key: t('Ended by the finish key'),
  pause: t('Ended by a pause'),
}

/** Details of a recognition, in small print. The service is named only if `isNew`. */
export const heardFacts = (heard: Heard, nameOf: VendorName, isNew = true): string[] =>
  known([
    isNew && serviceText(heard, nameOf),
    heard.instead_of !== null && t('Instead of {vendor}', { vendor: nameOf(heard.instead_of) }),
    isNew && heard.language,
    heard.confidence !== null &&
      t('Confidence {percent} %', { percent: Math.round(heard.confidence * 100) }),
    heard.ended_by && ENDED_BY[heard.ended_by],
    heard.asked_again && t('Asked again'),
  ])

/** The same about what the application said. */
export const saidFacts = (said: Said, nameOf: VendorName, isNew = true): string[] =>
  known([
    isNew && serviceText(said, nameOf),
    isNew && said.voice,
    isNew && said.language,
    said.cached === null ? null : said.cached ? t('From cache') : t('Synthesized'),
    said.voice_ms !== null && t('First audio after {time}', { time: msText(said.voice_ms) }),
    ...said.failed.map(({ vendor, ms }) =>
      t('{vendor} failed after {time}', { vendor: nameOf(vendor), time: msText(ms) }),
    ),
  ])

/** Details of a turn of a model session, in small print. */
export const modelFacts = ({ what, at, end, tokens, cost, tool }: ModelTurn): string[] => [
  ...(what === 'tool' && end !== null
    ? [t('Result after {time}', { time: msText(end - at) })]
    : []),
  ...(what === 'tool' && end === null ? [t('No result was sent')] : []),
  ...(tool?.has_failed ? [t('The tool failed')] : []),
  ...(tokens ? [tokensText(tokens)] : []),
  ...(cost ? [t('Cost: {amount}', { amount: costText(cost) })] : []),
]

type Remark = { tone: 'off' | 'warn' | 'bad'; text: string }

const OUTCOMES: Record<Heard['outcome'], Remark | undefined> = {
  speech: undefined,
  digits: undefined,
  low_confidence: { tone: 'warn', text: t('Low confidence') },
  nothing: { tone: 'off', text: t('No input') },
  error: { tone: 'bad', text: t('Recognition failed') },
  stopped: { tone: 'off', text: t('Listening ended without a result') },
}

/** The outcome of listening, unless words or keys show it. `words`: what the account keeps of them. */
export function outcomeOf(
  { outcome, transcript, digits }: Heard,
  words: WordsKept,
): Remark | undefined {
  if (OUTCOMES[outcome] || transcript || digits) return OUTCOMES[outcome]
  if (words === 'leave_out') return { tone: 'off', text: LEFT_OUT }
  return outcome === 'digits'
    ? { tone: 'off', text: t('The trace does not show which keys were pressed.') }
    : { tone: 'off', text: t('The trace does not show what was said.') }
}

/** True if a shown text of the application is cut and the recording does not have the rest. */
export const hasCutTexts = (conversation: Conversation | undefined): boolean =>
  conversation?.entries.some(
    (entry) =>
      entry.kind === 'said' && entry.text !== null && entry.is_cut && !entry.from_recording,
  ) ?? false

/** Why there is no text of what the application said; undefined if there is one. */
export function withoutText(
  { text, url, is_streamed }: Said,
  words: WordsKept,
): string | undefined {
  if (is_streamed) return t('Streamed speech. The trace has no text of it.')
  if (text || url) return undefined
  return words === 'leave_out' ? LEFT_OUT : t('The trace does not show what was said.')
}

/** Names of the parts of a response time. */
export const PARTS: Record<ResponsePart, string> = {
  recognition: t('Recognition'),
  digits: t('Waiting for more digits'),
  webhook: t('Webhook'),
  application: t('Application'),
  hand_over: t('Hand-over'),
  pause: t('Pauses'),
  voice: t('Voice'),
}

/** A part of a response time, with its length. */
export const partText = (part: ResponsePart, ms: number) => `${PARTS[part]} ${msText(ms)}`

const UNTIL = {
  voice: null,
  verb: t('Answered without speech'),
  hangup: t('The call ended before an answer'),
  unknown: t('First audio not known'),
}

/** How a response time is to be read, beside its parts. */
export const responseNotes = ({ since, until }: ResponseTime): string[] =>
  known([
    UNTIL[until],
    since === 'result' && t('Counted from the recognition result: the end of speech is not known'),
  ])

/** The sum of what is known of a response time. */
export const spentOn = ({ parts }: ResponseTime) => parts.reduce((sum, { ms }) => sum + ms, 0)

const responseOf = (entry: ConversationEntry) => (entry.kind === 'heard' ? entry.response : null)

/** Milliseconds that a full response bar stands for. */
export const longestOf = (entries: readonly ConversationEntry[]): number =>
  entries.reduce((longest, entry) => {
    const response = responseOf(entry)
    return response ? Math.max(longest, spentOn(response)) : longest
  }, 0)

const isTurn = (entry: ConversationEntry) =>
  entry.kind === 'heard'
    ? entry.response !== null || entry.outcome === 'speech' || entry.outcome === 'digits'
    : entry.kind === 'model' && entry.what === 'words' && entry.side === 'caller'

/** `entry`: the index of the entry that shows it. */
export type Figure = { name: string; text: string; entry?: number }

function modelFigures({ vendor, model, tokens, cost }: ModelSession): Figure[] {
  const name = model ?? vendor
  return [
    ...(name === null ? [] : [{ name: t('Model'), text: name }]),
    ...(tokens ? [{ name: t('Tokens'), text: numberText(tokens.input + tokens.output) }] : []),
    ...(cost ? [{ name: t('Cost of the model'), text: costText(cost) }] : []),
  ]
}

/** The conversation in figures, where they are known. */
export function figuresOf(conversation: Conversation, party: Party | undefined): Figure[] {
  const { entries, median_ms, slowest, greeting_ms, interruptions, model_session } = conversation
  const figures: Figure[] = [{ name: t('Turns'), text: numberText(entries.filter(isTurn).length) }]
  if (median_ms !== null) figures.push({ name: t('Median response'), text: msText(median_ms) })
  const entry = slowest === null ? undefined : entries[slowest]
  const ms = entry && responseOf(entry)?.ms
  if (slowest !== null && typeof ms === 'number')
    figures.push({ name: t('Slowest'), text: msText(ms), entry: slowest })
  if (greeting_ms !== null) figures.push({ name: t('Greeting'), text: msText(greeting_ms) })
  figures.push(...interruptionsShown(interruptions))
  if (model_session) figures.push(...modelFigures(model_session))
  if (party) figures.push({ name: t('Ended by'), text: PARTIES[party] })
  return figures
}

function interruptionsShown(interruptions: Conversation['interruptions']): Figure[] {
  const { barge_ins, barge_in_known, talk_over_ms, silence_before_ms, talk } = interruptions
  const figures: Figure[] = []
  if (barge_in_known > 0)
    figures.push({
      name: t('Interrupted prompts'),
      text: t('{count} of {total}', {
        count: numberText(barge_ins),
        total: numberText(barge_in_known),
      }),
    })
  if (talk_over_ms !== null)
    figures.push({ name: t('Both spoke'), text: secondsText(talk_over_ms) })
  if (silence_before_ms !== null)
    figures.push({
      name: t('Silence before the caller, median'),
      text: secondsText(silence_before_ms),
    })
  const both = talk && talk.caller_ms + talk.application_ms
  if (talk && both)
    figures.push({
      name: t('The caller spoke'),
      text: t('{percent} % of the time spoken', {
        percent: decimalText((talk.caller_ms / both) * 100, 0),
      }),
    })
  return figures
}

/** A time that comes from whole seconds. */
const secondsText = (ms: number) => t('{count} s', { count: decimalText(ms / 1_000) })
