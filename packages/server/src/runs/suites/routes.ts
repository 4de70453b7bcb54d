import { randomUUID } from 'node:crypto'
import { type api, NO_CALLS_TO_PLAY, SUITES_KEPT, t } from '@switchroom/contract'
import * as applications from '../../applications/queries.ts'
import { callsOwner } from '../../calls/recent-calls/queries.ts'
import { transaction } from '../../db/transaction.ts'
import { Failure, found } from '../../http/failure.ts'
import type { Handlers } from '../../http/serve.ts'
import * as runs from '../runs/queries.ts'
import * as suites from './queries.ts'

export const suiteRoutes: Handlers<typeof api.suites> = {
  async list({ params: { application_sid }, query, scope, ctx: { db } }) {
    found(await applications.find(db, scope, application_sid), t('application'))
    return suites.list(db, scope, application_sid, query)
  },

  async begin({ params: { application_sid }, body: { start, end, calls: count }, ...actor }) {
    const { ctx, scope } = actor
    const application = found(
      await applications.view(ctx, scope, application_sid),
      t('application'),
    )
    const { account_sid } = application
    const owner = await callsOwner(ctx, scope, account_sid ? { account_sid } : {})
    // few starts need it
    const { expectationForReplay, selectReplayableCalls } = await import('./select-calls.ts')
    const span = { from: Date.parse(start), to: Date.parse(end) }
    const { calls, ...counts } = await selectReplayableCalls(
      ctx,
      { ...owner, ...span, application_sid },
      count,
    )
    if (calls.length === 0) throw new Failure('conflict', NO_CALLS_TO_PLAY)
    const { beginRuns } = await import('../runs/begin.ts')
    const subject = { kind: 'application', sid: application_sid, subject: application } as const
    const suite_sid = randomUUID()
    const run_sids = await beginRuns(
      actor,
      application,
      subject,
      calls.map(({ from, to, steps }) => ({
        suite_sid,
        start: { direction: 'inbound' as const, from, to },
        answers: steps.flatMap((step) =>
          step.kind === 'caller' && step.answer ? [step.answer] : [],
        ),
        expectations: steps.flatMap((step) =>
          step.kind === 'expects' ? [expectationForReplay(step)] : [],
        ),
      })),
    )
    await transaction(ctx.db, async (tx) => {
      await suites.insert(tx, {
        suite_sid,
        application_sid,
        account_sid,
        begun_at: new Date().toISOString(),
        start: new Date(span.from).toISOString(),
        end: new Date(span.to).toISOString(),
        ...counts,
        calls: calls.map((call, i) => ({ ...call, run_sid: run_sids[i]! })),
      })
      await suites.keepNewest(tx, application_sid, SUITES_KEPT)
    })
    const row = await suites.find(ctx.db, scope, application_sid, suite_sid)
    return suites.view(ctx.db, found(row, t('suite')))
  },

  async view({ params: { application_sid, suite_sid }, scope, ctx: { db } }) {
    const row = await suites.find(db, scope, application_sid, suite_sid)
    return suites.view(db, found(row, t('suite')))
  },

  async stop({ params: { application_sid, suite_sid }, scope, ctx: { db, memory } }) {
    const row = found(await suites.find(db, scope, application_sid, suite_sid), t('suite'))
    for (const run_sid of suites.runsOf(row)) {
      await runs.stop(db, scope, run_sid)
      memory.runs.get(run_sid)?.look()
    }
  },
}
