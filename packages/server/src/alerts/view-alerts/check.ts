import { databaseNow } from '../../db/clock.ts'
import type { Context } from '../../http/context.ts'
import { takeDue } from './queries.ts'

/** Checked by one process at a time; the rest is the next pass's. */
const AT_ONCE = 50

type Checking = Pick<Context, 'db' | 'stores' | 'log'>

/**
 * Checks the alerts of saved views that are due, each by one process at a time. Resolves to how many were checked.
 * Problems that users can fix are noted in the alert. Throws the first other error, after all were checked.
 */
export async function checkViewAlerts(ctx: Checking, at?: number): Promise<number> {
  const now = at ?? (await databaseNow(ctx.db))
  const due = await takeDue(ctx.db, now, AT_ONCE)
  if (due.length === 0) return 0
  const { check } = await import('./check-one.ts')
  const failures: unknown[] = []
  // one that fails holds up none of the others
  for (const row of due) await check(ctx, row, now).catch((e: unknown) => failures.push(e))
  if (failures.length > 0) throw failures[0]
  return due.length
}
