import { ApiError, t } from '@switchroom/contract'
import { accounts, users } from '../endpoints'
import { lookUp, pageOf, rowsOf } from './lists'
import { notOffered } from './refuse'
import { on, type Server, withoutNulls } from './server'

type Owners = {
  account_sid?: string | null | undefined
  service_provider_sid?: string | null | undefined
}

/** Both owners for users of an account: without a provider they would become administrators. */
async function ownersOf(body: Owners, { send, user }: Server) {
  const account_sid = body.account_sid ?? (user?.scope === 'account' ? user.account_sid : undefined)
  if (!account_sid) return withoutNulls({ service_provider_sid: body.service_provider_sid })
  const all = await lookUp(send, accounts.list, { query: {} })
  const service_provider_sid =
    body.service_provider_sid ??
    all.find((a) => a.account_sid === account_sid)?.service_provider_sid ??
    (user?.scope === 'admin' ? undefined : user?.service_provider_sid)
  if (!service_provider_sid) {
    const message = t('The service provider of this account is not known.')
    const issues = [{ path: ['account_sid'], message }]
    throw new ApiError(400, { code: 'invalid', msg: message, request_id: '', issues })
  }
  return { account_sid, service_provider_sid }
}

const isSid = (value: unknown) => value !== undefined && value !== null

export const forUsers = [
  on(users.list, async ({ query }, { send }) => {
    const all = await rowsOf(send, users.list, { query: {} })
    const { scope, account_sid, service_provider_sid } = query
    const rows = all.filter(
      (u) =>
        (!scope || u.scope === scope) &&
        (!account_sid || u.account_sid === account_sid) &&
        // administrators are listed for every provider
        (!service_provider_sid ||
          u.scope === 'admin' ||
          u.service_provider_sid === service_provider_sid),
    )
    return pageOf(rows, query)
  }),

  on(users.create, async ({ body }, server) => {
    const { account_sid, service_provider_sid, ...user } = body
    const owners = await ownersOf({ account_sid, service_provider_sid }, server)
    return server.send(users.create, { body: { ...user, ...owners } })
  }),

  on(users.update, async ({ params, body }, server) => {
    const { account_sid, service_provider_sid, is_view_only, ...rest } = body
    const moves = account_sid !== undefined || service_provider_sid !== undefined
    if (moves && !isSid(account_sid) && (account_sid === null || !isSid(service_provider_sid))) {
      const stored = await server.send(users.view, { params })
      const same =
        stored.account_sid === (account_sid ?? null) &&
        stored.service_provider_sid === (service_provider_sid ?? null)
      if (!same)
        throw notOffered(
          t(
            'This server does not offer moving a user to a wider scope: delete the user and add it again.',
          ),
        )
    }
    // it treats a missing flag as off
    const viewOnly =
      is_view_only ?? Number((await server.send(users.view, { params })).is_view_only)
    const owners = isSid(account_sid)
      ? await ownersOf({ account_sid, service_provider_sid }, server)
      : withoutNulls({ service_provider_sid })
    return server.send(users.update, {
      params,
      body: { ...withoutNulls(rest), is_view_only: viewOnly === 1 ? 1 : 0, ...owners },
    })
  }),
]
