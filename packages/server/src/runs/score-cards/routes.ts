import { type api, scoreCards as endpoints, t } from '@switchroom/contract'
import * as applications from '../../applications/queries.ts'
import { audited } from '../../audit/audited.ts'
import type { Db } from '../../db/open.ts'
import { Failure, found } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import { unmasked } from '../../http/unmasked.ts'
import * as scores from '../scores/queries.ts'

/** The score card of an application; undefined for one that the caller does not see. */
async function cardOf(db: Db, scope: Scope, application_sid: string) {
  const application = await applications.find(db, scope, application_sid)
  return application && scores.cardOf(db, application)
}

const auditSubject = (scope: Scope, application_sid: string) => ({
  kind: 'score_card' as const,
  sid: application_sid,
  view: endpoints.view,
  read: (tx: Db) => cardOf(tx, scope, application_sid),
})

export const scoreCardRoutes: Handlers<typeof api.scoreCards> = {
  view: async ({ params: { application_sid }, scope, ctx: { db } }) =>
    found(await cardOf(db, scope, application_sid), t('application')),

  async update({ params: { application_sid }, body, ...actor }) {
    const { scope } = actor
    await audited(actor, auditSubject(scope, application_sid), async (tx, before) => {
      const stored = found(before, t('application'))
      const { account_sid } = stored
      if (account_sid === null)
        throw new Failure(
          'conflict',
          t('This application belongs to no account, and only calls of accounts are scored.'),
        )
      const card = { ...stored, ...unmasked(endpoints.update.body.shape, stored, body) }
      await scores.insert(tx, { application_sid, account_sid })
      await scores.update(tx, scope, application_sid, card)
      if (!card.is_active) await scores.forgetWaiting(tx, application_sid)
    })
  },

  async state({ params: { application_sid }, scope, ctx: { db } }) {
    const application = await applications.find(db, scope, application_sid)
    return scores.stateOf(db, found(application, t('application')))
  },
}
