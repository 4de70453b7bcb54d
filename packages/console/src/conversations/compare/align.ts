import type { ConversationEntry } from '@switchroom/contract'
import { MOST, type Step, stepReader, worthOf } from './likeness'

/** Indexes of two entries shown side by side; null on the side that lacks the step. */
export type Pair = { a: number; b: number } | { a: number; b: null } | { a: null; b: number }

type Worth = typeof worthOf

/** Steps of each call compared at a time, so that the work grows linearly. */
const WINDOW = 240

/**
 * Pairs the steps of two calls, in order. Picks the alignment of the greatest worth within a window that moves along
 * both.
 */
export function align(
  a: readonly ConversationEntry[],
  b: readonly ConversationEntry[],
  worth: Worth = worthOf,
): Pair[] {
  const stepOf = stepReader()
  const [left, right] = [a.map(stepOf), b.map(stepOf)]
  const pairs: Pair[] = []
  let [i, j] = [0, 0]
  while (i < left.length && j < right.length) {
    // no alignment is worth more than one that begins with the same step
    if (worth(left[i]!, right[j]!) === MOST[left[i]!.kind]) {
      pairs.push({ a: i++, b: j++ })
      continue
    }
    const [ofA, ofB] = [left.slice(i, i + WINDOW), right.slice(j, j + WINDOW)]
    const isLast = i + ofA.length === left.length && j + ofB.length === right.length
    // further on in the window, what comes after it may decide otherwise
    const until = isLast ? Number.POSITIVE_INFINITY : i + j + WINDOW
    for (const pair of best(ofA, ofB, worth)) {
      if (i + j >= until) break
      pairs.push(
        pair === 'both' ? { a: i, b: j } : pair === 'a' ? { a: i, b: null } : { a: null, b: j },
      )
      if (pair !== 'b') i++
      if (pair !== 'a') j++
    }
  }
  for (; i < left.length; i++) pairs.push({ a: i, b: null })
  for (; j < right.length; j++) pairs.push({ a: null, b: j })
  return pairs
}

/** The alignment of the greatest worth through two windows: the next step of both, or of one alone. */
function* best(
  a: readonly Step[],
  b: readonly Step[],
  worthOf: Worth,
): Generator<'both' | 'a' | 'b'> {
  const width = b.length + 1
  // the worth of what is left from each place on, and of the pair there
  const left = new Uint16Array((a.length + 1) * width)
  const worth = new Uint8Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const at = i * width + j
      const own = worthOf(a[i]!, b[j]!)
      worth[at] = own
      left[at] = Math.max(
        own > 0 ? own + left[at + width + 1]! : 0,
        left[at + width]!,
        left[at + 1]!,
      )
    }
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    const at = i * width + j
    const own = worth[at]!
    const way =
      own > 0 && left[at] === own + left[at + width + 1]!
        ? 'both'
        : left[at + width]! >= left[at + 1]!
          ? 'a'
          : 'b'
    if (way !== 'b') i++
    if (way !== 'a') j++
    yield way
  }
  for (; i < a.length; i++) yield 'a'
  for (; j < b.length; j++) yield 'b'
}
