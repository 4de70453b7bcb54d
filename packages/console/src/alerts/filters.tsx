import { ALERT_TYPES, alertTypeText } from '@switchroom/contract'
import { CALL_DATES } from '../calls/call-span'
import { AccountFilter, useAccountName } from '../lib/pickers'
import type { FilterProps } from '../lib/use-set-search'
import { FilterBar, FilterSelect } from '../ui/filter-bar'
import { DEFAULT_DATE, dateOf, type Search } from './search'

const TYPES = Object.entries(ALERT_TYPES)
  .map(([value, { name }]) => ({ value, label: name }))
  .sort((a, b) => a.label.localeCompare(b.label))

export function Filters({ search, setSearch }: FilterProps<Search>) {
  const account = useAccountName(search.account_sid ?? '')
  const { alert_type = '' } = search
  const type = alert_type && alertTypeText(alert_type).name
  // a link may name a type that only a newer component knows
  const isListed = TYPES.some((o) => o.value === alert_type)
  const chips = [
    { name: 'Account', value: account, onRemove: () => setSearch({ account_sid: undefined }) },
    { name: 'Type', value: type, onRemove: () => setSearch({ alert_type: undefined }) },
  ]
  return (
    <FilterBar
      chips={chips}
      onClear={() => setSearch({ account_sid: undefined, alert_type: undefined })}
    >
      <AccountFilter
        value={search.account_sid ?? ''}
        onChange={(sid) => setSearch({ account_sid: sid || undefined })}
      />
      <FilterSelect
        label="Date"
        options={CALL_DATES}
        value={dateOf(search)}
        onChange={(v) => setSearch({ date: v === DEFAULT_DATE ? undefined : v })}
      />
      <FilterSelect
        label="Type"
        options={[
          { value: '', label: 'All types' },
          ...TYPES,
          ...(alert_type && !isListed ? [{ value: alert_type, label: type }] : []),
        ]}
        value={alert_type}
        onChange={(v) => setSearch({ alert_type: v || undefined })}
      />
    </FilterBar>
  )
}
