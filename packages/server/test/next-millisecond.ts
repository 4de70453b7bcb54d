import { steadyNow } from '../src/db/clock.ts'

/** Blocks until the clock shows another millisecond, for things that differ by their time. */
export function nextMillisecond() {
  const until = steadyNow() + 2
  while (steadyNow() < until) {
    // a timer would take as long as the machine likes
  }
}
