import { randomUUID } from 'node:crypto'
import { MAX_RUNNING, RUNS_KEPT, RUNS_PER_HOUR, TOO_MANY_RUNS, t } from '@switchroom/contract'
import type * as applications from '../../applications/queries.ts'
import { auditEvent } from '../../audit/audited.ts'
import type { Actor } from '../../audit/record.ts'
import { transaction } from '../../db/transaction.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { hourly } from '../../live/hourly.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import * as testCases from '../test-cases/queries.ts'
import { type NewRun, playRun } from './play.ts'
import * as runs from './queries.ts'
import { keepNewest } from './remove.ts'

/** In this process, of all accounts: each may hold some 2 MB. */
const MAX_HERE = 300

type Application = NonNullable<Awaited<ReturnType<typeof applications.view>>>
type Subject = Pick<Parameters<typeof auditEvent>[1], 'kind' | 'sid' | 'subject'>

/**
 * Begins runs of an application, all or none, and resolves to their sids in this order. They continue in the
 * background. Throws 429 if the account or this process has too many.
 */
export async function beginRuns(
  actor: Actor & { ctx: Context },
  application: Application,
  subject: Subject,
  wanted: readonly NewRun[],
): Promise<string[]> {
  const { ctx, scope } = actor
  const { application_sid, account_sid } = application
  if (ctx.memory.runs.size + wanted.length > MAX_HERE) throw tooMany()
  const account = account_sid ? await accounts.stored(ctx.db, scope, account_sid) : undefined
  await countRuns(ctx, account_sid, wanted.length)
  const begun = wanted.map((run) => ({ ...run, run_sid: randomUUID() }))
  await transaction(
    ctx.db,
    async (tx) => {
      if ((await runs.countRunning(tx, account_sid)) + wanted.length > MAX_RUNNING) throw tooMany()
      for (const run of begun) {
        const { run_sid, start, repeats, expectations, simulation } = run
        const { test_case_sid = null, suite_sid = null } = run
        await runs.insert(tx, {
          ...{ run_sid, application_sid, account_sid, test_case_sid, suite_sid },
          repeats: repeats ?? null,
          begun_at: new Date().toISOString(),
          start: JSON.stringify(start),
          ...{ step_count: 0, problems: 0, question: null, answer: null, is_stopped: 0 },
          expectations: expectations ? JSON.stringify(expectations) : null,
          ...{ ended: null, outcomes: null, is_passed: null },
        })
        await simulation?.insert(tx, run_sid)
        if (test_case_sid) await testCases.setLatestRun(tx, test_case_sid, run_sid)
      }
      await keepNewest(tx, application_sid, RUNS_KEPT)
    },
    { lock: `runs:${account_sid}` },
  )
  await auditEvent(actor, { action: 'send', ...subject })
  const webhook_secret = account?.webhook_secret ?? null
  for (const run of begun) playRun(ctx, { ...application, webhook_secret }, run)
  return begun.map(({ run_sid }) => run_sid)
}

const tooMany = () => new Failure('too_many', TOO_MANY_RUNS, { retry_after: 10 })

async function countRuns(ctx: Context, account_sid: string | null, count: number) {
  for (let i = 0; i < count; i += 1) {
    const retry_after = await hourly(ctx, `runs:${account_sid}`, RUNS_PER_HOUR)
    if (retry_after > 0)
      throw new Failure(
        'too_many',
        t('There can be at most {limit} runs per hour. Try again later.', { limit: RUNS_PER_HOUR }),
        { retry_after },
      )
  }
}
