import type { VoiceFigures } from '@switchroom/contract'
import type { Ends } from '../../calls/call-span'

export type Slot = VoiceFigures['times'][number]

/** The period of figures, whose end is exclusive, with an inclusive end as lists take it. */
export const endsOf = ({ from, until }: { from: string; until: string }): Ends => ({
  start: Date.parse(from),
  end: Date.parse(until) - 1,
})

/** A time in a chart. */
export type Timed = { time: string; until: string }

/** Position and width of each time slot in a chart, from 0 to 1. */
export function placesOf<S extends Timed>(times: readonly S[]) {
  const first = Date.parse(times[0]?.time ?? '')
  const length = Date.parse(times.at(-1)?.until ?? '') - first
  return times.map((slot) => {
    const from = Date.parse(slot.time) - first
    const until = Date.parse(slot.until) - first
    return { slot, left: from / length, width: (until - from) / length }
  })
}

/** A line for each run of adjacent slots with a value: empty hours and unknown times interrupt it. */
export function linesOf<S extends Timed, P extends { slot: S }>(
  places: readonly P[],
  valueIn: (slot: P['slot']) => number | null,
): { place: P; value: number }[][] {
  const lines: { place: P; value: number }[][] = []
  let end: string | undefined
  for (const place of places) {
    const value = valueIn(place.slot)
    const line = end === place.slot.time ? lines.at(-1) : undefined
    end = value === null ? undefined : place.slot.until
    if (value === null) continue
    if (line) line.push({ place, value })
    else lines.push([{ place, value }])
  }
  return lines
}

/** At most five round values, from 0 to at least the highest. */
export function scaleOf(highest: number): number[] {
  if (!(highest > 0)) return [0, 1]
  const power = 10 ** Math.floor(Math.log10(highest / 4))
  const step = [1, 2, 5, 10].map((n) => n * power).find((step) => step * 4 >= highest) ?? highest
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, i) => i * step)
}
