import {
  ApiError,
  call,
  type Endpoint,
  outgoing,
  type Reply,
  type Sent,
  type Transport,
} from '@switchroom/contract'
import {
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
  queryOptions,
} from '@tanstack/react-query'
import { toastBad } from '../ui/toast'
import { capabilities } from './capabilities'
import { messageOf, statusOf } from './failure'
import { claims, unreachable } from './session'
import { overFetch, Unreachable } from './transport'

declare module '@tanstack/react-query' {
  interface Register {
    /**
     * `beside`: nobody asked for it and nothing waits for it, so that its failure takes nobody away and
     * is not said. `asTyped`: asked for what is being typed, and answered beside it and nowhere else.
     */
    queryMeta: { beside?: true; asTyped?: true }
  }
}

/** The provider whose things are shown, which a stock server has to be told; filled by current-provider.ts. */
export const selected = {
  provider: (): Promise<string> => Promise.reject(new Error('No service provider selected')),
}

/** Calls an endpoint. Throws `ApiError` for a refusal, `Unreachable` when nobody answers. */
export const send = <E extends Endpoint>(e: E, sent: Sent<E>) => sendVia(overFetch, e, sent)

/** The same as the bearer of another token than the session's. */
export const sendVia = async <E extends Endpoint>(
  via: Transport,
  e: E,
  sent: Sent<E>,
): Promise<Reply<E>> => {
  const request = outgoing(e, sent)
  if (await capabilities()) return call(via, e, request)
  // a chunk of its own, which users of our server never load
  const { askStock } = await import('./stock/adapter')
  return askStock(via, { user: claims(), provider: () => selected.provider() }, e, request)
}

/** A query for any GET endpoint, for loaders and components alike. */
export const query = <E extends Endpoint & { method: 'GET' }>(e: E, sent: Sent<E>) =>
  queryOptions<Reply<E>, Error, Reply<E>, readonly unknown[]>({
    queryKey: [e.path, sent],
    queryFn: () => send(e, sent),
  })

type AnyQuery = Query<unknown, unknown, unknown, readonly unknown[]>

const passing = (error: unknown) =>
  error instanceof Unreachable ||
  // a store that hangs has been waited for, and would be waited for again
  (error instanceof ApiError && error.status >= 500 && error.body.code !== 'store_timeout')

/**
 * Whether a toast says what failed, beside what stands in its place. Not of an expired session, which has
 * its own notice; nor of what is not there, which is an answer; nor of each try of a poll. What no component
 * shows yet was fetched for a page that says so itself, or for a link that is only pointed at.
 */
const isNews = (error: Error, { meta, state, observers }: AnyQuery) =>
  observers.length > 0 &&
  !meta?.asTyped &&
  ![401, 404].includes(statusOf(error) ?? 0) &&
  !(state.errorUpdateCount > 1 && observers.some((o) => o.options.refetchInterval))

/**
 * After any write, everything on screen is stale: an admin's data is small, and a missed invalidation
 * is a lie. Reads are tried again before anybody hears of trouble; writes never are.
 */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      // with older data on screen the table says so itself and nobody is sent away
      if (query.meta?.beside || query.state.data !== undefined) return
      if (error instanceof Unreachable) unreachable()
      else if (isNews(error, query)) toastBad(messageOf(error))
    },
  }),
  mutationCache: new MutationCache({ onSuccess: () => queryClient.invalidateQueries() }),
  defaultOptions: {
    queries: {
      retry: (n, error) => n < 3 && passing(error),
      retryDelay: (n) => Math.min(400 * 2 ** n, 3_000),
      staleTime: 2_000,
      // the browser's idea of being online is often wrong for a console on the same network
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})
