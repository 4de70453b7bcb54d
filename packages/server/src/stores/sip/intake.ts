import { failureLog } from '../kit/failure-log.ts'
import { readHep } from './hep.ts'
import { RecentInvites } from './recent-invites.ts'
import type { Captured } from './store.ts'

const WAIT_MS = 100
const AT_ONCE = 1_000

/** Stores messages. Returns or resolves to how many were left out because their Call-ID has too many. */
export type Write = (messages: Captured[]) => number | Promise<number>

/** Receives frames of agents and counts them. */
export class Intake {
  #write: Write
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

  constructor(write: Write, key: string | undefined) {
    this.#write = write
    this.#key = key
  }

  take(frame: Buffer) {
    const read = readHep(frame, this.#key)
    if (typeof read === 'string') return this.drop(read)
    this.recent.note(read)
    this.#waiting.push(read)
    if (this.#waiting.length >= AT_ONCE) void this.flush()
    else this.#timer ??= setTimeout(() => void this.flush(), WAIT_MS)
  }

  drop(reason: string, n = 1) {
    this.#dropped[reason] = (this.#dropped[reason] ?? 0) + n
  }

  /** Writes pending messages at once. Senders get no errors, so failures are counted and logged. Never rejects. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const messages = this.#waiting
    this.#waiting = []
    if (messages.length === 0) return
    try {
      this.drop('too_many', await this.#write(messages))
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
