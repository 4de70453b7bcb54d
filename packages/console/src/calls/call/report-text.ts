import {
  type Call,
  type Conversation,
  type ConversationEntry,
  type ConversationFinding,
  callSentence,
  fromServer,
  type Heard,
  plural,
  type Said,
  type SipLadder,
  sipStatusText,
  t,
  type WordsKept,
} from '@switchroom/contract'
import { vendorName } from '../../speech/speech-credentials/vendor-name'
import { isTraced } from '../call-text'
import {
  heardFacts,
  modelFacts,
  outcomeOf,
  partText,
  responseNotes,
  saidFacts,
  timeText,
  whoOf,
  withoutText,
} from './conversation/conversation-text'
import { wordsNote } from './conversation/kept-words'
import { modelEvent, modelWords } from './conversation/model-text'
import { partyText, sinceText } from './sip/ladder-text'
import { titleOf } from './title'

/** Limits that keep a report short enough to be read. */
const MAX_ENTRIES = 300
const MAX_MESSAGES = 200
const MAX_TEXT = 500

/** Text without what could be a card number, a code or an address in it. */
export const masked = (text: string) =>
  text
    .replace(/[\p{L}\d._%+-]+@[\p{L}\d-]+(?:\.[\p{L}\d-]+)+/gu, '•••@•••')
    .replace(/\d(?:[ .-]?\d){3,}/g, (digits) => digits.replace(/\d/g, '•'))

const withoutCredentials = (url: string) => url.replace(/\/\/[^/@]*@/, '//').replace(/[?#].*$/s, '')

const short = (text: string) =>
  text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()}…` : text

/** One line, with nothing that Markdown would read as more than text. */
const line = (text: string) =>
  short(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]<>#|]/g, '\\$&')

const bracketed = (facts: readonly string[]) => (facts.length > 0 ? ` (${facts.join(', ')})` : '')

/** Text of a turn from the recording, if that was transcribed. */
const recordingLines = ({ from_recording }: Heard | Said) =>
  from_recording ? [`  - ${t('Heard in the recording')}: ${line(masked(from_recording))}`] : []

function entryLines(entry: ConversationEntry, zero: number, words: WordsKept): string[] {
  const time = timeText(entry.at, zero)
  if (entry.kind === 'event') return [`- ${time} ${line(fromServer(entry.text))}`]
  if (entry.kind === 'said') {
    const text =
      entry.text === null
        ? entry.url === null
          ? (withoutText(entry, words) ?? '')
          : withoutCredentials(entry.url)
        : `${masked(entry.text)}${entry.is_cut ? '…' : ''}`
    return [
      `- ${time} **${whoOf(entry)}**: ${line(text)}${line(bracketed(saidFacts(entry, vendorName)))}`,
      ...recordingLines(entry),
    ]
  }
  if (entry.kind === 'recorded')
    return [
      `- ${time} **${whoOf(entry)}**: ${line(masked(entry.text))} (${t('Heard in the recording')})`,
    ]
  if (entry.kind === 'model') {
    const who = whoOf(entry)
    const text = modelEvent(entry)?.text ?? modelWords(entry)
    const facts = [...(entry.is_interrupted ? [t('Interrupted')] : []), ...modelFacts(entry)]
    return [
      `- ${time} ${who ? `**${who}**: ` : ''}${line(masked(text))}${line(bracketed(facts))}`,
      ...[entry.tool?.arguments, entry.tool?.result].flatMap((detail) =>
        detail ? [`  - ${line(masked(detail))}`] : [],
      ),
    ]
  }
  const said = [
    entry.transcript === null ? null : masked(entry.transcript),
    entry.digits === null ? null : '•'.repeat(entry.digits.length),
    outcomeOf(entry, words)?.text,
    entry.error === null ? null : masked(entry.error),
  ].filter((text) => text)
  const lines = [
    `- ${time} **${whoOf(entry)}**: ${line(said.join(', '))}${line(bracketed(heardFacts(entry, vendorName)))}`,
    ...recordingLines(entry),
  ]
  const { response } = entry
  if (response) {
    const parts = response.parts.map(({ part, ms }) => partText(part, ms))
    lines.push(`  - ${line([...parts, ...responseNotes(response)].join(' · '))}`)
  }
  return lines
}

function factsOf(call: Call): [name: string, value: string | null][] {
  return [
    [t('Call SID'), call.call_sid],
    ['SIP Call-ID', call.sip_callid],
    [t('Parent Call-ID'), call.sip_parent_callid],
    [t('Trace'), isTraced(call) ? call.trace_id : null],
    [t('Account'), call.account_sid],
    [t('Application'), call.application_sid],
    [t('Carrier'), call.trunk],
    [t('Host'), call.host],
    [t('Remote host'), call.remote_host],
    [t('Attempted'), call.attempted_at],
    [t('Answered at'), call.answered_at],
    [t('Ended'), call.terminated_at],
    [t('SIP status'), call.sip_status === null ? null : sipStatusText(call.sip_status)],
    [t('Termination reason'), call.termination_reason],
  ]
}

/** A finding, without what could be secret in the words of a recognizer that it quotes. */
const findingText = (
  { text, entry }: ConversationFinding,
  entries: readonly ConversationEntry[],
) =>
  entry !== null && entries[entry]?.kind === 'heard'
    ? fromServer(text).replace(/“[^”]*”/g, masked)
    : fromServer(text)

const section = (title: string, lines: readonly string[]) =>
  lines.length > 0 ? ['', `## ${title}`, '', ...lines] : []

/** At most so many of the lines, and how many more there are. */
const limited = (lines: readonly string[], max: number) =>
  lines.length > max
    ? [...lines.slice(0, max), `- ${plural(lines.length - max, 'and 1 more|and {n} more')}`]
    : lines

/**
 * A call as Markdown for a colleague or a vendor: parties, times, ids, findings, conversation and SIP. Masks pressed
 * keys, and long numbers and email addresses in what was said.
 */
export function reportText({
  call,
  format,
  conversation,
  ladder,
  notes,
}: {
  call: Call
  format: (number: string) => string
  conversation: Conversation | undefined
  ladder: SipLadder | undefined
  /** Sentences about parts that could not be loaded and sources that contradict each other. */
  notes: readonly string[]
}): string {
  const entries = conversation?.entries ?? []
  const findings = [
    ...(conversation?.findings ?? []).map((finding) => findingText(finding, entries)),
    ...(ladder?.diagnosis ?? []).map(({ text }) => fromServer(text)),
  ]
  const zero = conversation ? (conversation.answered ?? conversation.began) : 0
  const words = conversation?.words ?? 'keep'
  const note = wordsNote(words)
  const begun = Math.min(...(ladder?.messages ?? []).map((m) => m.at))
  const names = ladder?.parties.map(partyText) ?? []
  return [
    `# ${line(titleOf(call, format))}`,
    '',
    line(callSentence(call, format, ladder, conversation)),
    '',
    ...[...notes, ...(note ? [note] : [])].flatMap((text) => [line(text), '']),
    ...factsOf(call).flatMap(([name, value]) => (value ? [`- ${name}: ${line(value)}`] : [])),
    ...section(
      t('Findings'),
      findings.map((text) => `- ${line(text)}`),
    ),
    ...section(
      t('Conversation'),
      limited(
        entries.flatMap((entry) => entryLines(entry, zero, words)),
        MAX_ENTRIES,
      ),
    ),
    ...section(
      'SIP',
      limited(
        (ladder?.messages ?? []).map(
          ({ at, source, destination, label }) =>
            `- ${sinceText(at, begun)} ${names[source] ?? ''} → ${names[destination] ?? ''} ${line(label)}`,
        ),
        MAX_MESSAGES,
      ),
    ),
    '',
  ].join('\n')
}
