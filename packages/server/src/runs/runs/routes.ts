import { ANSWER_NOT_WANTED, type api, RunStep, t } from '@switchroom/contract'
import * as applications from '../../applications/queries.ts'
import type { Db } from '../../db/open.ts'
import { Failure, found, invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import * as runs from './queries.ts'

type Params = { application_sid: string; run_sid: string }

const runIn = async (db: Db, scope: Scope, { application_sid, run_sid }: Params) =>
  found(await runs.find(db, scope, application_sid, run_sid), t('run'))

export const runRoutes: Handlers<typeof api.runs> = {
  async list({ params: { application_sid }, query, scope, ctx: { db } }) {
    found(await applications.find(db, scope, application_sid), t('application'))
    return runs.list(db, scope, application_sid, query)
  },

  async begin({ params: { application_sid }, body, ...actor }) {
    const { repeats } = body
    const { ctx, scope } = actor
    const application = found(
      await applications.view(ctx, scope, application_sid),
      t('application'),
    )
    const repeated = repeats && (await runs.find(ctx.db, scope, application_sid, repeats))
    if (repeats && !repeated) throw invalidField('repeats', t('No such {what}', { what: t('run') }))
    // imported where needed, as the engine is large
    const { beginRuns } = await import('./begin.ts')
    const subject = { kind: 'application', sid: application_sid, subject: application } as const
    const run = { ...body, ...(repeated && { suite_sid: repeated.suite_sid }) }
    const [run_sid] = await beginRuns(actor, application, subject, [run])
    return runs.view(ctx.db, await runIn(ctx.db, scope, { application_sid, run_sid: run_sid! }))
  },

  async view({ params, query: { skip }, scope, ctx: { db } }) {
    return runs.view(db, await runIn(db, scope, params), skip)
  },

  async answer({ params, body, scope, ctx: { db, memory } }) {
    const run = await runIn(db, scope, params)
    const unwanted = () => new Failure('conflict', ANSWER_NOT_WANTED)
    if (runs.stateOf(run) !== 'running' || run.question !== body.question) throw unwanted()
    const step = await runs.step(db, params.run_sid, body.question)
    const asked = step === undefined ? undefined : RunStep.parse(JSON.parse(step))
    if (asked?.kind !== 'asked') throw unwanted()
    if (!asked.question.answers.includes(body.answer.kind))
      throw invalidField('answer', t('This answer does not fit the question'))
    if (!(await runs.answer(db, scope, params.run_sid, body))) throw unwanted()
    memory.runs.get(params.run_sid)?.look()
  },

  async stop({ params, scope, ctx: { db, memory } }) {
    await runIn(db, scope, params)
    await runs.stop(db, scope, params.run_sid)
    memory.runs.get(params.run_sid)?.look()
  },
}
