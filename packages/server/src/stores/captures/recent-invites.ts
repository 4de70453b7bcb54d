import { kindOfMethod, parseSip, textOf } from './sip.ts'
import type { Captured, Invite } from './store.ts'

/** How many are remembered: a call that is waited for is among the newest. */
const KEPT = 200
const MAX_PART = 128

const userOf = (uri: string | undefined) => {
  const user = /sips?:([^@;>]+)@/i.exec(uri ?? '')?.[1]
  return user === undefined ? null : decoded(user).slice(0, MAX_PART)
}
const decoded = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The newest calls whose INVITE came in, for those who wait for one that has no record yet. */
export class RecentInvites {
  #calls = new Map<string, Invite>()

  note({ kind, call_id, parent, bytes }: Captured) {
    const isInvite =
      kind === 'sip' &&
      Buffer.from(bytes.buffer, bytes.byteOffset, 7).toString('latin1') === 'INVITE '
    // the platform's own legs have a parent
    if (!isInvite || parent !== null || this.#calls.has(call_id)) return
    const sip = parseSip(textOf(bytes))
    if (!sip || kindOfMethod(sip.method) !== 'call') return
    this.#calls.set(call_id, {
      call_id,
      at: Date.now(),
      from: userOf(sip.header('From')),
      to: userOf(sip.uri),
    })
    if (this.#calls.size > KEPT) this.#calls.delete(this.#calls.keys().next().value!)
  }

  /** Newest first. */
  since = (at: number): Invite[] => [...this.#calls.values()].filter((c) => c.at >= at).reverse()
}
