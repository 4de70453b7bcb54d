import { t } from '@switchroom/contract'
import { CALL_DATES } from '../../calls/call-span'
import { ZoneSelect } from '../../calls/dashboard/zone-select'
import { useApplicationName } from '../../lib/application-name'
import { AccountFilter, useAccountName } from '../../lib/pickers'
import { ApplicationFilter } from '../../lib/searched-filters'
import type { SetSearch } from '../../lib/use-set-search'
import { FilterBar, FilterSelect } from '../../ui/filter-bar'
import { type Asked, COMPARISONS, type Search } from './search'

/** Picks the calls that the figures cover, and those to compare them with. */
export function Filters({
  search,
  asked: { date, compare },
  setSearch,
}: {
  search: Search
  asked: Asked
  setSearch: SetSearch<Search>
}) {
  const { account_sid = '', application_sid = '', with: other = '' } = search
  const account = useAccountName(account_sid)
  const application = useApplicationName(application_sid)
  const otherName = useApplicationName(other)
  const none = { account_sid: undefined, application_sid: undefined, with: undefined }
  return (
    <FilterBar
      chips={[
        { name: t('Account'), value: account, onRemove: () => setSearch(none) },
        {
          name: t('Application'),
          value: application,
          onRemove: () => setSearch({ application_sid: undefined }),
        },
        {
          name: t('Compared with'),
          value: compare === 'application' ? otherName : undefined,
          onRemove: () => setSearch({ compare: undefined, with: undefined }),
        },
      ]}
      onClear={() => setSearch({ ...none, compare: undefined })}
    >
      <AccountFilter
        value={account_sid}
        onChange={(sid) => setSearch({ ...none, account_sid: sid || undefined })}
      />
      <ApplicationFilter
        value={application_sid}
        name={application}
        account_sid={search.account_sid}
        onChange={(sid) => setSearch({ application_sid: sid || undefined })}
      />
      <FilterSelect
        label={t('Date')}
        options={CALL_DATES}
        value={date}
        onChange={(v) => setSearch({ date: v === '7' ? undefined : v })}
      />
      <FilterSelect
        label={t('Compare with')}
        options={COMPARISONS}
        value={compare}
        onChange={(v) => setSearch({ compare: v === 'before' ? undefined : v, with: undefined })}
      />
      {compare === 'application' && (
        <ApplicationFilter
          label={t('Application to compare with')}
          everyone={t('Choose an application')}
          value={other}
          name={otherName}
          account_sid={search.account_sid}
          onChange={(sid) => setSearch({ with: sid || undefined })}
        />
      )}
      <ZoneSelect />
    </FilterBar>
  )
}
