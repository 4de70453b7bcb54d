import { randomUUID } from 'node:crypto'
import {
  type api,
  simulatedCallers as endpoints,
  MAX_SIMULATED_CALLERS,
  NO_MODEL_FOR_CALLERS,
  SIMULATED_CALLER_NAME_TAKEN,
  t,
} from '@switchroom/contract'
import { modelOf } from '../../applications/language-model/model.ts'
import * as applications from '../../applications/queries.ts'
import { audited } from '../../audit/audited.ts'
import { definedFields } from '../../db/defined-fields.ts'
import type { Db } from '../../db/open.ts'
import { conflict, Failure, found } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import { unmasked } from '../../http/unmasked.ts'
import { Refused } from '../../speech/protocol.ts'
import * as callers from './queries.ts'

const auditSubject = (scope: Scope, application_sid: string, sid: string) => ({
  kind: 'simulated_caller' as const,
  sid,
  // they are counted, and their names compared
  lock: `simulated_callers:${application_sid}`,
  view: endpoints.view,
  read: (tx: Db) => callers.find(tx, scope, application_sid, sid),
})

async function refuseTaken(tx: Db, caller: Parameters<typeof callers.isTaken>[1]) {
  if (await callers.isTaken(tx, caller)) throw conflict('name', SIMULATED_CALLER_NAME_TAKEN)
}

export const simulatedCallerRoutes: Handlers<typeof api.simulatedCallers> = {
  async list({ params: { application_sid }, query, scope, ctx: { db } }) {
    found(await applications.find(db, scope, application_sid), t('application'))
    return callers.list(db, scope, application_sid, query)
  },

  view: async ({ params: { application_sid, simulated_caller_sid: sid }, scope, ctx: { db } }) =>
    found(await callers.find(db, scope, application_sid, sid), t('simulated caller')),

  async create({ params: { application_sid }, body, ...actor }) {
    const { scope } = actor
    const sid = randomUUID()
    const subject = { ...auditSubject(scope, application_sid, sid), isNew: true } as const
    await audited(actor, subject, async (tx) => {
      const { account_sid } = found(
        await applications.find(tx, scope, application_sid),
        t('application'),
      )
      if ((await callers.count(tx, application_sid)) >= MAX_SIMULATED_CALLERS)
        throw new Failure(
          'conflict',
          t('An application can have at most {MAX_SIMULATED_CALLERS} simulated callers.', {
            MAX_SIMULATED_CALLERS,
          }),
        )
      const row = { simulated_caller_sid: sid, application_sid, name: body.name }
      await refuseTaken(tx, row)
      const now = new Date().toISOString()
      await callers.insert(tx, {
        ...row,
        account_sid,
        content: callers.contentOf(body),
        ...{ created_at: now, updated_at: now },
      })
    })
    return { sid }
  },

  async update({ params: { application_sid, simulated_caller_sid: sid }, body, ...actor }) {
    const { scope } = actor
    await audited(actor, auditSubject(scope, application_sid, sid), async (tx, before) => {
      const stored = found(before, t('simulated caller'))
      const after = {
        ...stored,
        ...definedFields(unmasked(endpoints.update.body.shape, stored, body)),
      }
      await refuseTaken(tx, after)
      await callers.update(tx, scope, sid, {
        name: after.name,
        content: callers.contentOf(after),
        updated_at: new Date().toISOString(),
      })
    })
  },

  async remove({ params: { application_sid, simulated_caller_sid: sid }, ...actor }) {
    const { scope } = actor
    await audited(actor, auditSubject(scope, application_sid, sid), async (tx, before) => {
      found(before, t('simulated caller'))
      await callers.remove(tx, scope, sid)
    })
  },

  async run({ params: { application_sid, simulated_caller_sid: sid }, body, ...actor }) {
    const { scope, ctx } = actor
    const application = found(
      await applications.view(ctx, scope, application_sid),
      t('application'),
    )
    const caller = found(
      await callers.find(ctx.db, scope, application_sid, sid),
      t('simulated caller'),
    )
    const { account_sid } = application
    const model =
      account_sid === null
        ? undefined
        : await modelOf(ctx, account_sid).catch((e: unknown) => {
            if (!(e instanceof Refused)) throw e
            throw new Failure(
              'conflict',
              t('The language model failed: {reason}', { reason: e.message }),
            )
          })
    if (!model) throw new Failure('conflict', NO_MODEL_FOR_CALLERS)
    // the engine is loaded by who needs it
    const { beginRuns } = await import('../runs/begin.ts')
    const { simulate } = await import('./simulate.ts')
    const subject = { kind: 'simulated_caller', sid, subject: caller } as const
    const of = body.conversations
    const run_sids = await beginRuns(
      actor,
      application,
      subject,
      Array.from({ length: of }, (_, i) => ({
        start: caller.start,
        answers: [],
        ...(caller.expectations.length > 0 && { expectations: caller.expectations }),
        simulation: simulate(ctx, caller, model, { number: i + 1, of }),
      })),
    )
    return { run_sids }
  },
}
