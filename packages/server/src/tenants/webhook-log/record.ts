import { insertMany } from '../../db/insert-many.ts'
import type { Db, Tables } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'

export type Row = Tables['switchroom_webhook_requests']

/** Requests of one account, or of one provider without its accounts, that are kept. */
export const KEPT_ROWS = 1_000
/** Additional rows before the oldest ones are deleted. */
const PRUNED_AFTER = 100
/** Most waiting rows. Only a database that is down makes more wait. */
const MAX_WAITING = 1_000

export type Recording = Pick<Context, 'db' | 'memory' | 'health' | 'log'>

/**
 * Writes a request into the log, together with others of the same time. Never throws: failures are counted, and the
 * first one is logged. Callers need not wait.
 */
export function record(ctx: Recording, row: Row): Promise<void> {
  const log = ctx.memory.webhookLog
  if (log.waiting >= MAX_WAITING) {
    ctx.health.count('webhook_log_total', 'dropped')
    return Promise.resolve()
  }
  log.waiting += 1
  log.latest = log
    .rows('', row, async (take) => {
      const rows = take()
      await write(ctx, rows)
      return rows.map(() => ({ result: undefined }))
    })
    .then(
      () => {
        log.isFailing = false
        ctx.health.count('webhook_log_total', 'written')
      },
      (err: unknown) => {
        ctx.health.count('webhook_log_total', 'failed')
        if (!log.isFailing) ctx.log.error({ err }, 'requests to webhooks cannot be logged')
        log.isFailing = true
      },
    )
    .finally(() => {
      log.waiting -= 1
    })
  return log.latest
}

async function write({ db, memory: { webhookLog } }: Recording, rows: Row[]) {
  await nameProviders(db, rows)
  await insertMany(db, 'switchroom_webhook_requests', rows)
  for (const { owner } of rows) {
    const since = webhookLog.sincePruned.get(owner)
    webhookLog.sincePruned.set(owner, (since ?? PRUNED_AFTER) + 1)
  }
  for (const owner of new Set(rows.map((row) => row.owner))) {
    if ((webhookLog.sincePruned.get(owner) ?? 0) <= PRUNED_AFTER) continue
    await keepNewest(db, owner)
    webhookLog.sincePruned.set(owner, 0)
  }
}

/** Rows of an account name its provider as well, which their writers may not know. */
async function nameProviders(db: Db, rows: Row[]) {
  const nameless = rows.filter((r) => r.account_sid !== null && r.service_provider_sid === null)
  if (nameless.length === 0) return
  const accounts = await db
    .selectFrom('accounts')
    .select(['account_sid', 'service_provider_sid'])
    .where('account_sid', 'in', [...new Set(nameless.flatMap((r) => r.account_sid ?? []))])
    .execute()
  const providerOf = new Map(accounts.map((a) => [a.account_sid, a.service_provider_sid]))
  for (const row of nameless)
    row.service_provider_sid = providerOf.get(row.account_sid ?? '') ?? null
}

/** Deletes all but the newest requests of an owner. */
export async function keepNewest(db: Db, owner: string, count = KEPT_ROWS) {
  const oldest = await db
    .selectFrom('switchroom_webhook_requests')
    .select('at')
    .where('owner', '=', owner)
    .orderBy('at', 'desc')
    .offset(count)
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return
  await db
    .deleteFrom('switchroom_webhook_requests')
    .where('owner', '=', owner)
    .where('at', '<=', oldest.at)
    .execute()
}
