import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
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

function pickProvider(list: Provider[]): string {
  const user = requireClaims()
  const stored = localStorage.getItem(KEY)
  const wanted = user.scope === 'admin' ? stored : user.service_provider_sid
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
  // so that the next visit knows it from the start
  if (!stored()) localStorage.setItem(KEY, picked)
  return picked
}

/**
 * The same, most likely, without waiting for the list of providers: for requests whose answer nobody sees if it is
 * another one after all.
 */
export async function likelyProvider(): Promise<string> {
  const user = requireClaims()
  const likely = user.scope === 'admin' ? stored() : user.service_provider_sid
  if (!likely) return currentProvider()
  queryClient.ensureQueryData(providers()).catch(() => undefined)
  return likely
}

selected.provider = currentProvider

/** Remembers an admin's choice. The caller navigates to a screen of the new provider. */
export function selectProvider(sid: string) {
  localStorage.setItem(KEY, sid)
  localStorage.removeItem('accountFilter')
  for (const listener of listeners) listener()
}

const stored = () => localStorage.getItem(KEY)
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The current provider, in a component below the frame, which has loaded the list. */
export function useCurrentProvider(): string {
  useSyncExternalStore(subscribe, stored)
  return pickProvider(useSuspenseQuery(providers()).data.data)
}

/** The current provider with all its members; undefined until known. */
export function useProvider() {
  useSyncExternalStore(subscribe, stored)
  const list = useQuery(providers()).data?.data ?? []
  const sid = pickProvider(list)
  return list.find((p) => p.service_provider_sid === sid)
}
