import type { Context } from '../context.ts'
import { settleDue, sweep } from './settle.ts'

const PAUSE_MS = 3_000
const SWEEP_MS = 10 * 60_000

/** Settles what is due, at once and every few seconds, until stopped; `stop` waits for what is under way. */
export function startBilling(ctx: Context) {
  if (!ctx.payments) return { stop: async () => {} }
  let stopped = false
  let said = false
  let swept = 0
  let timer: NodeJS.Timeout | undefined
  const turn = async () => {
    try {
      if (Date.now() - swept > SWEEP_MS) {
        await sweep(ctx)
        swept = Date.now()
      }
      await settleDue(ctx)
      said = false
    } catch (err) {
      if (!said) ctx.log.error({ err }, 'subscriptions cannot be looked after')
      said = true
    }
    if (!stopped)
      timer = setTimeout(() => {
        running = turn()
      }, PAUSE_MS).unref()
  }
  let running = turn()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
