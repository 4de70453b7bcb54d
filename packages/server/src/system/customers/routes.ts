import { type api, type Received, t } from '@switchroom/contract'
import { applicationRoutes } from '../../applications/routes.ts'
import type { Db } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'
import type { Context } from '../../http/context.ts'
import { Failure, invalidField, missingField } from '../../http/failure.ts'
import type { RequestMeta, Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import * as phoneNumbers from '../../routing/phone-numbers/queries.ts'
import { phoneNumberRoutes } from '../../routing/phone-numbers/routes.ts'
import { accountRoutes } from '../../tenants/accounts/routes.ts'
import { userRoutes } from '../../users/routes.ts'

type Actor = { scope: Scope; ctx: Context; meta: RequestMeta }

/** Locks for the new rows: their names cannot be taken while they are added. */
const LOCKS = ['accounts', 'users']

export const customerRoutes: Handlers<typeof api.customers> = {
  async create({ body, scope, ctx, meta }) {
    const { user, application, numbers, ...account } = body
    const service_provider_sid =
      scope.role === 'service_provider' ? scope.service_provider_sid : body.service_provider_sid
    if (!service_provider_sid) throw missingField('service_provider_sid')
    const add = async (tx: Db) => {
      // each is added as by itself, but that only the whole is remembered
      const { remember, unknown_fields: _, ...rest } = meta
      const actor: Actor = { scope, ctx: { ...ctx, db: tx }, meta: rest }
      const found = await freeNumbers(tx, scope, service_provider_sid, numbers)
      const { sid: account_sid } = await accountRoutes.create({
        ...actor,
        body: { ...account, service_provider_sid },
      })
      const added =
        user &&
        (await within(
          'user',
          userRoutes.create({ ...actor, body: { ...USER, ...user, account_sid } }),
        ))
      const answering = application && (await addApplication(actor, account_sid, application))
      for (const phone_number_sid of found)
        await phoneNumberRoutes.update({
          ...actor,
          params: { phone_number_sid },
          body: { account_sid, application_sid: answering?.sid ?? null },
        })
      const answer = {
        account_sid,
        user_sid: added?.user_sid ?? null,
        application_sid: answering?.sid ?? null,
        phone_number_sids: found,
      }
      await remember?.(tx, answer)
      return answer
    }
    return transaction(ctx.db, add, { lock: LOCKS })
  },
}

const USER = { is_active: 1, is_view_only: 0 } as const

async function addApplication(
  actor: Actor,
  account_sid: string,
  application: NonNullable<Received<typeof api.customers.create>['body']['application']>,
) {
  const body = { ...application, account_sid }
  const added = await within('application', applicationRoutes.create({ ...actor, body }))
  await accountRoutes.update({
    ...actor,
    params: { account_sid },
    body: { device_calling_application_sid: added.sid },
  })
  return added
}

/** Numbers of the provider, or of nobody, that no account has, in any order. Throws 400 for others. */
async function freeNumbers(
  tx: Db,
  scope: Scope,
  service_provider_sid: string,
  numbers: readonly string[],
) {
  if (numbers.length === 0) return []
  const rows = await phoneNumbers
    .visible(tx, scope)
    .select(['phone_number_sid', 'number'])
    .where('number', 'in', numbers)
    .where('account_sid', 'is', null)
    .where((eb) =>
      eb('service_provider_sid', '=', service_provider_sid).or('service_provider_sid', 'is', null),
    )
    .execute()
  const missing = numbers.find((number) => !rows.some((row) => row.number === number))
  if (missing)
    throw invalidField(
      'numbers',
      t('{number} is not one of the numbers without an account', { number: missing }),
    )
  return rows.map((row) => row.phone_number_sid)
}

/** Says in which part of the customer a field is. */
async function within<T>(part: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (e) {
    if (e instanceof Failure)
      e.issues = e.issues.map((one) => ({ ...one, path: [part, ...one.path] }))
    throw e
  }
}
