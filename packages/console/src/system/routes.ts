import { t } from '@switchroom/contract'
import { createRoute } from '@tanstack/react-router'
import { defined, oneOf, text } from '../lib/list-search'
import { requireFeatures } from '../lib/require-features'
import { at } from '../lib/route-tree'
import { screen } from '../lib/screen'

const gettingStarted = createRoute({
  ...at('/getting-started'),
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Getting started') },
  component: screen(() => import('./getting-started/getting-started'), 'GettingStarted'),
})

const configuration = createRoute({
  ...at('/configuration'),
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Configuration') },
  validateSearch: (raw: Record<string, unknown>) =>
    defined({ account_sid: text(raw.account_sid), tab: oneOf(['compare'], raw.tab) }),
  component: screen(() => import('./configuration/configuration'), 'Configuration'),
})

export const routes = [gettingStarted, configuration]
