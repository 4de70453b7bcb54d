import { randomUUID } from 'node:crypto'
import {
  type api,
  testCases as endpoints,
  MAX_TEST_CASES,
  TEST_CASE_NAME_TAKEN,
  type TestCase,
  t,
} from '@switchroom/contract'
import * as applications from '../../applications/queries.ts'
import { audited } from '../../audit/audited.ts'
import type { Actor } from '../../audit/record.ts'
import { definedFields } from '../../db/defined-fields.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { conflict, Failure, found } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import { unmasked } from '../../http/unmasked.ts'
import * as testCases from './queries.ts'

type ActorContext = Actor & { ctx: Context }

const auditSubject = (scope: Scope, application_sid: string, sid: string) => ({
  kind: 'test_case' as const,
  sid,
  // they are counted, and their names compared
  lock: `test_cases:${application_sid}`,
  view: endpoints.view,
  read: (tx: Db) => testCases.find(tx, scope, application_sid, sid),
})

async function refuseTaken(tx: Db, testCase: Parameters<typeof testCases.isTaken>[1]) {
  if (await testCases.isTaken(tx, testCase)) throw conflict('name', TEST_CASE_NAME_TAKEN)
}

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

  async create({ params: { application_sid }, body, ...actor }) {
    const { scope } = actor
    const sid = randomUUID()
    const subject = { ...auditSubject(scope, application_sid, sid), isNew: true } as const
    await audited(actor, subject, async (tx) => {
      const { account_sid } = found(
        await applications.find(tx, scope, application_sid),
        t('application'),
      )
      if ((await testCases.count(tx, application_sid)) >= MAX_TEST_CASES)
        throw new Failure(
          'conflict',
          t('An application can have at most {MAX_TEST_CASES} test cases.', { MAX_TEST_CASES }),
        )
      const row = { test_case_sid: sid, application_sid, name: body.name }
      await refuseTaken(tx, row)
      const now = new Date().toISOString()
      await testCases.insert(tx, {
        ...row,
        account_sid,
        content: testCases.contentOf(body),
        ...{ latest_run_sid: null, created_at: now, updated_at: now },
      })
    })
    return { sid }
  },

  async update({ params: { application_sid, test_case_sid: sid }, body, ...actor }) {
    const { scope } = actor
    await audited(actor, auditSubject(scope, application_sid, sid), async (tx, before) => {
      const stored = found(before, t('test case'))
      const after = {
        ...stored,
        ...definedFields(unmasked(endpoints.update.body.shape, stored, body)),
      }
      await refuseTaken(tx, after)
      await testCases.update(tx, scope, sid, {
        name: after.name,
        content: testCases.contentOf(after),
        updated_at: new Date().toISOString(),
      })
    })
  },

  async remove({ params: { application_sid, test_case_sid: sid }, ...actor }) {
    const { scope } = actor
    await audited(actor, auditSubject(scope, application_sid, sid), async (tx, before) => {
      found(before, t('test case'))
      await testCases.remove(tx, scope, sid)
    })
  },

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
