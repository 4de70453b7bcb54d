import { sipStatusText, t, trunkText } from '@switchroom/contract'
import { ownAccount } from '../../lib/access'
import { useApplicationName } from '../../lib/application-name'
import { AccountFilter, useAccountName } from '../../lib/pickers'
import { ApplicationFilter } from '../../lib/searched-filters'
import type { FilterProps } from '../../lib/use-set-search'
import { FilterBar, FilterSelect, SearchInput } from '../../ui/filter-bar'
import { Switch } from '../../ui/toggle'
import { CALL_DATES, spanQuery } from '../call-span'
import { dateIn, type FilterName, filtersOf, missingIn, NO_FILTERS, type Search } from '../search'
import { CarrierPicker, StatusPicker } from './filter-pickers'
import { ModelFilter, modelChips } from './model-filter'
import { RangeInputs } from './range-inputs'
import { SaidFilter } from './said-filter'
import { useVoiceChips, VoiceFilter } from './voice-filter'

const DIRECTIONS = [
  { value: '', label: t('Either direction') },
  { value: 'inbound', label: t('Inbound only') },
  { value: 'outbound', label: t('Outbound only') },
]
const STATUSES = [
  { value: '', label: t('All statuses') },
  { value: 'true', label: t('Answered') },
  { value: 'false', label: t('Not answered') },
  { value: 'known', label: t('Outcome known') },
  { value: 'unknown', label: t('Outcome unknown') },
]
const DATES = [...CALL_DATES, { value: 'range', label: t('Custom range') }]
const SCORES = [
  { value: '', label: t('Scored or not') },
  { value: 'scored', label: t('Scored') },
  { value: 'passed', label: t('Passed') },
  { value: 'failed', label: t('Failed') },
  { value: 'unsure', label: t('Not certain') },
]
const MISSING_TEXT = {
  trunk: t('carrier'),
  account_sid: t('account'),
  application_sid: t('application'),
  sip_status: t('SIP status'),
}

const labelIn = (options: readonly { value: string; label: string }[], value: string | undefined) =>
  value && options.find((o) => o.value === value)?.label

export function Filters({
  search,
  setSearch,
  trunks,
}: FilterProps<Search> & {
  /** The carriers in the list. */
  trunks: readonly string[]
}) {
  const filters = filtersOf(search)
  const account = useAccountName(search.account_sid ?? '')
  const application = useApplicationName(search.application_sid ?? '')
  const isRange = !!(search.start || search.end)
  const date = dateIn(search)
  const chip = (name: string, value: string | undefined, filter: 'filter' | FilterName) => ({
    name,
    value,
    onRemove: () => setSearch({ [filter]: undefined }),
  })
  const status = filters.sip_status
  const missing = missingIn(search).map((name) => MISSING_TEXT[name])
  const chips = [
    chip(t('Text'), search.filter, 'filter'),
    chip(t('Account'), account, 'account_sid'),
    chip(t('Direction'), labelIn(DIRECTIONS, filters.direction), 'direction'),
    chip(t('Status'), labelIn(STATUSES, filters.answered), 'answered'),
    chip(t('Carrier'), search.trunk && trunkText(search.trunk), 'trunk'),
    chip(t('Application'), application, 'application_sid'),
    chip(t('SIP status'), status === undefined ? undefined : sipStatusText(status), 'sip_status'),
    chip(t('Called prefix'), filters.prefix, 'prefix'),
    chip(t('Unknown'), missing.join(', '), 'missing'),
    ...useVoiceChips({ filters, setSearch }),
    chip(t('Said'), filters.said, 'said'),
    chip(t('Scores'), labelIn(SCORES, filters.score), 'score'),
    ...modelChips({ filters, setSearch }),
  ]
  return (
    <FilterBar
      chips={chips}
      onClear={() => setSearch(NO_FILTERS)}
      search={
        <SearchInput
          label={t('Filter by number or call ID')}
          value={search.filter ?? ''}
          onChange={(filter) => setSearch({ filter: filter || undefined })}
        />
      }
      more={
        <>
          <FilterSelect
            label={t('Direction')}
            options={DIRECTIONS}
            value={filters.direction ?? ''}
            onChange={(v) => setSearch({ direction: v || undefined })}
          />
          <FilterSelect
            label={t('Status')}
            options={STATUSES}
            value={filters.answered ?? ''}
            onChange={(v) => setSearch({ answered: v || undefined })}
          />
          <StatusPicker
            value={filters.sip_status === undefined ? '' : String(filters.sip_status)}
            onChange={(v) => setSearch({ sip_status: v || undefined })}
          />
          <CarrierPicker
            value={search.trunk ?? ''}
            seen={trunks}
            onChange={(v) => setSearch({ trunk: v || undefined })}
          />
          <ApplicationFilter
            value={search.application_sid ?? ''}
            name={application}
            account_sid={search.account_sid}
            onChange={(v) => setSearch({ application_sid: v || undefined })}
          />
          <VoiceFilter filters={filters} setSearch={setSearch} />
          <SaidFilter value={search.said ?? ''} onChange={(said) => setSearch({ said })} />
          <FilterSelect
            label={t('Scores')}
            options={SCORES}
            value={filters.score ?? ''}
            onChange={(v) => setSearch({ score: v || undefined })}
          />
          <ModelFilter
            filters={filters}
            setSearch={setSearch}
            hasPrices={(ownAccount() ?? search.account_sid) !== undefined}
          />
        </>
      }
    >
      <AccountFilter
        value={search.account_sid ?? ''}
        onChange={(sid) => setSearch({ account_sid: sid || undefined })}
      />
      <FilterSelect
        label={t('Date')}
        options={DATES}
        value={isRange ? 'range' : date}
        onChange={(v) =>
          setSearch(
            v === 'range'
              ? { date: undefined, end: undefined, ...spanQuery(date) }
              : { date: v === 'today' ? undefined : v, start: undefined, end: undefined },
          )
        }
      />
      {isRange && <RangeInputs start={filters.start} end={filters.end} onChange={setSearch} />}
      <Switch
        label={t('Live')}
        value={search.live === 'on'}
        onChange={(on) => setSearch({ live: on ? 'on' : undefined })}
      />
    </FilterBar>
  )
}
