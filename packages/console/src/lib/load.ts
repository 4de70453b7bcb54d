import type { FetchQueryOptions } from '@tanstack/react-query'
import { queryClient } from './api'
import { likelyProvider } from './current-provider'

type ListOf<S, T> = (
  service_provider_sid: string,
  search: S,
) => FetchQueryOptions<T, Error, T, readonly unknown[]>

/**
 * Starts a list's request while its code loads; the table shows a skeleton. A browser that
 * knows no provider yet asks for them first, which the frame does not wait for.
 */
export async function loadList<S, T>(listOf: ListOf<S, T>, search: S) {
  void likelyProvider().then(
    (sid) => queryClient.prefetchQuery(listOf(sid, search)),
    () => undefined,
  )
}
