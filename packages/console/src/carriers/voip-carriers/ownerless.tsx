import { plural, t } from '@switchroom/contract'
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
      {plural(
        total,
        '1 carrier has no service provider, so incoming calls from it are ignored.|{n} carriers have no service provider, so incoming calls from them are ignored.',
      )}{' '}
      <Link to="/internal/carriers" search={{ provider: 'none' }}>
        {plural(total, 'Show it|Show them')}
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
          { name: t('Name'), value: filter, onRemove: noText },
          { name: t('Service provider'), value: t('No service provider'), onRemove: anyProvider },
        ]}
        onClear={() => setSearch({ filter: undefined, provider: undefined })}
        search={
          <SearchInput
            label={t('Filter carriers')}
            value={filter}
            onChange={(filter) => setSearch({ filter: filter || undefined })}
          />
        }
      />
      <p className="hint">{t('Open a carrier to choose its service provider.')}</p>
    </>
  )
}
