import { t } from '@switchroom/contract'
import { query, queryClient, selected } from './api'
import { serviceProviders } from './endpoints'
import { setNotice } from './notice'
import { claims, requireClaims } from './session'

const KEY = 'activeServiceProvider'
const NO_ACCESS = t('Service provider not found, or you do not have access to it.')
const listeners = new Set<() => void>()
/** The provider that this tab's address names. Another tab may be at another one. */
let linked: string | undefined

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
  const wanted = user.scope === 'admin' ? storedProvider() : (user.service_provider_sid ?? null)
  const is = (sid: string | null) => list.find((p) => p.service_provider_sid === sid)
  const provider = is(wanted) ?? is(localStorage.getItem(KEY)) ?? list[0]
  return provider?.service_provider_sid ?? wanted ?? ''
}

/**
 * The provider whose resources are shown. Loaders wait for it, so that no screen makes requests for an unknown
 * provider; for all users but admins it is in the token.
 */
export async function currentProvider(): Promise<string> {
  const user = requireClaims()
  if (user.scope !== 'admin' && user.service_provider_sid) return user.service_provider_sid
  const { data } = await queryClient.ensureQueryData(providers())
  const picked = pickProvider(data)
  if (linked && linked !== picked) {
    linked = undefined
    setNotice(NO_ACCESS)
  }
  // so that the next visit knows it from the start, and no longer one that is gone
  if (localStorage.getItem(KEY) !== picked) localStorage.setItem(KEY, picked)
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
  linked = sid
  localStorage.setItem(KEY, sid)
  localStorage.removeItem('accountFilter')
  for (const listener of listeners) listener()
}

/** Opens an address with the provider it names, also by the Back button. */
export function openLinkedProvider(sid: string) {
  const user = claims()
  if (user && user.scope !== 'admin') {
    linked = undefined
    if (user.service_provider_sid && user.service_provider_sid !== sid) setNotice(NO_ACCESS)
    return
  }
  if (storedProvider() !== sid) localStorage.removeItem('accountFilter')
  if (linked === sid) return
  linked = sid
  for (const listener of listeners) listener()
}

/** The provider that addresses name: for admins, once there are several. */
export function linkedProvider(): string | undefined {
  const user = claims()
  if (user && user.scope !== 'admin') return
  const all = queryClient.getQueryData(providers().queryKey)?.data
  if (!user || !all) return linked
  return all.length > 1 ? pickProvider(all) : undefined
}

/** The provider of this tab's address, or what an admin chose last in this browser. */
export const storedProvider = () => linked ?? localStorage.getItem(KEY)
/** Calls the listener when an admin chooses a provider. */
export function onSelect(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
