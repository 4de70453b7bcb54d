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
import { Failure, found } from '../../http/failure.ts'
import type { Handlers } from '../../http/serve.ts'
import { Refused } from '../../speech/protocol.ts'
import { thingChanges } from '../application-things.ts'
import * as callers from './queries.ts'

const changes = thingChanges({
  kind: 'simulated_caller',
  noun: t('simulated caller'),
  view: endpoints.view,
  fields: endpoints.update.body.shape,
  queries: callers,
  most: MAX_SIMULATED_CALLERS,
  tooMany: t('An application can have at most {MAX_SIMULATED_CALLERS} simulated callers.', {
    MAX_SIMULATED_CALLERS,
  }),
  taken: SIMULATED_CALLER_NAME_TAKEN,
})

export const simulatedCallerRoutes: Handlers<typeof api.simulatedCallers> = {
  async list({ params: { application_sid }, query, scope, ctx: { db } }) {
    found(await applications.find(db, scope, application_sid), t('application'))
    return callers.list(db, scope, application_sid, query)
  },

  view: async ({ params: { application_sid, simulated_caller_sid: sid }, scope, ctx: { db } }) =>
    found(await callers.find(db, scope, application_sid, sid), t('simulated caller')),

  create: ({ params: { application_sid }, body, ...actor }) =>
    changes.create(actor, application_sid, body),

  update: ({ params: { application_sid, simulated_caller_sid: sid }, body, ...actor }) =>
    changes.update(actor, application_sid, sid, body),

  remove: ({ params: { application_sid, simulated_caller_sid: sid }, ...actor }) =>
    changes.remove(actor, application_sid, sid),

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
