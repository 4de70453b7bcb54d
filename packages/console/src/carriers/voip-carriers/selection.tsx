import { type CarrierSelection, t } from '@switchroom/contract'
import { lazy } from 'react'
import { download } from '../../lib/csv'
import { voipCarriers } from '../../lib/endpoints'
import { selectionActions } from '../../lib/selection-actions'

const dialog = (name: keyof typeof import('./many')) =>
  lazy(async () => ({ default: (await import('./many'))[name] }))

export const Selection = selectionActions<CarrierSelection>({
  sids: 'voip_carrier_sids',
  actions: [
    { label: t('Activate…'), dialog: dialog('ActivateCarriers') },
    { label: t('Deactivate…'), dialog: dialog('DeactivateCarriers') },
  ],
  exportRows: (select) => download(voipCarriers.exportMany, { body: { select } }),
  remove: dialog('DeleteCarriers'),
})
