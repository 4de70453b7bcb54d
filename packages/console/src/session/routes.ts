import { t } from '@switchroom/contract'
import { createRoute } from '@tanstack/react-router'
import { requireFeatures } from '../lib/require-features'
import { requireRole } from '../lib/route-guards'
import { at } from '../lib/route-tree'
import { screen } from '../lib/screen'

const security = createRoute({
  ...at('/security'),
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Security') },
  loader: async () => (await import('./security/page')).load(),
  component: screen(() => import('./security/page'), 'Security'),
})

const connectProgram = createRoute({
  ...at('/connect/$request_id'),
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Connect a program') },
  loader: async ({ params }) => (await import('./programs/connect')).load(params.request_id),
  component: screen(() => import('./programs/connect'), 'ConnectProgram'),
})

const singleSignOn = createRoute({
  ...at('/single-sign-on'),
  staticData: { crumb: t('Single sign-on') },
  beforeLoad: async () => {
    requireRole('admin', t('You do not have permissions to manage single sign-on'))
    await requireFeatures()
  },
  loader: async () => (await import('./single-sign-on/settings')).load(),
  component: screen(() => import('./single-sign-on/settings'), 'SingleSignOnSettings'),
})

export const routes = [security, connectProgram, singleSignOn]
