import type { Context } from '../../http/context.ts'
import { every } from '../../live/every.ts'

const LOOK_MS = 20_000

/** Scores calls of applications that want it, until stopped. */
export function startScoring(ctx: Context) {
  const stopping = new AbortController()
  const loop = every(
    LOOK_MS,
    // few servers need it, and not as they start
    async () => (await import('./score-calls.ts')).scoreCalls(ctx, stopping.signal),
    { onError: (err) => ctx.log.error({ err }, 'calls cannot be scored') },
  )
  return {
    async stop() {
      stopping.abort()
      await loop.stop()
    },
  }
}
