import { type LatestCalls, msg, numberText, t, type Unused } from '@switchroom/contract'
import { type ReactNode, useEffect, useState } from 'react'
import { dayText, timeText } from '../ui/dates'
import { FilterSelect } from '../ui/filter-bar'
import type { UsedSearch } from './list-search'
import type { Column } from './table'
import { useCapabilities } from './use-capabilities'
import { useSetSearch } from './use-set-search'

const none = (text: string) => <span className="none">{text}</span>

const SOME_DAY = 'Nov 30, 2000'
type Show = (of: LatestCalls, day: (at: string) => string) => ReactNode

/**
 * Renders cells after the rows are on screen: formatting the first date of a page takes 12 ms. Until then some other date,
 * which is not seen, has about the same size, so that no row grows.
 */
function Later({ show, of }: { show: Show; of: LatestCalls }) {
  const [isOn, setOn] = useState(false)
  useEffect(() => setOn(true), [])
  if (isOn) return show(of, dayText)
  return <span style={{ visibility: 'hidden' }}>{show(of, () => SOME_DAY)}</span>
}

const lastCall: Show = ({ last_call_at: at, calls_counted_since: since }, day) =>
  at ? (
    <time dateTime={at} title={day === dayText ? timeText(at) : undefined}>
      {day(at)}
    </time>
  ) : (
    none(since ? t('None since {date}', { date: day(since) }) : t('Not counted'))
  )

/** Formats nothing until the rows are on screen. */
function Calls({ calls_7d: n }: LatestCalls) {
  const [isOn, setOn] = useState(false)
  useEffect(() => setOn(true), [])
  return isOn && n !== null && numberText(n)
}

const columns: Column<LatestCalls>[] = [
  {
    header: msg('Last call'),
    help: msg('The last call in this account, answered or not, since counting began.'),
    fileColumns: ['last_call_at', 'calls_counted_since'],
    sort: 'last_call_at',
    cell: (row) => <Later show={lastCall} of={row} />,
  },
  {
    header: msg('Calls 7 d'),
    help: msg('Calls of today and the six days before, in UTC. Each leg counts.'),
    fileColumns: ['calls_7d'],
    sort: 'calls_7d',
    align: 'end',
    cell: (row) => <Calls {...row} />,
  },
]

/** Column with the time of a resource's last call. Needs our server. */
export const callColumns = (isOurs: boolean) => (isOurs ? columns : [])

const CHOICES = (): Record<Unused, string> => ({
  '7d': t('None in 7 days'),
  '30d': t('None in 30 days'),
  '90d': t('None in 90 days'),
  ever: t('None counted'),
})

/** The chip of the filter that is set. */
export const unusedChip = ({ unused }: UsedSearch) => ({
  unused: { name: t('Last call'), value: unused ? CHOICES()[unused] : '' },
})

export function UnusedFilter({ search }: { search: UsedSearch }) {
  const setSearch = useSetSearch<UsedSearch>()
  if (!useCapabilities()) return null
  return (
    <FilterSelect
      label={t('Last call')}
      options={[
        { value: '', label: t('Any last call') },
        ...Object.entries(CHOICES()).map(([value, label]) => ({ value, label })),
      ]}
      value={search.unused ?? ''}
      // one of the options
      onChange={(value) => setSearch({ unused: (value as Unused) || undefined })}
    />
  )
}
