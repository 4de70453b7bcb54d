import { type Call, decimalText, type SipLadder, t } from '@switchroom/contract'
import type { Span, SpanTree } from '../tracing/spans'

/** The span that starts with the recording, and the one that starts when the call is answered. */
const RECORDING_SPAN = 'background-record:listen'
const ANSWER_SPAN = 'call-status:in-progress'
/** A trace begins when the call has reached the application: later than the INVITE, by less than this. */
const ROUTED_WITHIN_MS = 2_000
/** Both see the answer within this time. */
const ANSWERED_WITHIN_MS = 1_000

/** A span's start in milliseconds since 1970. */
export const startOf = ({ began }: Span) => Number(began / 1_000n) / 1_000

export function* spansOf(roots: readonly Span[]): Generator<Span> {
  const waiting = [...roots]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next
    waiting.push(...next.children)
  }
}

export const isRecording = ({ name }: Span) => name.includes(RECORDING_SPAN)

function first(tree: SpanTree, isIt: (span: Span) => boolean): number | undefined {
  let found: number | undefined
  for (const span of spansOf(tree.roots)) {
    const at = startOf(span)
    if (isIt(span) && (found === undefined || at < found)) found = at
  }
  return found
}

const answerOf = ({ messages }: SipLadder) => {
  const answer = messages.find(
    (m) =>
      m.leg === 0 &&
      m.method === 'INVITE' &&
      m.status !== null &&
      m.status < 300 &&
      m.status >= 200,
  )
  return answer && answer.at / 1_000
}

export type Alignment = {
  /** Milliseconds to add to the trace's times. */
  shift: number
  /** Start of the sound; undefined if nothing shows it. */
  recording: number | undefined
  /** Notes on how the sources were aligned, and how certain that is. The last is about the recording. */
  notes: string[]
}

const seconds = (ms: number) => `${decimalText(Math.abs(ms) / 1_000)} s`

/** Puts the sources of a call on one time axis: the capture's clock, or the trace's without a capture. */
export function align(
  call: Pick<Call, 'answered_at' | 'attempted_at'>,
  ladder: SipLadder | undefined,
  tree: SpanTree | undefined,
): Alignment {
  const notes: string[] = []
  const shift = ladder && tree ? shiftOf(ladder, tree, notes) : 0
  const recorded = tree && first(tree, isRecording)
  const answered = ladder && answerOf(ladder)
  if (recorded !== undefined) {
    notes.push(t('Recording start is taken from the trace.'))
    return { shift, recording: recorded + shift, notes }
  }
  const known = answered ?? (call.answered_at === null ? undefined : Date.parse(call.answered_at))
  notes.push(
    known === undefined
      ? t('Recording start is not known. It is drawn from the start of the call.')
      : answered === undefined
        ? t(
            'Recording start is taken from the answer in the call record. It may be off by a second.',
          )
        : t(
            'Recording start is taken from the answer in the SIP capture. It may be off by a second.',
          ),
  )
  return { shift, recording: known ?? Date.parse(call.attempted_at), notes }
}

function shiftOf(ladder: SipLadder, tree: SpanTree, notes: string[]): number {
  const answered = answerOf(ladder)
  const inProgress = first(tree, ({ name }) => name === ANSWER_SPAN)
  const invited = ladder.messages.find((m) => m.leg === 0 && m.method === 'INVITE')
  const begun = first(tree, () => true)
  const isAnswer = answered !== undefined && inProgress !== undefined
  const ahead = isAnswer
    ? inProgress - answered
    : invited && begun !== undefined
      ? begun - invited.at / 1_000
      : undefined
  if (ahead === undefined) return 0
  const isSame = isAnswer
    ? Math.abs(ahead) <= ANSWERED_WITHIN_MS
    : ahead >= -ANSWERED_WITHIN_MS && ahead <= ROUTED_WITHIN_MS
  if (isSame) {
    notes.push(t('SIP and trace are placed at the times their servers reported.'))
    return 0
  }
  notes.push(isAnswer ? atAnswer(ahead) : atInvite(ahead))
  return -ahead
}

function atAnswer(ahead: number): string {
  const time = seconds(ahead)
  return ahead > 0
    ? t('The trace’s clock is {time} ahead of the capture’s. They are matched at the answer.', {
        time,
      })
    : t('The trace’s clock is {time} behind the capture’s. They are matched at the answer.', {
        time,
      })
}

function atInvite(ahead: number): string {
  const time = seconds(ahead)
  return ahead > 0
    ? t(
        'The trace’s clock is {time} ahead of the capture’s. They are matched at the INVITE, which is uncertain by a second or two.',
        { time },
      )
    : t(
        'The trace’s clock is {time} behind the capture’s. They are matched at the INVITE, which is uncertain by a second or two.',
        { time },
      )
}
