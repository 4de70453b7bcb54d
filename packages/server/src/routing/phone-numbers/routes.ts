import { randomUUID } from 'node:crypto'
import {
  type api,
  FIXED_NUMBER_FIELDS,
  type LatestCalls,
  PHONE_NUMBER_COLUMNS,
  type PhoneNumber,
  type PhoneNumberItem,
  phoneNumbers,
  t,
} from '@switchroom/contract'
import { audited, auditedUpdate } from '../../audit/audited.ts'
import * as voipCarriers from '../../carriers/voip-carriers/queries.ts'
import { refuseToAccounts } from '../../carriers/voip-carriers/reserved.ts'
import type { Db } from '../../db/open.ts'
import { csv, mapped } from '../../http/csv.ts'
import { found, invalidField } from '../../http/failure.ts'
import { refuseOverQuota } from '../../http/limits.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import { importCsv } from '../../imports/import.ts'
import { chosenBy } from '../../selections/chosen.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import * as serviceProviders from '../../tenants/service-providers/queries.ts'
import { addNumber } from './add.ts'
import { checkApplication, checkCarrier, numberProvider } from './checks.ts'
import { phoneNumberImport } from './import.ts'
import { removeMany, selectable, updateMany } from './many.ts'
import * as numbers from './queries.ts'
import * as numberWrites from './writes.ts'

const auditSubject = (scope: Scope, sid: string) => ({
  kind: 'phone_number' as const,
  sid,
  view: phoneNumbers.view,
  read: (tx: Db): Promise<PhoneNumber | undefined> => numbers.find(tx, scope, sid),
})

const rowOf = <N extends Omit<PhoneNumberItem, keyof LatestCalls>>(n: N) => ({
  ...n,
  account: n.account_name,
  carrier: n.voip_carrier_name,
  application: n.application_name,
})

export const phoneNumberRoutes: Handlers<typeof api.phoneNumbers> = {
  list: ({ query, scope, ctx }) => numbers.list(ctx.db, scope, query),

  async ofServiceProvider({ params: { service_provider_sid }, query, scope, ctx }) {
    found(await serviceProviders.find(ctx.db, scope, service_provider_sid), t('service provider'))
    return numbers.list(ctx.db, scope, { ...query, service_provider_sid })
  },

  view: async ({ params, scope, ctx }) =>
    found(await numbers.find(ctx.db, scope, params.phone_number_sid), t('phone number')),

  async create({ body, ...actor }) {
    const { scope, ctx, meta } = actor
    refuseToAccounts(ctx, scope)
    const phone_number_sid = randomUUID()
    await addNumber(ctx, {
      scope,
      meta,
      number: {
        phone_number_sid,
        number: body.number,
        voip_carrier_sid: body.voip_carrier_sid ?? null,
        application_sid: body.application_sid ?? null,
        account_sid: body.account_sid ?? null,
        service_provider_sid: null,
        description: body.description ?? null,
      },
    })
    return { sid: phone_number_sid }
  },

  async update({ params: { phone_number_sid: sid }, body, ...actor }) {
    const { scope, ctx } = actor
    await auditedUpdate(actor, auditSubject(scope, sid), async (tx, before) => {
      const stored = found(before, t('phone number'))
      const { account_sid = stored.account_sid, description } = body
      const moves = account_sid !== stored.account_sid
      if (!account_sid && moves && scope.role === 'account')
        throw invalidField('account_sid', t('A number cannot be moved to another account'))
      // resources of the old account do not move along
      const { application_sid = moves ? null : stored.application_sid } = body
      const reroutes = application_sid !== stored.application_sid
      const owner =
        account_sid && (moves || reroutes)
          ? await accounts.owned(tx, scope, account_sid)
          : undefined
      const carrier = stored.voip_carrier_sid
      for (const field of ['number', 'voip_carrier_sid'] as const)
        if (body[field] && body[field] !== stored[field])
          throw invalidField(
            field,
            FIXED_NUMBER_FIELDS[field],
            t('{field} may not be modified', { field }),
          )
      // a number may stay on a carrier that has no owner
      if (moves && !(carrier && (await voipCarriers.isOwnerless(tx, carrier))))
        await checkCarrier(tx, scope, owner, carrier)
      if (moves || reroutes) await checkApplication(tx, scope, owner, application_sid)
      if (moves) await refuseOverQuota(ctx, tx, 'phone_numbers', [account_sid])
      const change = {
        ...(reroutes && { application_sid }),
        ...(description !== undefined && { description }),
        ...(moves && { account_sid, service_provider_sid: numberProvider(scope, owner) }),
      }
      await numberWrites.update(tx, scope, sid, change)
      return { ...stored, ...change }
    })
  },

  updateMany({ body: { select, ...change }, ...actor }) {
    if (change.voip_carrier_sid) refuseToAccounts(actor.ctx, actor.scope)
    return updateMany(actor, select, change)
  },

  async removeMany({ body: { select }, ...actor }) {
    refuseToAccounts(actor.ctx, actor.scope)
    return removeMany(actor, select)
  },

  import(input) {
    refuseToAccounts(input.ctx, input.scope)
    return importCsv(input, phoneNumberImport(input.scope, input.query.service_provider_sid))
  },

  export({ query, scope, ctx }) {
    const { columns = PHONE_NUMBER_COLUMNS, ...filters } = query
    return csv(
      columns,
      mapped(numbers.list(ctx.db, scope, filters).all(ctx.memory.listings), rowOf),
      query,
    )
  },

  async exportMany({ body: { select }, query, scope, ctx }) {
    if ('matching' in select)
      return csv(
        PHONE_NUMBER_COLUMNS,
        mapped(numbers.list(ctx.db, scope, select.matching).all(ctx.memory.listings), rowOf),
        query,
      )
    // a missing number is reported before the file begins
    const chosen = await chosenBy(ctx.db, scope, selectable, select)
    const sids = chosen.map((n) => n.phone_number_sid)
    return csv(PHONE_NUMBER_COLUMNS, mapped(numbers.withNames(ctx.db, scope, sids), rowOf), query)
  },

  async remove({ params: { phone_number_sid: sid }, ...actor }) {
    const { scope, ctx } = actor
    refuseToAccounts(ctx, scope)
    const subject = { ...auditSubject(scope, sid), isGone: true as const }
    await audited(actor, subject, async (tx, before) => {
      found(before, t('phone number'))
      await numberWrites.removeAll(tx, scope, [sid])
    })
  },
}
