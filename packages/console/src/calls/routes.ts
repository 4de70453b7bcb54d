import { t } from '@switchroom/contract'
import { createRoute } from '@tanstack/react-router'
import * as applicationQueries from '../applications/queries'
import { applicationsCrumb, applicationThing } from '../applications/routes'
import { carriersCrumb, carrierThing } from '../carriers/routes'
import * as carrierQueries from '../carriers/voip-carriers/queries'
import { queryClient } from '../lib/api'
import { defined, listSearch, oneOf, type Raw, text } from '../lib/list-search'
import { requireFeatures } from '../lib/require-features'
import { orRedirect, requireOwnAccount } from '../lib/route-guards'
import { at, root } from '../lib/route-tree'
import { screen } from '../lib/screen'
import * as accountQueries from '../tenants/accounts/queries'
import { accountsCrumb, accountThing } from '../tenants/routes'
import * as dashboardQueries from './dashboard/queries'
import * as callSearch from './search'

const accountOverview = createRoute({
  ...at('/accounts/$account_sid'),
  staticData: { under: accountsCrumb, thing: accountThing },
  beforeLoad: ({ params }) => requireOwnAccount(params.account_sid),
  loader: ({ params, cause }) =>
    orRedirect(cause, () => queryClient.ensureQueryData(accountQueries.viewOf(params.account_sid))),
  component: screen(() => import('./overviews/account'), 'AccountOverview'),
})
const applicationOverview = createRoute({
  ...at('/applications/$application_sid'),
  staticData: { under: applicationsCrumb, thing: applicationThing },
  loader: ({ params }) =>
    queryClient.ensureQueryData(applicationQueries.viewOf(params.application_sid)),
  component: screen(() => import('./overviews/application'), 'ApplicationOverview'),
})
const carrierOverview = createRoute({
  ...at('/carriers/$voip_carrier_sid'),
  staticData: { under: carriersCrumb, thing: carrierThing },
  loader: ({ params }) =>
    queryClient.ensureQueryData(carrierQueries.viewOf(params.voip_carrier_sid)),
  component: screen(() => import('./overviews/carrier'), 'CarrierOverview'),
})

/** The first and last day of a report; without them, this month. */
const DAY = /^\d{4}-\d\d-\d\d$/
const reportSearch = ({ from, until }: Raw): { from?: string; until?: string } =>
  DAY.test(String(from)) && DAY.test(String(until))
    ? { from: String(from), until: String(until) }
    : {}
const customerReport = createRoute({
  ...at('/accounts/$account_sid/report'),
  staticData: { crumb: t('Report'), under: accountsCrumb, thing: accountThing },
  validateSearch: reportSearch,
  beforeLoad: async ({ params }) => {
    requireOwnAccount(params.account_sid)
    await requireFeatures()
  },
  loader: ({ params, cause }) =>
    orRedirect(cause, async () => (await import('./customer-report/screen')).load(params)),
  component: screen(() => import('./customer-report/screen'), 'CustomerReportScreen'),
})

const live = createRoute({
  ...at('/live'),
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Live') },
  validateSearch: (raw: Record<string, unknown>) => ({
    ...listSearch(raw),
    ...defined({
      tab: oneOf(['queues', 'users'], raw.tab),
      account_sid: text(raw.account_sid),
    }),
  }),
  component: screen(() => import('./live-calls/list'), 'Live'),
})

export const recentCallsCrumb = { crumb: t('Recent calls'), href: '/internal/recent-calls' }

const recentCalls = createRoute({
  ...at('/recent-calls'),
  staticData: { crumb: recentCallsCrumb.crumb },
  validateSearch: callSearch.searchOf,
  loaderDeps: ({ search }) => callSearch.listPart(search),
  loader: ({ deps }) => callSearch.load(deps),
  component: screen(() => import('./recent-calls/list'), 'RecentCalls'),
})

const callDetails = createRoute({
  ...at('/recent-calls/$call_sid'),
  validateSearch: callSearch.searchOf,
  staticData: { crumb: t('Call'), under: { ...recentCallsCrumb, keepsSearch: true } },
  component: screen(() => import('./call/call-page'), 'CallPage'),
})

const dashboard = createRoute({
  ...at('/dashboard'),
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Dashboard') },
  validateSearch: dashboardQueries.searchOf,
  component: screen(() => import('./dashboard/dashboard'), 'Dashboard'),
})

export const routes = [
  accountOverview,
  applicationOverview,
  carrierOverview,
  customerReport,
  live,
  recentCalls,
  callDetails,
  dashboard,
]

/** Pages of links, which need no log-in. */
export const publicRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/trunk-report',
    component: screen(() => import('./trunk-report/page'), 'TrunkReportPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/customer-report',
    component: screen(() => import('./customer-report/page'), 'CustomerReportPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/unsubscribe',
    component: screen(() => import('./customer-report/unsubscribe'), 'Unsubscribe'),
  }),
]
