import {
  decimalText,
  type SipFigures,
  type SipMessage,
  type SipParty,
  t,
} from '@switchroom/contract'
import { keysOf } from '../../../lib/records'

export const partyText = ({ address, port }: SipParty) =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`

/** Time since the first message, to the millisecond. */
export function sinceText(at: number, begun: number): string {
  const ms = Math.max(0, Math.round((at - begun) / 1_000))
  const s = Math.floor(ms / 1_000)
  const rest = String(ms % 1_000).padStart(3, '0')
  if (s < 60) return `+${s}.${rest} s`
  return `+${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}.${rest}`
}

const NAMES: Record<keyof SipFigures, string> = {
  post_dial_delay: t('Post-dial delay'),
  ringing: t('Ringing'),
  talking: t('Talking'),
}

/** Post-dial delay, ringing and talking time, where the capture shows them. */
export const figuresOf = (figures: SipFigures): { name: string; text: string }[] =>
  keysOf(NAMES).flatMap((key) => {
    const ms = figures[key]
    return ms === null ? [] : [{ name: NAMES[key], text: `${decimalText(ms / 1_000)} s` }]
  })

export type Tone = 'ok' | 'warn' | 'bad' | 'off' | 'ask'

/** An authentication challenge is not a failure yet. */
export function toneOf({ status }: SipMessage): Tone {
  if (status === null) return 'ask'
  if (status < 200) return 'off'
  if (status < 300) return 'ok'
  return status === 401 || status === 407 || status < 400 ? 'warn' : 'bad'
}

export type Row = {
  message: SipMessage
  /** Number of retransmissions, and the time until the last, in microseconds. */
  again: number
  lasted: number
}

/** A row per message. Retransmissions have rows too with `all`, else the first one counts them. */
export function rowsOf(messages: readonly SipMessage[], all: boolean): Row[] {
  const repeated = new Map<number, SipMessage[]>()
  for (const m of messages) {
    if (m.repeats === null) continue
    const others = repeated.get(m.repeats)
    if (others) others.push(m)
    else repeated.set(m.repeats, [m])
  }
  return messages
    .filter((m) => all || m.repeats === null)
    .map((message) => {
      const again = repeated.get(message.id) ?? []
      return { message, again: again.length, lasted: (again.at(-1)?.at ?? message.at) - message.at }
    })
}
