import type { FetchQueryOptions } from '@tanstack/react-query'
import { queryClient } from './api'
import { likelyProvider } from './current-provider'

type ListOf<S, T> = (
  service_provider_sid: string,
  search: S,
) => FetchQueryOptions<T, Error, T, readonly unknown[]>

/**
 * Starts a screen's requests while its code loads. A browser that knows no provider yet asks for them first, which the
 * frame does not wait for.
 */
export async function prefetchForProvider<T>(
  queriesOf: (service_provider_sid: string) => FetchQueryOptions<T, Error, T, readonly unknown[]>[],
) {
  void likelyProvider().then(
    (sid) => {
      for (const query of queriesOf(sid)) void queryClient.prefetchQuery(query)
    },
    () => undefined,
  )
}

/** Starts a list's request; the table shows a skeleton. */
export const loadList = <S, T>(listOf: ListOf<S, T>, search: S) =>
  prefetchForProvider((sid) => [listOf(sid, search)])
