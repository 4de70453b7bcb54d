import { ApiError, membersOf, type Transport } from '@switchroom/contract'
import {
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
  queryOptions,
} from '@tanstack/react-query'
import { toastError } from '../ui/toast'
import { call } from './call'
import { capabilities } from './capabilities'
import type { Endpoint, Reply, Sent } from './endpoints'
import { messageOf, statusOf } from './failure'
import { claims, reportUnreachable } from './session'
import { fetchTransport, Unreachable } from './transport'

declare module '@tanstack/react-query' {
  interface Register {
    /**
     * `background`: a request whose failure is neither reported nor sends the user to the log-in page.
     * `inline`: a request for what is being typed, whose error is shown beside the input only.
     */
    queryMeta: { background?: true; inline?: true }
    /** `gone`: the sid of what is deleted, which is not read again. */
    mutationMeta: { gone?: string | undefined }
  }
}

/** The current provider, which requests to a stock server need. Set by current-provider.ts. */
export const selected = {
  provider: (): Promise<string> => Promise.reject(new Error('No service provider selected')),
}

/** Keys of creations whose answer never came. Whoever changes something else in between means a new one. */
const unanswered = new Map<string, string>()

/** Calls an endpoint. Throws `ApiError` for an error response, `Unreachable` if there is none. */
export const send = <E extends Endpoint>(e: E, sent: Sent<E>) => sendVia(fetchTransport, e, sent)

/** The same with another transport, such as one with another token. */
export const sendVia = async <E extends Endpoint>(
  via: Transport,
  e: E,
  sent: Sent<E>,
): Promise<Reply<E>> => {
  const request = await e.parse(sent)
  if (await capabilities()) {
    if (!e.creates) return call(via, e, request)
    const { createOnce } = await import('./create-once')
    return call(createOnce(via, unanswered), e, request)
  }
  // in its own chunk, which is not loaded with our server
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

const isTransient = (error: unknown) =>
  error instanceof Unreachable ||
  // retrying a store that timed out would only wait as long again
  (error instanceof ApiError && error.status >= 500 && error.body.code !== 'store_timeout')

/**
 * True if an error is reported in a toast. Not for an expired session, which has its own notice, nor for 404, nor for
 * every failed poll. A query without observers was prefetched, for a screen that shows the error itself or for a link
 * that was only hovered over.
 */
const needsToast = (error: Error, { meta, state, observers }: AnyQuery) =>
  observers.length > 0 &&
  !meta?.inline &&
  ![401, 404].includes(statusOf(error) ?? 0) &&
  !(state.errorUpdateCount > 1 && observers.some((o) => o.options.refetchInterval))

/** A page of what was deleted is still on screen while this is done. */
async function invalidateAll(gone?: string) {
  if (!gone) return queryClient.invalidateQueries()
  const isGone = ({ queryKey: [, sent] }: { queryKey: readonly unknown[] }) =>
    Object.values(membersOf(membersOf(sent).params)).includes(gone)
  await Promise.all([
    queryClient.invalidateQueries({ predicate: isGone, refetchType: 'none' }),
    queryClient.invalidateQueries({ predicate: (query) => !isGone(query) }),
  ])
}

/**
 * Every write invalidates all queries: the data is small, and a missed invalidation would show wrong data.
 * Reads are retried before an error is shown; writes never are.
 */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      // with older data on screen the table shows the error, and the user stays on the page
      if (query.meta?.background || query.state.data !== undefined) return
      if (error instanceof Unreachable) reportUnreachable()
      else if (needsToast(error, query)) toastError(messageOf(error))
    },
  }),
  mutationCache: new MutationCache({
    onSuccess: (_, __, ___, { meta }) => {
      unanswered.clear()
      return invalidateAll(meta?.gone)
    },
  }),
  defaultOptions: {
    queries: {
      retry: (n, error) => n < 3 && isTransient(error),
      retryDelay: (n) => Math.min(400 * 2 ** n, 3_000),
      staleTime: 2_000,
      // the browser's online status is often wrong for a server on the same network
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})
