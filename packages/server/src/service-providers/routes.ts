import { randomUUID } from 'node:crypto'
import type { api } from '@switchroom/contract'
import { given, isEmpty } from '../db/given.ts'
import { transaction } from '../db/transaction.ts'
import { Failure, found, onDuplicate, refuseInUse } from '../http/failure.ts'
import type { Handlers } from '../http/serve.ts'
import * as limits from '../limits/queries.ts'
import * as webhooks from '../webhooks/queries.ts'
import * as serviceProviders from './queries.ts'

const taken = onDuplicate({
  name: 'The name you have entered is already in use.',
  root_domain: 'The root domain you have entered is already in use.',
})

export const serviceProviderRoutes: Handlers<typeof api.serviceProviders> = {
  list: ({ query, scope, ctx }) => serviceProviders.list(ctx.db, scope, query),

  async view({ params: { service_provider_sid }, scope, ctx }) {
    const provider = found(
      await serviceProviders.find(ctx.db, scope, service_provider_sid),
      'service provider',
    )
    // limits are the provider's business, not its accounts'
    const own = scope.role === 'account' ? [] : await limits.list(ctx.db, { service_provider_sid })
    return { ...provider, limits: own as never }
  },

  async create({ body: { registration_hook, ...body }, ctx }) {
    const sid = randomUUID()
    await transaction(ctx.db, async (tx) => {
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

  async update({ params: { service_provider_sid: sid }, body, scope, ctx }) {
    const { registration_hook, limits: quantities, ...change } = body
    const owner = { service_provider_sid: sid }
    await transaction(
      ctx.db,
      async (tx) => {
        const stored = found(await serviceProviders.find(tx, scope, sid), 'service provider')
        const hook = await webhooks.replace(
          tx,
          ctx.has,
          stored.registration_hook_sid,
          registration_hook,
        )
        const row = given({ ...change, registration_hook_sid: hook })
        if (!isEmpty(row)) await serviceProviders.update(tx, scope, sid, row)
        if (hook !== undefined) await webhooks.prune(tx, ctx.has, stored.registration_hook_sid)
        await limits.save(tx, owner, quantities)
      },
      { lock: limits.lockOf(owner) },
    ).catch(taken)
  },

  async remove({ params: { service_provider_sid: sid }, scope, ctx }) {
    await transaction(
      ctx.db,
      async (tx) => {
        const stored = found(await serviceProviders.find(tx, scope, sid), 'service provider')
        refuseInUse(
          'In order to delete the service provider it cannot be in use.',
          await serviceProviders.usedBy(tx, sid),
        )
        if (await serviceProviders.isOnlyOne(tx))
          throw new Failure('invalid', 'The last service provider cannot be deleted')
        await serviceProviders.remove(tx, ctx.has, scope, sid)
        await webhooks.prune(tx, ctx.has, stored.registration_hook_sid)
      },
      { lock: 'service-providers' },
    )
  },
}
