import { failureLog } from '../failure-log.ts'
import { readHep } from './hep.ts'
import { RecentInvites } from './recent-invites.ts'
import type { Segments } from './segments.ts'
import type { Captured } from './store.ts'

const WAIT_MS = 100
const AT_ONCE = 1_000

/** Receives frames of agents and counts them. */
export class Intake {
  #segments: Segments
  #key: string | undefined
  #waiting: Captured[] = []
  readonly recent = new RecentInvites()
  #timer: NodeJS.Timeout | undefined
  #storing = failureLog('Storing SIP captures')
  #messages: Record<string, number> = { sip: 0, rtcp: 0 }
  #dropped: Record<string, number> = {
    unreadable: 0,
    unauthorised: 0,
    other_protocol: 0,
    too_many: 0,
    not_written: 0,
  }

  constructor(segments: Segments, key: string | undefined) {
    this.#segments = segments
    this.#key = key
  }

  take(frame: Buffer) {
    const read = readHep(frame, this.#key)
    if (typeof read === 'string') return this.drop(read)
    this.recent.note(read)
    this.#waiting.push(read)
    if (this.#waiting.length >= AT_ONCE) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), WAIT_MS)
  }

  drop(reason: string, n = 1) {
    this.#dropped[reason] = (this.#dropped[reason] ?? 0) + n
  }

  /** Writes pending messages in one transaction. Senders get no errors, so failures are counted and logged. */
  flush() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const messages = this.#waiting
    this.#waiting = []
    if (messages.length === 0) return
    try {
      this.drop('too_many', this.#segments.write(messages))
      for (const { kind } of messages) this.#messages[kind]!++
      this.#storing.worked()
    } catch (e) {
      this.drop('not_written', messages.length)
      this.#storing.failed(e)
    }
  }

  counts = () => ({ messages: { ...this.#messages }, dropped: { ...this.#dropped } })
}
export type CaptureMetrics = ReturnType<Intake['counts']> & { bytes: number }
