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

/** The call that a message announces; undefined for others. The platform's own legs have a parent. */
export function inviteOf({
  kind,
  call_id,
  parent,
  bytes,
}: Captured): Omit<Invite, 'at'> | undefined {
  const isInvite =
    kind === 'sip' &&
    parent === null &&
    Buffer.from(bytes.buffer, bytes.byteOffset, 7).toString('latin1') === 'INVITE '
  const sip = isInvite ? parseSip(textOf(bytes)) : undefined
  if (!sip || kindOfMethod(sip.method) !== 'call') return undefined
  // a call that is established, which renews or changes its session
  if (/;\s*tag=/i.test(sip.header('To') ?? '')) return undefined
  return { call_id, from: userOf(sip.header('From')), to: userOf(sip.uri) }
}

/** The newest calls whose INVITE came in, for those who wait for one that has no record yet. */
export class RecentInvites {
  #calls = new Map<string, Invite>()

  note(message: Captured) {
    if (this.#calls.has(message.call_id)) return
    const invite = inviteOf(message)
    if (!invite) return
    this.#calls.set(invite.call_id, { ...invite, at: Date.now() })
    if (this.#calls.size > KEPT) this.#calls.delete(this.#calls.keys().next().value!)
  }

  /** Newest first. */
  since = (at: number): Invite[] => [...this.#calls.values()].filter((c) => c.at >= at).reverse()
}
