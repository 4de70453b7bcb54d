import { t } from '@switchroom/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { providers } from '../../lib/current-provider'
import { fieldComponents } from '../../lib/form-fields'

const { ComboboxField } = fieldComponents

/** Inside a form's AppField. */
export function ProviderField() {
  const { data } = useSuspenseQuery(providers())
  return (
    <ComboboxField
      label={t('Service provider')}
      optional
      placeholder={t('No service provider')}
      options={data.data.map((p) => ({ value: p.service_provider_sid, label: p.name }))}
      help={t(
        'Incoming calls from a carrier without a service provider are ignored. You cannot change the service provider after saving.',
      )}
    />
  )
}
