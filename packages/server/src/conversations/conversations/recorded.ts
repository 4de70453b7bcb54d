import type { Conversation, ConversationEntry, TranscriptPart } from '@switchroom/contract'
import { withEntries } from './placed.ts'

/** When the recording began is known within some 300 ms, and results come a bit after speech ended. */
const TOLERANCE_MS = 500

type Side = TranscriptPart['side']
/** Milliseconds since 1970. */
type Spoken = { side: Side; from: number; to: number; text: string }
type Turn = Extract<ConversationEntry, { kind: 'heard' | 'said' }>

export type Heard = {
  vendor: string
  language: string
  parts: readonly Pick<TranscriptPart, 'side' | 'from' | 'to' | 'text'>[]
}

/**
 * Merges the transcription of a call's recording into its conversation: each part into the turn of its side that it
 * overlaps most, or as an entry of its own. Times are approximate if the trace does not show when the recording began:
 * then it is taken to begin at the answer, or else at the beginning.
 */
export function withRecorded(conversation: Conversation, heard: Heard): Conversation {
  const start = conversation.recording ?? conversation.answered ?? conversation.began
  const words = new Map<ConversationEntry, string[]>()
  const others: ConversationEntry[] = []
  const turns = turnsOf(conversation)
  for (const spoken of spokenFrom(start, heard.parts)) {
    const turn = turnOf(turns, spoken)
    if (turn) words.set(turn, [...(words.get(turn) ?? []), spoken.text])
    else {
      const { from, to, side, text } = spoken
      others.push({ kind: 'recorded', at: from, end: to, side, text })
    }
  }
  const { vendor, language } = heard
  const placed = withEntries(conversation, others)
  return {
    ...placed,
    entries: placed.entries.map((entry) => {
      const spoken = words.get(entry)
      return spoken ? ({ ...entry, from_recording: spoken.join(' ') } as ConversationEntry) : entry
    }),
    transcribed: { vendor, language },
  }
}

function spokenFrom(start: number, parts: Heard['parts']): Spoken[] {
  return parts
    .flatMap(({ side, from, to, text }) => {
      const words = text?.trim()
      return words ? [{ side, from: start + from, to: start + to, text: words }] : []
    })
    .sort((a, b) => a.from - b.from)
}

type Span = { entry: Turn; side: Side; from: number; to: number }

/** The turns that words may belong to, by when they may have begun. */
function turnsOf({ entries, ended }: Conversation): Span[] {
  const turns: Span[] = []
  let nextPrompt = ended ?? Infinity
  for (const entry of entries.toReversed()) {
    if (entry.kind === 'heard') {
      const side = entry.side === 'caller' ? 'caller' : 'other'
      turns.push({ entry, side, from: entry.from, to: entry.at })
    }
    if (entry.kind === 'said' && entry.is_spoken) {
      turns.push({ entry, side: 'other', from: entry.at, to: entry.end ?? nextPrompt })
      nextPrompt = entry.at
    }
  }
  return turns.sort((a, b) => a.from - b.from)
}

/** The turn that was spoken for the longest of the same time. Of several, the first. */
function turnOf(turns: readonly Span[], spoken: Spoken): Turn | undefined {
  let best: { entry: Turn; ms: number } | undefined
  for (const { entry, side, from, to } of turns) {
    if (from - TOLERANCE_MS > spoken.to) break
    if (side !== spoken.side) continue
    const ms = Math.min(to + TOLERANCE_MS, spoken.to) - Math.max(from - TOLERANCE_MS, spoken.from)
    if (ms > (best?.ms ?? 0)) best = { entry, ms }
  }
  return best?.entry
}
