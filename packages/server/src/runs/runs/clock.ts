import { setTimeout as pause } from 'node:timers/promises'
import { t } from '@switchroom/contract'
import { type Limits, RunOver } from './limits.ts'

/** The clock of a run: requests take the time they really take, all else passes at once where nobody may speak meanwhile. */
export type Clock = {
  /** Milliseconds since the start of the run. */
  now: () => number
  /** Milliseconds of these in which nobody waited for the application: pauses, timeouts, conversations. */
  idle: () => number
  /** Lets time pass at once that the application is the reason for. */
  spend: (ms: number) => void
  /** Lets time pass at once in which nobody waits for the application. */
  pass: (ms: number) => void
  /** Really waits as long, within the limits, and resolves to the rest. What it was cut after counts as the application's time. */
  wait: (ms: number, signal: AbortSignal) => Promise<number>
  /** Waits, and lets as much time pass on the clock as it really took. */
  measure: <T>(work: Promise<T>) => Promise<T>
  /** Waits for what takes no time on the clock, since the call does not wait for it. */
  aside: <T>(work: Promise<T>) => Promise<T>
}

export function runClock({
  clock_ms,
  real_ms,
  lapse_ms,
  lapses_ms,
}: Pick<Limits, 'clock_ms' | 'real_ms' | 'lapse_ms' | 'lapses_ms'>): Clock {
  let now = 0
  let idle = 0
  let real = 0
  let lapses = 0
  /** Since when time passes that is not on the clock yet, and at most how much of it will be. */
  let running: { since: number; most: number } | undefined
  const live = () => {
    if (!running) return 0
    return Math.min(performance.now() - running.since, running.most)
  }
  /** What happens meanwhile is told at its own time. */
  const whileRunning = async <T>(most: number, work: Promise<T>) => {
    if (running) return work
    const ours = { since: performance.now(), most }
    running = ours
    try {
      return await work
    } finally {
      running = undefined
    }
  }
  const spend = (ms: number) => {
    now += ms
    if (now <= clock_ms) return
    now = clock_ms
    throw new RunOver(
      t('Limit reached: the call would last longer than {minutes} minutes. The run ends here.', {
        minutes: Math.round(clock_ms / 60_000),
      }),
    )
  }
  const timed = async <T>(work: Promise<T>) => {
    const began = performance.now()
    try {
      const value = await work
      return { value, ms: performance.now() - began }
    } finally {
      real += performance.now() - began
      if (real > real_ms)
        // biome-ignore lint/correctness/noUnsafeFinally: the limit counts whatever comes of the work
        throw new RunOver(
          t(
            'Limit reached: the application took {seconds} seconds to respond to all requests. The run ends here.',
            {
              seconds: real_ms / 1_000,
            },
          ),
        )
    }
  }
  const pass = (ms: number) => {
    idle = Math.min(clock_ms, idle + ms)
    spend(ms)
  }
  return {
    now: () => Math.round(Math.min(clock_ms, now + live())),
    idle: () => Math.round(idle),
    spend,
    pass,
    async wait(ms, signal) {
      const most = Math.min(ms, lapse_ms, lapses_ms - lapses)
      if (most <= 0) return ms
      const began = performance.now()
      await whileRunning(most, untilAborted(most, signal))
      const took = Math.min(performance.now() - began, most)
      lapses += took
      if (signal.aborted) spend(took)
      else pass(most)
      return ms - most
    },
    async measure(work) {
      const { value, ms } = await whileRunning(clock_ms, timed(work))
      spend(ms)
      return value
    },
    aside: async (work) => (await timed(work)).value,
  }
}

async function untilAborted(ms: number, signal: AbortSignal) {
  await pause(ms, undefined, { signal }).catch(() => undefined)
}
