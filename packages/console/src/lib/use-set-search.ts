import { useNavigate } from '@tanstack/react-router'
import { defined } from './list-search'

/** Changes members of the list's URL. Another filter is another list: it starts at its first page. */
export function useSetSearch<S extends object>() {
  const navigate = useNavigate()
  return (patch: { [K in keyof S]?: S[K] | undefined }) =>
    void navigate({
      to: '.',
      // the router knows which members its screens have, and not that these are one screen's
      search: ((old: S) => defined({ ...old, page: undefined, ...patch })) as never,
    })
}
