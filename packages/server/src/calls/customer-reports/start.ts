import type { Context } from '../../http/context.ts'
import { every } from '../../live/every.ts'

const LOOK_MS = 60_000

/** Mails the reports of customers that are due, until stopped. */
export const startReportMails = (ctx: Context) =>
  every(
    LOOK_MS,
    // late, as few servers send any
    async () => (await import('./send.ts')).sendDue(ctx),
    { onError: (err) => ctx.log.error({ err }, 'monthly reports could not be mailed') },
  )
