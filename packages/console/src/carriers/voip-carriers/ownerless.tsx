import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { atLeast } from '../../lib/access'
import { useCapabilities } from '../../lib/use-capabilities'
import { useSetSearch } from '../../lib/use-set-search'
import { FilterBar, SearchInput } from '../../ui/filter-bar'
import { type OwnerlessSearch, ownerlessCount } from './queries'

/** Only administrators see carriers without a provider, and only our server lists them. `null` until known. */
export function useSeesOwnerless() {
  const ours = useCapabilities()
  return atLeast('admin') && (ours === null ? null : !!ours)
}

export function OwnerlessHint() {
  const total = useQuery({ ...ownerlessCount(), placeholderData: keepPreviousData }).data?.total
  if (!total) return null
  return (
    <p className="hint">
      {total === 1 ? '1 carrier has' : `${total.toLocaleString()} carriers have`} no service
      provider, so incoming calls from {total === 1 ? 'it' : 'them'} are ignored.{' '}
      <Link to="/internal/carriers" search={{ provider: 'none' }}>
        Show {total === 1 ? 'it' : 'them'}
      </Link>
    </p>
  )
}

/** Filters for carriers without a provider, which cannot be filtered by account. */
export function OwnerlessFilters({ filter = '' }: { filter: string | undefined }) {
  const setSearch = useSetSearch<OwnerlessSearch>()
  const noText = () => setSearch({ filter: undefined })
  const anyProvider = () => setSearch({ provider: undefined })
  return (
    <>
      <FilterBar
        chips={[
          { name: 'Name', value: filter, onRemove: noText },
          { name: 'Service provider', value: 'No service provider', onRemove: anyProvider },
        ]}
        onClear={() => setSearch({ filter: undefined, provider: undefined })}
      >
        <SearchInput
          label="Filter carriers"
          value={filter}
          onChange={(filter) => setSearch({ filter: filter || undefined })}
        />
      </FilterBar>
      <p className="hint">Open a carrier to choose its service provider.</p>
    </>
  )
}
