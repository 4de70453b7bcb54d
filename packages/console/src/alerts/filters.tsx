import { ALERT_TYPES, alertTypeText, t, VIEW_ALERT_TYPES } from '@switchroom/contract'
import { CALL_DATES } from '../calls/call-span'
import { AccountFilter, useAccountName } from '../lib/pickers'
import { useCapabilities } from '../lib/use-capabilities'
import type { FilterProps } from '../lib/use-set-search'
import { FilterBar, FilterSelect, SearchInput } from '../ui/filter-bar'
import { DEFAULT_DATE, dateOf, type Search } from './search'

const TYPES = Object.entries({ ...ALERT_TYPES, ...VIEW_ALERT_TYPES })
  .map(([value, { name }]) => ({ value, label: name }))
  .sort((a, b) => a.label.localeCompare(b.label))

const GROUPINGS = [
  { value: '', label: t('Each alert') },
  { value: 'type', label: t('By type and account') },
]

export function Filters({ search, setSearch }: FilterProps<Search>) {
  const account = useAccountName(search.account_sid ?? '')
  const { alert_type = '' } = search
  const type = alert_type && alertTypeText(alert_type).name
  // a link may name a type that only a newer component knows
  const isListed = TYPES.some((o) => o.value === alert_type)
  const isSwitchroom = !!useCapabilities()
  const { filter = '', by: groupBy } = search
  const chips = [
    { name: t('Text'), value: filter, onRemove: () => setSearch({ filter: undefined }) },
    { name: t('Account'), value: account, onRemove: () => setSearch({ account_sid: undefined }) },
    { name: t('Type'), value: type, onRemove: () => setSearch({ alert_type: undefined }) },
  ]
  return (
    <FilterBar
      chips={chips}
      onClear={() =>
        setSearch({ account_sid: undefined, alert_type: undefined, filter: undefined })
      }
      search={
        // text search exists only for groups
        groupBy && (
          <SearchInput
            label={t('Type, message or details')}
            value={filter}
            onChange={(text) => setSearch({ filter: text || undefined })}
          />
        )
      }
      more={
        <>
          <FilterSelect
            label={t('Type')}
            options={[
              { value: '', label: t('All types') },
              ...TYPES,
              ...(alert_type && !isListed ? [{ value: alert_type, label: type }] : []),
            ]}
            value={alert_type}
            onChange={(v) => setSearch({ alert_type: v || undefined })}
          />
          {isSwitchroom && (
            <FilterSelect
              label={t('Show')}
              options={GROUPINGS}
              value={groupBy ?? ''}
              onChange={(v) =>
                setSearch({ by: v === 'type' ? v : undefined, filter: undefined, sort: undefined })
              }
            />
          )}
        </>
      }
    >
      <AccountFilter
        value={search.account_sid ?? ''}
        onChange={(sid) => setSearch({ account_sid: sid || undefined })}
      />
      <FilterSelect
        label={t('Date')}
        options={CALL_DATES}
        value={dateOf(search)}
        onChange={(v) => setSearch({ date: v === DEFAULT_DATE ? undefined : v })}
      />
    </FilterBar>
  )
}
