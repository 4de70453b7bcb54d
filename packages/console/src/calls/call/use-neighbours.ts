import type { Call } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { PAGE_SIZE } from '../../lib/page-sizes'
import { useCurrentProvider } from '../../lib/use-provider'
import { idOf, listOf, type Search } from '../search'

/** Another call of the list, and the search of the page that it is on. */
export type Neighbour = { id: string; search: Search }

/**
 * The calls before and after one in the list of this search. `call`: used to find them by its time if the list does not
 * show it, such as after opening a link.
 */
export function useNeighbours(id: string, search: Search, call?: Call) {
  const provider = useCurrentProvider()
  const { page = 1, page_size = PAGE_SIZE } = search
  const pageOf = (n: number): Search => {
    const { page: _, ...rest } = search
    return n > 1 ? { ...rest, page: n } : rest
  }
  const { data, isFetched } = useQuery({ ...listOf(provider, search), ...QUIET })
  const rows = data?.data ?? []
  const at = rows.findIndex((call) => idOf(call) === id)
  const isFirst = at === 0 && page > 1
  const isLast = at >= 0 && at === rows.length - 1 && page * page_size < (data?.total ?? 0)
  const before = useQuery({
    ...listOf(provider, pageOf(page - 1)),
    ...QUIET,
    enabled: isFirst,
  })
  const near = useQuery({
    queryKey: ['calls around', id, provider, search],
    queryFn: async () => {
      // most calls are opened from their list
      const { around } = await import('./around')
      return around({ provider: call?.service_provider_sid ?? provider, search }, call!)
    },
    ...QUIET,
    enabled: at < 0 && isFetched && call !== undefined,
  })
  const after = useQuery({ ...listOf(provider, pageOf(page + 1)), ...QUIET, enabled: isLast })
  const neighbour = (
    call: Parameters<typeof idOf>[0] | undefined,
    n: number,
  ): Neighbour | undefined => {
    const other = call && idOf(call)
    return other === undefined ? undefined : { id: other, search: pageOf(n) }
  }
  if (at < 0)
    return {
      previous: neighbour(near.data?.previous, page),
      next: neighbour(near.data?.next, page),
    }
  return {
    previous: isFirst
      ? neighbour(before.data?.data.at(-1), page - 1)
      : neighbour(rows[at - 1], page),
    next: isLast ? neighbour(after.data?.data[0], page + 1) : neighbour(rows[at + 1], page),
  }
}

/** The cached list; a failure to load it is not reported. */
const QUIET = { staleTime: 60_000, meta: { background: true } } as const
