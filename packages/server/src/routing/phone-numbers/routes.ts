import { randomUUID } from 'node:crypto'
import {
  type api,
  FIXED_NUMBER_FIELDS,
  PHONE_NUMBER_COLUMNS,
  type PhoneNumber,
  phoneNumbers,
  type Received,
} from '@switchroom/contract'
import * as applications from '../../applications/queries.ts'
import { audited, entryOf, ownersIn } from '../../audit/audited.ts'
import { record } from '../../audit/record.ts'
import * as voipCarriers from '../../carriers/voip-carriers/queries.ts'
import { refuseToAccounts } from '../../carriers/voip-carriers/refuse-to-accounts.ts'
import type { Db } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'
import { csv, mapped } from '../../http/csv.ts'
import { Failure, found, invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import { importCsv } from '../../imports/import.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import * as serviceProviders from '../../tenants/service-providers/queries.ts'
import { addNumber } from './add.ts'
import { checkApplication, checkCarrier, numberProvider } from './checks.ts'
import { phoneNumberImport } from './import.ts'
import * as numbers from './queries.ts'

const auditSubject = (scope: Scope, sid: string) => ({
  kind: 'phone_number' as const,
  sid,
  view: phoneNumbers.view,
  read: (tx: Db): Promise<PhoneNumber | undefined> => numbers.find(tx, scope, sid),
})

const SHOWN = 1_000
const noneChanged = (bad: number, all: number) =>
  `Nothing was changed: ${bad} of ${all} phone numbers cannot use this application`

type Select = Received<typeof api.phoneNumbers.updateMany>['body']['select']

/** The numbers of a bulk edit. Fails as a whole when the caller cannot see one of them. */
async function chosenBy(tx: Db, scope: Scope, select: Select) {
  if ('matching' in select) {
    const found = await numbers.findMatching(tx, scope, select.matching, MATCHING_MAX + 1)
    if (found.length > MATCHING_MAX)
      throw new Failure('invalid', `At most ${MATCHING_MAX} phone numbers at once`)
    return found
  }
  const sids = [...new Set(select.phone_number_sids)]
  const found = await numbers.findAll(tx, scope, sids)
  const foundSids = new Set(found.map((n) => n.phone_number_sid))
  const missing = sids.filter((sid) => !foundSids.has(sid))
  if (missing.length > 0)
    throw new Failure(
      'not_found',
      `Nothing was changed: ${missing.length} of ${sids.length} phone numbers no longer exist`,
      {
        issues: missing
          .slice(0, SHOWN)
          .map((sid) => ({ path: ['phone_number_sids', sid], message: 'No such phone number' })),
      },
    )
  return found
}
const MATCHING_MAX = 200_000

export const phoneNumberRoutes: Handlers<typeof api.phoneNumbers> = {
  list: ({ query, scope, ctx }) => numbers.list(ctx.db, scope, query),

  async ofServiceProvider({ params: { service_provider_sid }, query, scope, ctx }) {
    found(await serviceProviders.find(ctx.db, scope, service_provider_sid), 'service provider')
    return numbers.list(ctx.db, scope, { ...query, service_provider_sid })
  },

  view: async ({ params, scope, ctx }) =>
    found(await numbers.find(ctx.db, scope, params.phone_number_sid), 'phone number'),

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
    const { scope } = actor
    await audited(actor, auditSubject(scope, sid), async (tx, before) => {
      const stored = found(before, 'phone number')
      const { account_sid = stored.account_sid, description } = body
      const moves = account_sid !== stored.account_sid
      const owner = account_sid ? await accounts.owned(tx, scope, account_sid) : undefined
      if (!owner && moves && scope.role === 'account')
        throw invalidField('account_sid', 'A number cannot be moved to another account')
      // what belonged to the old account does not come along
      const { application_sid = moves ? null : stored.application_sid } = body
      const carrier = stored.voip_carrier_sid
      for (const field of ['number', 'voip_carrier_sid'] as const)
        if (body[field] && body[field] !== stored[field])
          throw invalidField(field, FIXED_NUMBER_FIELDS[field], `${field} may not be modified`)
      // a number may stay on a carrier that has no owner
      if (moves && !(carrier && (await voipCarriers.isOwnerless(tx, carrier))))
        await checkCarrier(tx, scope, owner, carrier)
      if (moves || application_sid !== stored.application_sid)
        await checkApplication(tx, scope, owner, application_sid)
      await numbers.update(tx, scope, sid, {
        application_sid,
        ...(description !== undefined && { description }),
        ...(moves && { account_sid, service_provider_sid: numberProvider(scope, owner) }),
      })
    })
  },

  async updateMany({ body: { select, application_sid }, ...actor }) {
    const { scope, ctx } = actor
    return transaction(ctx.db, async (tx) => {
      const chosen = await chosenBy(tx, scope, select)
      const application = application_sid
        ? await applications.find(tx, scope, application_sid)
        : undefined
      if (application_sid && !application)
        throw invalidField('application_sid', 'No such application')
      const foreign = chosen.filter((n) => application && n.account_sid !== application.account_sid)
      if (foreign.length > 0)
        throw new Failure('invalid', noneChanged(foreign.length, chosen.length), {
          issues: foreign.slice(0, SHOWN).map(({ number }) => ({
            path: ['numbers', number],
            message: 'The application belongs to a different account than this number',
          })),
        })
      const changed = chosen.filter((n) => n.application_sid !== application_sid)
      await numbers.assign(
        tx,
        scope,
        changed.map((n) => n.phone_number_sid),
        application_sid,
      )
      const entries = []
      const owners = ownersIn(tx)
      for (const before of changed)
        entries.push(
          (await entryOf(owners, 'phone_number', before.phone_number_sid, before, {
            ...before,
            application_sid,
          }))!,
        )
      await record(tx, actor, entries)
      return { changed: changed.length }
    })
  },

  import(input) {
    refuseToAccounts(input.ctx, input.scope)
    return importCsv(input, phoneNumberImport(input.scope, input.query.service_provider_sid))
  },

  export({ query, scope, ctx }) {
    const list = numbers.list(ctx.db, scope, query)
    return csv(
      PHONE_NUMBER_COLUMNS,
      mapped(list, (n) => ({
        number: n.number,
        account: n.account_name,
        carrier: n.voip_carrier_name,
        application: n.application_name,
        description: n.description,
      })),
    )
  },

  async remove({ params: { phone_number_sid: sid }, ...actor }) {
    const { scope, ctx } = actor
    refuseToAccounts(ctx, scope)
    await audited(actor, auditSubject(scope, sid), async (tx, before) => {
      found(before, 'phone number')
      await numbers.remove(tx, scope, sid)
    })
  },
}
