import { Forbidden, type Switchroom } from '@switchroom/client'
import type { Owner } from './servers.ts'

/** Returns the answer; undefined if this key may not have it. */
const allowed = <T>(asked: Promise<T>) =>
  asked.catch((error: unknown) => {
    if (error instanceof Forbidden) return undefined
    throw error
  })

/**
 * Who an API key belongs to, found out by what it may read, since the API does not tell keys who they are. Empty for
 * administrators, and for keys that are limited to other kinds of things: their commands must name the owner.
 */
export async function ownerOf(api: Switchroom): Promise<Owner> {
  if (await allowed(api.settings.systemInformation())) return {}
  const query = { page_size: 1 }
  const providers = await allowed(api.serviceProviders.list({ query }))
  const service_provider_sid = providers?.data[0]?.service_provider_sid
  if (!service_provider_sid) return {}
  const params = { service_provider_sid }
  if (await allowed(api.limits.ofServiceProvider({ params }))) return params
  const accounts = await allowed(api.accounts.list({ query }))
  return { ...params, account_sid: accounts?.data[0]?.account_sid }
}
