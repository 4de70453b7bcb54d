import { t } from '@switchroom/contract'
import { createRoute } from '@tanstack/react-router'
import { config } from '../lib/config'
import { listSearch } from '../lib/list-search'
import { orRedirect, redirectWithNotice, requireOwnAccount } from '../lib/route-guards'
import { at } from '../lib/route-tree'
import { screen } from '../lib/screen'
import { claims } from '../lib/session'
import { accountsCrumb, accountThing } from '../tenants/routes'

const editAccount = createRoute({
  ...at('/accounts/$account_sid/edit'),
  staticData: { crumb: t('Edit'), under: accountsCrumb, thing: accountThing },
  validateSearch: listSearch,
  beforeLoad: ({ params }) => requireOwnAccount(params.account_sid),
  loader: ({ params, cause }) =>
    orRedirect(cause, async () => (await import('../tenants/accounts/form')).load(params)),
  component: screen(() => import('./edit-account'), 'EditAccount'),
})

/** Only users of the account manage its subscription. */
const requireAccountUser = ({ params }: { params: { account_sid: string } }) => {
  const user = claims()
  if (user?.scope !== 'account' || user.account_sid !== params.account_sid)
    redirectWithNotice(t('You do not have access.'))
}
const upgradeSubscription = createRoute({
  ...at('/accounts/$account_sid/subscription'),
  staticData: { crumb: t('Upgrade your Subscription'), under: accountThing },
  beforeLoad: requireAccountUser,
  loader: async ({ params }) => (await import('./configure')).load(params, 'upgrade'),
  component: screen(() => import('./configure'), 'UpgradeSubscription'),
})
const modifySubscription = createRoute({
  ...at('/accounts/$account_sid/modify-subscription'),
  staticData: { crumb: t('Configure Your Subscription'), under: accountThing },
  beforeLoad: requireAccountUser,
  loader: async ({ params }) => (await import('./configure')).load(params, 'modify'),
  component: screen(() => import('./configure'), 'ModifySubscription'),
})
const managePayment = createRoute({
  ...at('/accounts/$account_sid/manage-payment'),
  staticData: { crumb: t('Manage Payment Information'), under: accountThing },
  beforeLoad: requireAccountUser,
  loader: async () => (await import('./manage-payment')).load(),
  component: screen(() => import('./manage-payment'), 'ManagePayment'),
})

export const routes = [
  editAccount,
  ...(config.ENABLE_HOSTED_SYSTEM && config.STRIPE_PUBLISHABLE_KEY
    ? [upgradeSubscription, modifySubscription, managePayment]
    : []),
]
