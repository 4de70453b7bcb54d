import type { Context } from '../../http/context.ts'
import { every } from '../../live/every.ts'

const PAUSE_MS = 20_000

/** Counts the calls of phone numbers, applications and SIP clients. The code is loaded at its first run. */
export const startLatestCalls = (ctx: Context) =>
  every(PAUSE_MS, async () => (await import('./count.ts')).countLatestCalls(ctx), {
    onError: (err) => ctx.log.error({ err }, 'calls of numbers could not be counted'),
  })
