import { randomUUID } from 'node:crypto'
import { type api, msTeamsTenants, type Received, TENANT_TAKEN, t } from '@switchroom/contract'
import * as applications from '../../applications/queries.ts'
import { audited } from '../../audit/audited.ts'
import type { Actor } from '../../audit/record.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { found, invalidField, missingField, onDuplicate } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import * as tenants from './queries.ts'

const taken = onDuplicate({ tenant_fqdn: TENANT_TAKEN })

type Owner = { account_sid: string; service_provider_sid: string }

function checkProvider(owner: Owner, sid: string | null | undefined) {
  if (sid && sid !== owner.service_provider_sid)
    throw invalidField('service_provider_sid', t('No such service provider'))
}

/** Throws 400 unless the application belongs to the tenant's account. */
async function checkApplication(db: Db, scope: Scope, owner: Owner, sid: string | null) {
  if (!sid) return
  const application = await applications.find(db, scope, sid)
  if (application?.account_sid !== owner.account_sid)
    throw invalidField('application_sid', t('No such application'))
}

const auditSubject = (scope: Scope, sid: string) => ({
  kind: 'ms_teams_tenant' as const,
  sid,
  view: msTeamsTenants.view,
  read: (tx: Db) => tenants.find(tx, scope, sid),
})

/** Adds a tenant; or a deleted one again, with its sid. */
export const addTenant = (
  actor: Actor & { ctx: Context },
  sid: string,
  {
    tenant_fqdn,
    application_sid = null,
    ...body
  }: Received<typeof api.msTeamsTenants.create>['body'],
) =>
  audited(actor, { ...auditSubject(actor.scope, sid), isNew: true }, async (tx) => {
    const owner = await accounts.ownerOf(tx, actor.scope, body.account_sid)
    if (!owner) throw missingField('account_sid')
    checkProvider(owner, body.service_provider_sid)
    await checkApplication(tx, actor.scope, owner, application_sid)
    await tenants.insert(tx, {
      ms_teams_tenant_sid: sid,
      tenant_fqdn,
      application_sid,
      account_sid: owner.account_sid,
      service_provider_sid: owner.service_provider_sid,
    })
  }).catch(taken)

export const msTeamsTenantRoutes: Handlers<typeof api.msTeamsTenants> = {
  list: ({ query, scope, ctx }) => tenants.list(ctx.db, scope, query),

  view: async ({ params, scope, ctx }) =>
    found(await tenants.find(ctx.db, scope, params.ms_teams_tenant_sid), t('tenant')),

  async create({ body, ...actor }) {
    const sid = randomUUID()
    await addTenant(actor, sid, body)
    return { sid }
  },

  async update({ params: { ms_teams_tenant_sid: sid }, body, ...actor }) {
    const { scope } = actor
    await audited(actor, auditSubject(scope, sid), async (tx, before) => {
      const stored = found(before, t('tenant'))
      const owner = await accounts.owned(tx, scope, body.account_sid ?? stored.account_sid)
      checkProvider(owner, body.service_provider_sid)
      const moves = owner.account_sid !== stored.account_sid
      // the old account's application does not move along
      const { tenant_fqdn = stored.tenant_fqdn } = body
      const { application_sid = moves ? null : stored.application_sid } = body
      await checkApplication(tx, scope, owner, application_sid)
      await tenants.update(tx, scope, sid, {
        tenant_fqdn,
        application_sid,
        account_sid: owner.account_sid,
        service_provider_sid: owner.service_provider_sid,
      })
    }).catch(taken)
  },

  async remove({ params: { ms_teams_tenant_sid: sid }, ...actor }) {
    await audited(actor, auditSubject(actor.scope, sid), async (tx, before) => {
      found(before, t('tenant'))
      await tenants.remove(tx, actor.scope, sid)
    })
  },
}
