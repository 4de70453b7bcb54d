import { randomUUID } from 'node:crypto'
import { type api, MAX_TRUNK_REPORT_LINKS, t } from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import type { Db } from '../../db/open.ts'
import { Failure, found } from '../../http/failure.ts'
import { newLink } from '../../http/report-links.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import * as carriers from '../voip-carriers/queries.ts'
import { refuseToAccounts } from '../voip-carriers/reserved.ts'
import * as links from './queries.ts'

/** Audit subject of a link: without the token, not even its digest, and without the columns that opening it changes. */
const auditSubject = (scope: Scope, sid: string) => ({
  kind: 'trunk_report_link' as const,
  sid,
  read: async (tx: Db) => {
    const row = await links.find(tx, scope, sid)
    if (!row) return undefined
    const { voip_carrier_sid, account_sid, service_provider_sid, label: name, ends_at } = row
    return { voip_carrier_sid, account_sid, service_provider_sid, name, ends_at }
  },
})

export const trunkReportLinkRoutes: Handlers<typeof api.trunkReportLinks> = {
  async list({ params: { voip_carrier_sid }, scope, ctx }) {
    // accounts do not see who is told of their provider's carriers
    found(await carriers.findOwn(ctx.db, scope, voip_carrier_sid), t('carrier'))
    return links.ofCarrier(ctx.db, voip_carrier_sid)
  },

  async create({ params: { voip_carrier_sid }, body, ...actor }) {
    const { scope, ctx } = actor
    refuseToAccounts(ctx, scope)
    const sid = randomUUID()
    const { token, columns } = newLink(scope, body)
    const answer = { sid, token }
    // those who are made at the same time are counted one after the other
    const lock = `trunk_report_links:${voip_carrier_sid}`
    await audited(actor, { ...auditSubject(scope, sid), isNew: true, answer, lock }, async (tx) => {
      const carrier = found(await carriers.findOwn(tx, scope, voip_carrier_sid), t('carrier'))
      await links.removeEnded(tx, voip_carrier_sid)
      if ((await links.countLive(tx, voip_carrier_sid)) >= MAX_TRUNK_REPORT_LINKS)
        throw new Failure(
          'conflict',
          t('A carrier can have at most {MAX_TRUNK_REPORT_LINKS} links. Revoke one first.', {
            MAX_TRUNK_REPORT_LINKS,
          }),
        )
      const { account_sid, service_provider_sid } = carrier
      await links.insert(tx, {
        trunk_report_link_sid: sid,
        voip_carrier_sid,
        account_sid,
        service_provider_sid,
        ...columns,
      })
    })
    return answer
  },

  async revoke({ params: { trunk_report_link_sid: sid }, ...actor }) {
    const { scope, ctx } = actor
    refuseToAccounts(ctx, scope)
    await audited(actor, auditSubject(scope, sid), async (tx) => {
      found(await links.find(tx, scope, sid), t('link'))
      await links.remove(tx, scope, sid)
    })
  },
}
