import { LOCAL_TIME, t } from '@switchroom/contract'
import { browserTimeZone } from './time-zone'

const named = (zone: string) => zone.replaceAll('_', ' ')

/** The time zones that a person can choose from, the browser's own first. */
export const zoneOptions = () => [
  { value: LOCAL_TIME, label: t('Local time ({named})', { named: named(browserTimeZone()) }) },
  { value: 'UTC', label: 'UTC' },
  ...Intl.supportedValuesOf('timeZone')
    .filter((zone) => zone !== 'UTC')
    .map((zone) => ({ value: zone, label: named(zone) })),
]
