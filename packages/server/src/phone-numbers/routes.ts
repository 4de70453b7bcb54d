import { randomUUID } from 'node:crypto'
import { type api, NUMBER_TAKEN } from '@switchroom/contract'
import * as accounts from '../accounts/queries.ts'
import * as applications from '../applications/queries.ts'
import type { Db } from '../db/open.ts'
import { transaction } from '../db/transaction.ts'
import { conflict, found, invalidField, onDuplicate } from '../http/failure.ts'
import { refuseOverLimit } from '../http/limits.ts'
import type { Scope } from '../http/scope.ts'
import type { Handlers } from '../http/serve.ts'
import * as serviceProviders from '../service-providers/queries.ts'
import * as voipCarriers from '../voip-carriers/queries.ts'
import { refuseToAccounts } from '../voip-carriers/refuse.ts'
import * as numbers from './queries.ts'

const taken = onDuplicate({ number: NUMBER_TAKEN })

type Owner = { account_sid: string; service_provider_sid: string } | undefined

/** An account's number is answered by its own applications only. */
async function checkApplication(
  db: Db,
  scope: Scope,
  owner: Owner,
  sid: string | null | undefined,
) {
  if (!sid) return
  const application = await applications.find(db, scope, sid)
  if (!application || application.account_sid !== owner?.account_sid)
    throw invalidField('application_sid', 'No such application')
}

/** A number comes in through a carrier of its account, or one that all accounts of the provider share. */
async function checkCarrier(db: Db, scope: Scope, owner: Owner, sid: string | null | undefined) {
  if (!sid) return
  const carrier = await voipCarriers.find(db, scope, sid)
  if (!carrier) throw invalidField('voip_carrier_sid', `voip_carrier not found for sid ${sid}`)
  const shared = !carrier.account_sid
  const fits = shared
    ? !owner || carrier.service_provider_sid === owner.service_provider_sid
    : carrier.account_sid === owner?.account_sid
  if (!fits)
    throw invalidField('voip_carrier_sid', 'voip_carrier_sid does not belong to the account')
}

/** Which provider keeps a number that no account owns. Owned ones carry no mark: a marked one is a test number. */
const keeper = (scope: Scope, owner: Owner) =>
  owner || scope.role !== 'service_provider' ? null : scope.service_provider_sid

export const phoneNumberRoutes: Handlers<typeof api.phoneNumbers> = {
  list: ({ query, scope, ctx }) => numbers.list(ctx.db, scope, query),

  async ofServiceProvider({ params: { service_provider_sid }, query, scope, ctx }) {
    found(await serviceProviders.find(ctx.db, scope, service_provider_sid), 'service provider')
    return numbers.list(ctx.db, scope, { ...query, service_provider_sid })
  },

  view: async ({ params, scope, ctx }) =>
    found(await numbers.find(ctx.db, scope, params.phone_number_sid), 'phone number'),

  async create({ body, scope, ctx }) {
    refuseToAccounts(ctx, scope)
    const { number, voip_carrier_sid = null, application_sid = null } = body
    const sid = randomUUID()
    await transaction(
      ctx.db,
      async (tx) => {
        const owner = await accounts.ownerOf(tx, scope, body.account_sid)
        await refuseOverLimit(ctx, tx, scope, 'phone_numbers')
        await checkCarrier(tx, scope, owner, voip_carrier_sid)
        await checkApplication(tx, scope, owner, application_sid)
        if (!voip_carrier_sid && (await numbers.isTakenWithoutCarrier(tx, number)))
          throw conflict('number', NUMBER_TAKEN)
        await numbers.insert(tx, {
          phone_number_sid: sid,
          number,
          voip_carrier_sid,
          application_sid,
          account_sid: owner?.account_sid ?? null,
          service_provider_sid: keeper(scope, owner),
        })
      },
      // the unique key keeps numbers of a carrier apart; only those without one need to queue
      voip_carrier_sid ? {} : { lock: 'phone-numbers' },
    ).catch(taken)
    return { sid }
  },

  async update({ params: { phone_number_sid: sid }, body, scope, ctx }) {
    await transaction(ctx.db, async (tx) => {
      const stored = found(await numbers.find(tx, scope, sid), 'phone number')
      const { account_sid = stored.account_sid } = body
      const moves = account_sid !== stored.account_sid
      const owner = account_sid ? await accounts.owned(tx, scope, account_sid) : undefined
      if (!owner && moves && scope.role === 'account')
        throw invalidField('account_sid', 'A number cannot be given away')
      // what belonged to the old account does not come along
      const { application_sid = moves ? null : stored.application_sid } = body
      if (moves) await checkCarrier(tx, scope, owner, stored.voip_carrier_sid)
      if (moves || application_sid !== stored.application_sid)
        await checkApplication(tx, scope, owner, application_sid)
      await numbers.update(tx, scope, sid, {
        application_sid,
        ...(moves && { account_sid, service_provider_sid: keeper(scope, owner) }),
      })
    })
  },

  async remove({ params: { phone_number_sid }, scope, ctx }) {
    refuseToAccounts(ctx, scope)
    found(await numbers.find(ctx.db, scope, phone_number_sid), 'phone number')
    await numbers.remove(ctx.db, scope, phone_number_sid)
  },
}
