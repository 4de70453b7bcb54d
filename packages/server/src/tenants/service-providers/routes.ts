import { randomUUID } from 'node:crypto'
import { type api, serviceProviders as contract, IN_USE, t } from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import { definedFields, isEmpty } from '../../db/defined-fields.ts'
import type { Db } from '../../db/open.ts'
import { found, onDuplicate, refuseInUse } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import * as limits from '../limits/queries.ts'
import * as webhooks from '../webhooks/queries.ts'
import * as serviceProviders from './queries.ts'

const taken = onDuplicate({
  name: t('The name you have entered is already in use.'),
  root_domain: t('The root domain you have entered is already in use.'),
})

async function view(db: Db, scope: Scope, service_provider_sid: string) {
  const provider = await serviceProviders.find(db, scope, service_provider_sid)
  if (!provider) return undefined
  // accounts do not see their provider's limits
  const own = scope.role === 'account' ? [] : await limits.ofProvider(db, service_provider_sid)
  return { ...provider, limits: own }
}

const auditSubject = (scope: Scope, sid: string) => ({
  kind: 'service_provider' as const,
  sid,
  view: contract.view,
  read: (tx: Db) => view(tx, scope, sid),
})

export const serviceProviderRoutes: Handlers<typeof api.serviceProviders> = {
  list: ({ query, scope, ctx }) => serviceProviders.list(ctx.db, scope, query),

  view: async ({ params, scope, ctx }) =>
    found(await view(ctx.db, scope, params.service_provider_sid), t('service provider')),

  async create({ body: { registration_hook, ...body }, ...actor }) {
    const sid = randomUUID()
    await audited(actor, { ...auditSubject(actor.scope, sid), isNew: true }, async (tx) => {
      const registration_hook_sid = registration_hook
        ? await webhooks.insert(tx, registration_hook)
        : null
      await serviceProviders.insert(tx, {
        ...body,
        service_provider_sid: sid,
        registration_hook_sid,
      })
    }).catch(taken)
    return { sid }
  },

  async update({ params: { service_provider_sid: sid }, body, ...actor }) {
    const { scope, ctx } = actor
    const { registration_hook, limits: quantities, ...change } = body
    const owner = { service_provider_sid: sid }
    await audited(
      actor,
      { ...auditSubject(scope, sid), lock: limits.lockOf(owner) },
      async (tx, before) => {
        const stored = found(before, t('service provider'))
        const hook = await webhooks.replace(
          tx,
          ctx.schemaHas,
          webhooks.withSid(stored.registration_hook_sid, stored.registration_hook),
          registration_hook,
        )
        const row = definedFields({ ...change, registration_hook_sid: hook })
        if (!isEmpty(row)) await serviceProviders.update(tx, scope, sid, row)
        if (hook !== undefined)
          await webhooks.prune(tx, ctx.schemaHas, stored.registration_hook_sid)
        await limits.save(tx, scope, owner, quantities)
      },
    ).catch(taken)
  },

  async remove({ params: { service_provider_sid: sid }, ...actor }) {
    const { scope, ctx } = actor
    await audited(
      actor,
      { ...auditSubject(scope, sid), lock: 'service-providers' },
      async (tx, before) => {
        const stored = found(before, t('service provider'))
        refuseInUse(IN_USE.service_provider, await serviceProviders.usedBy(tx, sid))
        await serviceProviders.remove(tx, ctx, scope, sid)
        await webhooks.prune(tx, ctx.schemaHas, stored.registration_hook_sid)
      },
    )
  },
}
