import { t } from '@switchroom/contract'
import { type Limits, RunOver } from './limits.ts'

/** The clock of a run: requests take the time they really take, all else passes at once. */
export type Clock = {
  /** Milliseconds since the start of the run. */
  now: () => number
  /** Lets time pass that nobody needs to wait for. */
  spend: (ms: number) => void
  /** Waits, and lets as much time pass on the clock as it really took. */
  measure: <T>(work: Promise<T>) => Promise<T>
  /** Waits for what takes no time on the clock, since the call does not wait for it. */
  aside: <T>(work: Promise<T>) => Promise<T>
}

export function runClock({ clock_ms, real_ms }: Pick<Limits, 'clock_ms' | 'real_ms'>): Clock {
  let now = 0
  let real = 0
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
  return {
    now: () => Math.round(now),
    spend,
    async measure(work) {
      const { value, ms } = await timed(work)
      spend(ms)
      return value
    },
    aside: async (work) => (await timed(work)).value,
  }
}
