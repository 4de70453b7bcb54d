import { RowBinary } from '../../clickhouse/row-binary.ts'
import type { VoiceCall } from '../store.ts'

/** Place of a kept call, and the write that put it there. Of several writes the one with the largest `gen` counts. */
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
 * Generation of a write, for choosing between two writes of a trace: the one whose last spans came later has seen more
 * of it and counts. If these are the same, the later write counts.
 */
export function genOf({ came }: VoiceCall, now: number): bigint {
  const seen = Math.max(0, Math.floor(came ?? now))
  const delay = Math.min(MAX_DELAY, Math.max(0, Math.floor(now) - seen))
  // the last bit is for taking a write back
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

/** Writes the place of a call, and the write that put it there. */
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

  /** Takes back the call kept at this place. */
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
