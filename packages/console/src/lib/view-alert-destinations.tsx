import { type AlertDestinationItem, DESTINATION_NAMES, t } from '@switchroom/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { rich } from '../ui/rich'
import { Checkbox } from '../ui/toggle'
import { messageOf } from './failure'
import { PlainLink } from './plain-link'

/** Picks the alert destinations of the account or provider that receive an alert. */
export function ViewAlertDestinations({
  destinations: { data, error },
  chosen,
  onChange,
  isOfAccount,
}: {
  destinations: UseQueryResult<AlertDestinationItem[], Error>
  chosen: string[]
  onChange: (sids: string[]) => void
  isOfAccount: boolean
}) {
  const whose = isOfAccount ? t('this account') : t('this service provider')
  return (
    <fieldset className="view-alert-destinations">
      <legend>{t('Send to')}</legend>
      {error && <p role="alert">{messageOf(error)}</p>}
      {data?.map(({ alert_destination_sid: sid, name, kind, is_active }) => (
        <Checkbox
          key={sid}
          label={name}
          help={
            is_active
              ? DESTINATION_NAMES[kind]
              : t('{kind}, inactive', { kind: DESTINATION_NAMES[kind] })
          }
          value={chosen.includes(sid)}
          onChange={(on) => onChange(on ? [...chosen, sid] : chosen.filter((one) => one !== sid))}
        />
      ))}
      {data?.length === 0 && (
        <p className="view-alert-hint">
          {rich('No alert destinations of {whose} yet. {link}', {
            whose,
            link: (
              <PlainLink href="/internal/alerts/destinations">{t('Add a destination')}</PlainLink>
            ),
          })}
        </p>
      )}
      <p className="view-alert-hint">
        {rich(
          'The alert is also in the list of alerts, with the name of this view, for everyone of {whose}.',
          { whose },
        )}
      </p>
    </fieldset>
  )
}
