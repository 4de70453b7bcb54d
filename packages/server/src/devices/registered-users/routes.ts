import { type api, t } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import { Failure, found } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import type { Device } from '../../live/state.ts'
import * as users from './queries.ts'

type HandlerInput = { params: { account_sid: string }; scope: Scope; ctx: Context }

async function realm({ params, scope, ctx }: HandlerInput) {
  const account = found(await users.realmOf(ctx.db, scope, params.account_sid), t('account'))
  if (!account.sip_realm)
    throw new Failure('invalid', t('account does not have sip_realm configuration'))
  return account.sip_realm.toLowerCase()
}

const names = async ({ ctx }: HandlerInput, realm: string) =>
  (await ctx.state.registrations(realm)).map((r) => `${r.user}@${r.realm}`).sort()

const usernameOf = (name: string, realm: string) =>
  name.endsWith(`@${realm}`) ? name.slice(0, -realm.length - 1) : name

const flag = (value: unknown) => (value ? 1 : 0)
const status = (device: Device | undefined) =>
  device ? ('active' as const) : ('inactive' as const)

const registrationFields = (device: Device | undefined) => ({
  contact: device?.contact ?? null,
  expiryTime: device?.expiryTime ?? 0,
  protocol: device?.protocol ?? null,
  ...(device?.proxy && { proxy: device.proxy }),
})

export const registeredUserRoutes: Handlers<typeof api.registeredUsers> = {
  list: ({ query, scope, ctx }) => users.list(ctx, scope, query),

  ofAccount: async (input) => names(input, await realm(input)),

  async find(input) {
    const { body, ctx } = input
    const at = await realm(input)
    if (Array.isArray(body) && body.length > 0) {
      // some clients send `user@realm`, as lists show it
      const usernames = body.map((name) => usernameOf(name, at))
      const devices = await ctx.state.devices(usernames.map((name) => `${name}@${at}`))
      return usernames.map((name, i) => ({
        name,
        ...registrationFields(devices[i]),
        ...(devices[i]?.sbcAddress && { sbcAddress: devices[i].sbcAddress }),
        registered_status: status(devices[i]),
      }))
    }
    const all = await names(input, at)
    const devices = await ctx.state.devices(all)
    // skips users whose registration has expired since
    return all.flatMap((name, i) =>
      devices[i] ? [{ name: usernameOf(name, at), ...registrationFields(devices[i]) }] : [],
    )
  },

  async view(input) {
    const { params, ctx } = input
    const at = await realm(input)
    const [device] = await ctx.state.devices([`${params.client}@${at}`])
    const may = await users.allowed(ctx.db, params.account_sid, params.client)
    return {
      name: params.client,
      ...registrationFields(device),
      proxy: device?.proxy ?? null,
      allow_direct_app_calling: flag(may?.allow_direct_app_calling),
      allow_direct_queue_calling: flag(may?.allow_direct_queue_calling),
      allow_direct_user_calling: flag(may?.allow_direct_user_calling),
      registered_status: status(device),
    }
  },
}
