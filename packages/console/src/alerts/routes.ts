import { t } from '@switchroom/contract'
import { createRoute } from '@tanstack/react-router'
import * as applicationQueries from '../applications/queries'
import { applicationsCrumb, applicationThing } from '../applications/routes'
import { queryClient } from '../lib/api'
import { accountSearch, defined, listSearch, oneOf } from '../lib/list-search'
import { requireFeatures } from '../lib/require-features'
import { requireMayAdd } from '../lib/route-guards'
import { at } from '../lib/route-tree'
import { screen } from '../lib/screen'
import * as destinationQueries from './alert-destinations/queries'
import * as failureSearch from './failures/search'
import * as inboxSearch from './inbox/search'
import * as alertSearch from './search'
import * as webhookQueries from './webhook-requests/queries'

const alertsCrumb = { crumb: t('Alerts'), href: '/internal/alerts' }

const destinationsCrumb = { crumb: t('Destinations'), href: '/internal/alerts/destinations' }

const alerts = createRoute({
  ...at('/alerts'),
  staticData: { crumb: alertsCrumb.crumb },
  validateSearch: alertSearch.searchOf,
  loaderDeps: ({ search: { open: _, ...list } }) => list,
  loader: ({ deps }) => alertSearch.load(deps),
  component: screen(() => import('./list'), 'Alerts'),
})

const alertDestinations = createRoute({
  ...at('/alerts/destinations'),
  beforeLoad: requireFeatures,
  staticData: { crumb: destinationsCrumb.crumb, under: alertsCrumb },
  validateSearch: accountSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => destinationQueries.load(deps),
  component: screen(() => import('./alert-destinations/list'), 'AlertDestinations'),
})
const newAlertDestination = createRoute({
  ...at('/alerts/destinations/add'),
  beforeLoad: requireMayAdd,
  staticData: { crumb: t('Add a destination'), under: destinationsCrumb },
  component: screen(() => import('./alert-destinations/form'), 'NewAlertDestination'),
})
const editAlertDestination = createRoute({
  ...at('/alerts/destinations/$alert_destination_sid/edit'),
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Edit destination'), under: destinationsCrumb },
  loader: async ({ params }) => (await import('./alert-destinations/form')).load(params),
  component: screen(() => import('./alert-destinations/form'), 'EditAlertDestination'),
})

const eventWebhooksCrumb = { crumb: t('Event webhooks'), href: '/internal/alerts/webhooks' }

const eventWebhooks = createRoute({
  ...at('/alerts/webhooks'),
  beforeLoad: requireFeatures,
  staticData: { crumb: eventWebhooksCrumb.crumb, under: alertsCrumb },
  validateSearch: accountSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => (await import('./event-webhooks/queries')).load(deps),
  component: screen(() => import('./event-webhooks/list'), 'EventWebhooks'),
})
const newEventWebhook = createRoute({
  ...at('/alerts/webhooks/add'),
  beforeLoad: requireMayAdd,
  staticData: { crumb: t('Add a webhook for events'), under: eventWebhooksCrumb },
  component: screen(() => import('./event-webhooks/form'), 'NewEventWebhook'),
})
const eventWebhook = createRoute({
  ...at('/alerts/webhooks/$event_subscription_sid/'),
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Webhook'), under: eventWebhooksCrumb },
  validateSearch: (raw: Record<string, unknown>) => ({
    ...listSearch(raw),
    ...defined({ state: oneOf(['waiting', 'delivered', 'failed'], raw.state) }),
  }),
  loader: async ({ params }) => (await import('./event-webhooks/page')).load(params),
  component: screen(() => import('./event-webhooks/page'), 'EventWebhook'),
})
const editEventWebhook = createRoute({
  ...at('/alerts/webhooks/$event_subscription_sid/edit'),
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Edit webhook'), under: eventWebhooksCrumb },
  loader: async ({ params }) => (await import('./event-webhooks/form')).load(params),
  component: screen(() => import('./event-webhooks/form'), 'EditEventWebhook'),
})

const inbox = createRoute({
  ...at('/inbox'),
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Inbox') },
  validateSearch: inboxSearch.searchOf,
  loaderDeps: ({ search: { open: _, ...list } }) => list,
  loader: ({ deps }) => inboxSearch.load(deps),
  component: screen(() => import('./inbox/list'), 'Inbox'),
})

const failures = createRoute({
  ...at('/failures'),
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Failures') },
  validateSearch: failureSearch.searchOf,
  loaderDeps: ({ search: { open: _, ...list } }) => list,
  loader: ({ deps }) => failureSearch.load(deps),
  component: screen(() => import('./failures/list'), 'Failures'),
})

const webhookLogCrumb = { crumb: t('Webhook log'), href: '/internal/webhook-log' }

const webhookLog = createRoute({
  ...at('/webhook-log'),
  beforeLoad: requireFeatures,
  staticData: { crumb: webhookLogCrumb.crumb },
  validateSearch: webhookQueries.searchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => webhookQueries.load(deps),
  component: screen(() => import('./webhook-requests/list'), 'WebhookLog'),
})
const webhookRequest = createRoute({
  ...at('/webhook-log/$webhook_request_sid'),
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Request'), under: webhookLogCrumb },
  component: screen(() => import('./webhook-requests/detail'), 'WebhookRequestPage'),
})
const testWebhooks = createRoute({
  ...at('/applications/$application_sid/test'),
  beforeLoad: requireMayAdd,
  staticData: { crumb: t('Test request'), under: applicationsCrumb, thing: applicationThing },
  loader: ({ params }) =>
    queryClient.ensureQueryData(applicationQueries.viewOf(params.application_sid)),
  component: screen(() => import('./webhook-requests/workbench'), 'Workbench'),
})

export const routes = [
  alerts,
  alertDestinations,
  newAlertDestination,
  editAlertDestination,
  eventWebhooks,
  newEventWebhook,
  eventWebhook,
  editEventWebhook,
  inbox,
  failures,
  webhookLog,
  webhookRequest,
  testWebhooks,
]
