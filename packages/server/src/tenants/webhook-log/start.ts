import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { every } from '../../live/every.ts'

const HOUR_MS = 3_600_000
const KEPT_MS = 7 * 24 * HOUR_MS
const BATCH = 500

/** Deletes requests that are a week old, a few at a time. */
export async function deleteOld(db: Db, now = Date.now()) {
  const until = new Date(now - KEPT_MS).toISOString()
  for (;;) {
    const old = await db
      .selectFrom('switchroom_webhook_requests')
      .select('webhook_request_sid')
      .where('at', '<', until)
      .limit(BATCH)
      .execute()
    if (old.length === 0) return
    const sids = old.map((r) => r.webhook_request_sid)
    await db
      .deleteFrom('switchroom_webhook_requests')
      .where('webhook_request_sid', 'in', sids)
      .execute()
  }
}

/** Deletes old requests once an hour, by one process. `stop` waits for requests that are being written. */
export function startWebhookLog({ db, live, log, memory }: Context) {
  const pruning = every(
    HOUR_MS / 4,
    async () => {
      const hour = Math.floor(Date.now() / HOUR_MS)
      const turn = await live.increment(`switchroom:webhook-log-prune:${hour}`, 2 * 3_600)
      if (turn === 1) await deleteOld(db)
    },
    { onError: (err) => log.error({ err }, 'old requests to webhooks could not be deleted') },
  )
  return { stop: () => Promise.all([pruning.stop(), memory.webhookLog.latest]) }
}
