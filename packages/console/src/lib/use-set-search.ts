import { useNavigate } from '@tanstack/react-router'
import { defined } from './list-search'

/** Changes members of the list's URL and goes to its first page. */
export function useSetSearch<S extends object>() {
  const navigate = useNavigate()
  return (patch: { [K in keyof S]?: S[K] | undefined }) =>
    void navigate({
      to: '.',
      // the router knows the search of all screens together, but not that S is the current one's
      search: ((old: S) => defined({ ...old, page: undefined, ...patch })) as never,
    })
}

export type SetSearch<S extends object> = ReturnType<typeof useSetSearch<S>>

/** The filters above a list, kept in its URL. */
export type FilterProps<S extends object> = { search: S; setSearch: SetSearch<S> }
