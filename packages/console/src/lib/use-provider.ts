import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { onSelect, pickProvider, providers, storedProvider } from './current-provider'

/** The current provider, in a component below the frame, which has loaded the list. */
export function useCurrentProvider(): string {
  useSyncExternalStore(onSelect, storedProvider)
  return pickProvider(useSuspenseQuery(providers()).data.data)
}

/** The current provider with all its members; undefined until known. */
export function useProvider() {
  useSyncExternalStore(onSelect, storedProvider)
  const list = useQuery(providers()).data?.data ?? []
  const sid = pickProvider(list)
  return list.find((p) => p.service_provider_sid === sid)
}
