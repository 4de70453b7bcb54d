import { t } from '@switchroom/contract'
import { createRoute } from '@tanstack/react-router'
import { refuseViewOnly } from '../lib/access'
import { config } from '../lib/config'
import { defined, listSearch, oneOf } from '../lib/list-search'
import { orRedirect, requireOwnAccount, requireRole } from '../lib/route-guards'
import { at } from '../lib/route-tree'
import { screen } from '../lib/screen'
import * as accountQueries from './accounts/queries'

const settings = createRoute({
  ...at('/settings'),
  staticData: { crumb: t('Settings') },
  beforeLoad: () =>
    requireRole('service_provider', t('You do not have permissions to manage Settings')),
  validateSearch: (raw: Record<string, unknown>) => ({
    ...listSearch(raw),
    ...defined({ tab: oneOf(['provider', 'brand'], raw.tab) }),
  }),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps, cause }) => (await import('./settings/settings')).load(deps, cause),
  component: screen(() => import('./settings/settings'), 'Settings'),
})

export const accountsCrumb = { crumb: t('Accounts'), href: '/internal/accounts' }

const accounts = createRoute({
  ...at('/accounts'),
  staticData: { crumb: accountsCrumb.crumb },
  beforeLoad: () =>
    requireRole('service_provider', t('You do not have permissions to manage all accounts')),
  validateSearch: listSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => accountQueries.load(deps),
  component: screen(() => import('./accounts/list'), 'Accounts'),
})
const newAccount = createRoute({
  ...at('/accounts/add'),
  staticData: { crumb: t('Add an account'), under: accountsCrumb },
  beforeLoad: () => {
    requireRole('service_provider', t('You do not have permissions to manage all accounts'))
    refuseViewOnly()
  },
  component: screen(() => import('./accounts/form'), 'NewAccount'),
})

export const accountThing = { crumb: t('Account'), href: '/internal/accounts/$account_sid' }
const editSipRealm = createRoute({
  ...at('/accounts/$account_sid/sip-realm/edit'),
  staticData: {
    crumb: t('Edit Sip Realm'),
    under: accountThing,
  },
  beforeLoad: ({ params }) => requireOwnAccount(params.account_sid),
  loader: ({ params, cause }) =>
    orRedirect(cause, async () => (await import('./accounts/sip-realm')).load(params)),
  component: screen(() => import('./accounts/sip-realm'), 'EditSipRealm'),
})

export const routes = [
  settings,
  accounts,
  newAccount,
  ...(config.ENABLE_HOSTED_SYSTEM ? [editSipRealm] : []),
]
