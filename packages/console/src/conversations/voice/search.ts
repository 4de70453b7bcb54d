import { t } from '@switchroom/contract'
import { type CallDate, isCallDate } from '../../calls/call-span'

/** The screen's URL. `with`: the application to compare with. */
export type Search = {
  account_sid?: string
  application_sid?: string
  date?: string
  compare?: string
  with?: string
}

export const COMPARISONS = [
  { value: 'before', label: t('Compare: period before') },
  { value: 'application', label: t('Compare: application') },
  { value: 'none', label: t('No comparison') },
] as const
export type Comparison = (typeof COMPARISONS)[number]['value']

/** The URL's period and comparison, or what they are without it. */
export type Asked = { date: CallDate; compare: Comparison }

export const askedOf = ({ date, compare }: Search): Asked => ({
  date: isCallDate(date) ? date : '7',
  compare: COMPARISONS.find(({ value }) => value === compare)?.value ?? 'before',
})
