import { RowBinary } from '../../clickhouse/row-binary.ts'
import type { VoiceCall } from '../store.ts'

/** Where a call is kept, and by what write. Of the writes of one place the one with the largest `gen` counts. */
export type Place = {
  trace_id: string
  service_provider_sid: string
  account_sid: string
  /** In nanoseconds since 1970. */
  at: bigint
  gen: bigint
}

const MS = 1_000_000n
/** Half an hour in milliseconds. */
const MAX_DELAY = 2 ** 21 - 1

/**
 * Of two writes of a trace, the one counts that has seen more of it: whose last spans came later. If these are the same,
 * the later write.
 */
export function genOf({ came }: VoiceCall, now: number): bigint {
  const seen = Math.max(0, Math.floor(came ?? now))
  const delay = Math.min(MAX_DELAY, Math.max(0, Math.floor(now) - seen))
  // the last bit is for what takes a write back
  return (BigInt(seen) << 22n) | (BigInt(delay) << 1n)
}

/** The place of a call. */
export const placeOf = (one: VoiceCall, now: number): Place => ({
  trace_id: one.trace_id,
  service_provider_sid: one.call.service_provider_sid ?? '',
  account_sid: one.call.account_sid ?? '',
  at: BigInt(Date.parse(one.call.attempted_at)) * MS,
  gen: genOf(one, now),
})

/** Writes where a call is kept, and by what write. */
export function addPlace(
  to: RowBinary,
  { service_provider_sid, account_sid, at, trace_id, gen }: Place,
) {
  to.text(service_provider_sid)
  to.text(account_sid)
  to.int64(at)
  to.raw(Buffer.from(trace_id, 'hex'))
  to.uint64(gen)
}

/** Rows of `voice_calls`. */
export class VoiceRows {
  #to = new RowBinary()

  view = () => this.#to.view()

  #addPlace(place: Place, gone: 0 | 1) {
    addPlace(this.#to, place)
    this.#to.uint8(gone)
  }

  add({ call, counts }: VoiceCall, place: Place) {
    const to = this.#to
    this.#addPlace(place, 0)
    to.textOrNull(call.application_sid)
    to.text(call.trunk ?? '')
    to.text(call.direction ?? '')
    to.text(call.answered === null ? '' : String(call.answered))
    to.int32OrNull(call.sip_status)
    for (const text of [call.call_sid, call.sip_callid, call.from, call.to]) to.textOrNull(text)
    to.text(JSON.stringify(call))
    for (const name of ['by', 'key', 'measure'] as const) {
      to.size(counts.length)
      for (const count of counts) to.text(count[name])
    }
    for (const name of ['value', 'n'] as const) {
      to.size(counts.length)
      for (const count of counts) to.float64(count[name])
    }
  }

  /** What was kept at this place does not count any more. */
  addGone(place: Place) {
    const to = this.#to
    this.#addPlace(place, 1)
    to.textOrNull(null)
    for (let tags = 0; tags < 3; tags++) to.text('')
    to.int32OrNull(null)
    for (let texts = 0; texts < 4; texts++) to.textOrNull(null)
    to.text('')
    for (let arrays = 0; arrays < 5; arrays++) to.size(0)
  }
}
