import { query, queryClient, selected } from './api'
import { serviceProviders } from './endpoints'
import { requireClaims } from './session'

const KEY = 'activeServiceProvider'
const listeners = new Set<() => void>()

/** All providers the user may see, by name. A platform has tens of them, not thousands. */
export const providers = () =>
  query(serviceProviders.list, { query: { page: 1, page_size: 1000, sort: 'name' } })

const SOON_MS = 1_000

/** Waits for the providers, but not long, so that most screens are shown at once and not in parts. Never rejects. */
export const providersSoon = () =>
  Promise.race([
    queryClient.ensureQueryData(providers()).then(
      () => undefined,
      () => undefined,
    ),
    new Promise<void>((resolve) => setTimeout(resolve, SOON_MS)),
  ])

type Provider = { service_provider_sid: string; name: string }

/** The chosen one of these, or the first. */
export function pickProvider(list: Provider[]): string {
  const user = requireClaims()
  const wanted = user.scope === 'admin' ? storedProvider() : user.service_provider_sid
  const provider = list.find((p) => p.service_provider_sid === wanted) ?? list[0]
  return provider?.service_provider_sid ?? wanted ?? ''
}

/**
 * The provider whose resources are shown. Loaders wait for it, so that no screen makes requests for an unknown
 * provider; for all users but admins it is in the token.
 */
export async function currentProvider(): Promise<string> {
  const user = requireClaims()
  if (user.scope !== 'admin' && user.service_provider_sid) return user.service_provider_sid
  const picked = pickProvider((await queryClient.ensureQueryData(providers())).data)
  // so that the next visit knows it from the start, and no longer one that is gone
  if (storedProvider() !== picked) localStorage.setItem(KEY, picked)
  return picked
}

/**
 * The same, most likely, without waiting for the list of providers: for requests whose answer nobody sees if it is
 * another one after all.
 */
export async function likelyProvider(): Promise<string> {
  const user = requireClaims()
  const likely = user.scope === 'admin' ? storedProvider() : user.service_provider_sid
  const current = currentProvider()
  if (!likely) return current
  current.catch(() => undefined)
  return likely
}

selected.provider = currentProvider

/** Remembers an admin's choice. The caller navigates to a screen of the new provider. */
export function selectProvider(sid: string) {
  localStorage.setItem(KEY, sid)
  localStorage.removeItem('accountFilter')
  for (const listener of listeners) listener()
}

/** What an admin chose last, in this browser. */
export const storedProvider = () => localStorage.getItem(KEY)
/** Calls the listener when an admin chooses a provider. */
export function onSelect(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
