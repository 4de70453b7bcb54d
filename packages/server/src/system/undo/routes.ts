import {
  type AuditEntry,
  type api,
  applications,
  clients,
  lcrs,
  msTeamsTenants,
  t,
  UNDO_EXPIRED,
  UNDO_INEXACT,
  UNDO_NOT_YOURS,
  UNDO_SECONDS,
} from '@switchroom/contract'
import { applicationRoutes } from '../../applications/routes.ts'
import { nameOf } from '../../audit/audited.ts'
import { entriesOfChange } from '../../audit/queries.ts'
import type { Actor } from '../../audit/record.ts'
import { isExact, refuseChangedSince } from '../../audit/undo.ts'
import { undoMany as undoClients } from '../../devices/clients/many.ts'
import { clientRoutes } from '../../devices/clients/routes.ts'
import { addTenant, msTeamsTenantRoutes } from '../../devices/ms-teams-tenants/routes.ts'
import type { Context } from '../../http/context.ts'
import { Failure, found } from '../../http/failure.ts'
import { SILENT } from '../../http/progress.ts'
import type { Handlers } from '../../http/serve.ts'
import { lcrTableRoutes } from '../../routing/lcrs/routes.ts'
import { undoNumbers } from '../../routing/phone-numbers/undo.ts'

type ActorContext = Actor & { ctx: Context }

/**
 * Writes the former state with ordinary writes and all their rules. Only phone numbers and clients are changed in bulk.
 */
function write(actor: ActorContext, entries: AuditEntry[]): Promise<unknown> {
  const [{ kind, sid, action, before }] = entries as [AuditEntry]
  switch (kind) {
    case 'phone_number':
      return undoNumbers(actor, entries)
    case 'application':
      return applicationRoutes.update({
        ...actor,
        params: { application_sid: sid },
        body: applications.update.body.parse(before),
      })
    case 'client':
      if (entries.length > 1) return undoClients({ ...actor, reporting: SILENT }, entries)
      return clientRoutes.update({
        ...actor,
        params: { client_sid: sid },
        body: clients.update.body.parse(before),
      })
    case 'lcr':
      return lcrTableRoutes.update({
        ...actor,
        params: { lcr_sid: sid },
        body: lcrs.update.body.parse(before),
      })
    case 'ms_teams_tenant':
      return action === 'delete'
        ? addTenant(actor, sid, msTeamsTenants.create.body.parse(before))
        : msTeamsTenantRoutes.update({
            ...actor,
            params: { ms_teams_tenant_sid: sid },
            body: msTeamsTenants.update.body.parse(before),
          })
    default:
      throw new Failure('invalid', UNDO_INEXACT)
  }
}

export const undoRoutes: Handlers<typeof api.undo> = {
  async change({ body, scope, ctx, meta }) {
    const entries = await entriesOfChange(ctx.db, scope, body)
    const entry = found(entries[0], t('change'))
    if (entry.user_sid !== scope.user_sid) throw new Failure('forbidden', UNDO_NOT_YOURS)
    if (Date.now() - Date.parse(entry.at) > UNDO_SECONDS * 1_000)
      throw new Failure('conflict', UNDO_EXPIRED)
    if (!isExact(entries)) throw new Failure('invalid', UNDO_INEXACT)
    // before any rule about others' changes is checked
    await refuseChangedSince(ctx.db, entries)
    const { ip, user_agent, request_id } = meta
    const undoes = new Map(entries.map((e) => [e.sid, e]))
    const actor = { scope, ctx, meta: { ip, user_agent, request_id, version: undefined, undoes } }
    await write(actor, entries)
    const { action, kind, before, name } = entry
    // its former name if that has changed
    return { action, kind, name: nameOf({ ...before }, name), count: entries.length }
  },
}
