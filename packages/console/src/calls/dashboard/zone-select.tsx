import { LOCAL_TIME, t } from '@switchroom/contract'
import { useMemo } from 'react'
import { savePreferences } from '../../lib/save-preferences'
import { ComboboxButton } from '../../ui/combobox-button'
import { useChosenTimeZone } from '../../ui/time-zone'
import { zoneOptions } from '../../ui/zone-options'

/** The time zone of everything on screen, which is one of the user's preferences. */
export function ZoneSelect() {
  const zones = useMemo(() => zoneOptions(), [])
  return (
    <ComboboxButton
      label={t('Time zone')}
      placeholder={zones[0]!.label}
      value={useChosenTimeZone() ?? LOCAL_TIME}
      onChange={(time_zone) => void savePreferences({ time_zone: time_zone || LOCAL_TIME })}
      options={zones}
    />
  )
}
