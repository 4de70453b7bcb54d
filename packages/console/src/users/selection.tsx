import { t, type UserSelection } from '@switchroom/contract'
import { lazy } from 'react'
import { download } from '../lib/csv'
import { users } from '../lib/endpoints'
import { selectionActions } from '../lib/selection-actions'

const dialog = (name: keyof typeof import('./many')) =>
  lazy(async () => ({ default: (await import('./many'))[name] }))

export const Selection = selectionActions<UserSelection>({
  sids: 'user_sids',
  actions: [
    { label: t('Activate…'), dialog: dialog('ActivateUsers') },
    { label: t('Deactivate…'), dialog: dialog('DeactivateUsers') },
    { label: t('View-only access…'), dialog: dialog('SetViewOnly') },
    { label: t('Require password change…'), dialog: dialog('RequirePasswordChange') },
  ],
  exportRows: (select) => download(users.exportMany, { body: { select } }),
  remove: dialog('DeleteUsers'),
})
