import { type ClientSelection, t } from '@switchroom/contract'
import { lazy } from 'react'
import { download } from '../../lib/csv'
import { clients } from '../../lib/endpoints'
import { selectionActions } from '../../lib/selection-actions'

const dialog = (name: keyof typeof import('./many')) =>
  lazy(async () => ({ default: (await import('./many'))[name] }))

export const Selection = selectionActions<ClientSelection>({
  sids: 'client_sids',
  actions: [
    { label: t('Activate…'), dialog: dialog('ActivateClients') },
    { label: t('Deactivate…'), dialog: dialog('DeactivateClients') },
    { label: t('Direct calling…'), dialog: dialog('SetDirectCalling') },
  ],
  exportRows: (select) => download(clients.exportMany, { body: { select } }),
  remove: dialog('DeleteClients'),
})
