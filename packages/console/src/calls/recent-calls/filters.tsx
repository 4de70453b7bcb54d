import { useQuery } from '@tanstack/react-query'
import { query } from '../../lib/api'
import { applications } from '../../lib/endpoints'
import { AccountFilter, useAccountName } from '../../lib/pickers'
import type { FilterProps } from '../../lib/use-set-search'
import { timeText } from '../../ui/dates'
import { FilterBar, FilterSelect, SearchInput } from '../../ui/filter-bar'
import { CALL_DATES, isCallDate } from '../call-span'
import { failureWord } from '../call-text'
import { filtersOf, type Search } from './search'

const DIRECTIONS = [
  { value: '', label: 'Either direction' },
  { value: 'inbound', label: 'Inbound only' },
  { value: 'outbound', label: 'Outbound only' },
]
const STATUSES = [
  { value: '', label: 'All statuses' },
  { value: 'true', label: 'Answered' },
  { value: 'false', label: 'Not answered' },
]
const NONE = {
  filter: undefined,
  account_sid: undefined,
  date: undefined,
  direction: undefined,
  answered: undefined,
  trunk: undefined,
  application_sid: undefined,
  sip_status: undefined,
  start: undefined,
  end: undefined,
}

function useApplicationName(application_sid: string) {
  const { data } = useQuery({
    ...query(applications.view, { params: { application_sid } }),
    enabled: application_sid !== '',
  })
  return data?.name ?? application_sid
}

export function Filters({ search, setSearch }: FilterProps<Search>) {
  const filters = filtersOf(search)
  const account = useAccountName(search.account_sid ?? '')
  const application = useApplicationName(search.application_sid ?? '')
  const linked = !!(search.start || search.end)
  const date = isCallDate(search.date) ? search.date : 'today'
  const chip = (name: string, value: string | undefined, without: Partial<typeof NONE>) => ({
    name,
    value,
    onRemove: () => setSearch(without),
  })
  const since = 'start' in filters && filters.start && timeText(filters.start)
  const until = 'end' in filters && filters.end && timeText(filters.end)
  const span = since && until ? `${since} to ${until}` : since ? `since ${since}` : `until ${until}`
  const chips = [
    chip('Time', linked ? span : undefined, { start: undefined, end: undefined }),
    chip('Text', search.filter, { filter: undefined }),
    chip('Account', account, { account_sid: undefined }),
    chip('Carrier', search.trunk, { trunk: undefined }),
    chip('Application', application, { application_sid: undefined }),
    chip(
      'SIP status',
      filters.sip_status === undefined
        ? undefined
        : `${filters.sip_status} ${filters.answered === 'true' ? '' : failureWord(filters.sip_status)}`,
      { sip_status: undefined },
    ),
  ]
  return (
    <FilterBar chips={chips} onClear={() => setSearch(NONE)}>
      <SearchInput
        label="Filter by number or call ID"
        value={search.filter ?? ''}
        onChange={(filter) => setSearch({ filter: filter || undefined })}
      />
      <AccountFilter
        value={search.account_sid ?? ''}
        onChange={(sid) => setSearch({ account_sid: sid || undefined })}
      />
      <FilterSelect
        label="Date"
        options={linked ? [{ value: 'linked', label: 'Custom range' }, ...CALL_DATES] : CALL_DATES}
        value={linked ? 'linked' : date}
        onChange={(v) =>
          setSearch({ date: v === 'today' ? undefined : v, start: undefined, end: undefined })
        }
      />
      <FilterSelect
        label="Direction"
        options={DIRECTIONS}
        value={filters.direction ?? ''}
        onChange={(v) => setSearch({ direction: v || undefined })}
      />
      <FilterSelect
        label="Status"
        options={STATUSES}
        value={filters.answered ?? ''}
        onChange={(v) => setSearch({ answered: v || undefined })}
      />
    </FilterBar>
  )
}
