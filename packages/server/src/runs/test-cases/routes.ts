import {
  type api,
  testCases as endpoints,
  MAX_TEST_CASES,
  TEST_CASE_NAME_TAKEN,
  type TestCase,
  t,
} from '@switchroom/contract'
import * as applications from '../../applications/queries.ts'
import type { ActorContext } from '../../audit/audited.ts'
import { found } from '../../http/failure.ts'
import type { Handlers } from '../../http/serve.ts'
import { thingChanges } from '../application-things.ts'
import * as testCases from './queries.ts'

const changes = thingChanges({
  kind: 'test_case',
  noun: t('test case'),
  view: endpoints.view,
  fields: endpoints.update.body.shape,
  queries: testCases,
  most: MAX_TEST_CASES,
  tooMany: t('An application can have at most {MAX_TEST_CASES} test cases.', { MAX_TEST_CASES }),
  taken: TEST_CASE_NAME_TAKEN,
})

/** Begins a run for each of these test cases. */
async function begin(actor: ActorContext, application_sid: string, of: TestCase | TestCase[]) {
  const { ctx, scope } = actor
  const application = found(await applications.view(ctx, scope, application_sid), t('application'))
  const subject = Array.isArray(of)
    ? ({ kind: 'application', sid: application_sid, subject: application } as const)
    : ({ kind: 'test_case', sid: of.test_case_sid, subject: of } as const)
  const all = [of].flat()
  if (all.length === 0) return { runs: [] }
  const wanted = all.map(({ start, answers, expectations, test_case_sid }) => ({
    ...{ start, answers, expectations, test_case_sid },
  }))
  // imported where needed, as the engine is large
  const { beginRuns } = await import('../runs/begin.ts')
  const sids = await beginRuns(actor, application, subject, wanted)
  return { runs: all.map(({ test_case_sid }, i) => ({ test_case_sid, run_sid: sids[i]! })) }
}

export const testCaseRoutes: Handlers<typeof api.testCases> = {
  async list({ params: { application_sid }, query, scope, ctx: { db } }) {
    found(await applications.find(db, scope, application_sid), t('application'))
    return testCases.list(db, scope, application_sid, query)
  },

  view: async ({ params: { application_sid, test_case_sid }, scope, ctx: { db } }) =>
    found(await testCases.find(db, scope, application_sid, test_case_sid), t('test case')),

  create: ({ params: { application_sid }, body, ...actor }) =>
    changes.create(actor, application_sid, body),

  update: ({ params: { application_sid, test_case_sid: sid }, body, ...actor }) =>
    changes.update(actor, application_sid, sid, body),

  remove: ({ params: { application_sid, test_case_sid: sid }, ...actor }) =>
    changes.remove(actor, application_sid, sid),

  async run({ params: { application_sid, test_case_sid }, ...actor }) {
    const { scope, ctx } = actor
    const testCase = await testCases.find(ctx.db, scope, application_sid, test_case_sid)
    return begin(actor, application_sid, found(testCase, t('test case')))
  },

  async runAll({ params: { application_sid }, ...actor }) {
    const all = await testCases.all(actor.ctx.db, actor.scope, application_sid)
    return begin(actor, application_sid, all)
  },
}
