import { t } from '@switchroom/contract'
import { createRoute } from '@tanstack/react-router'
import { refuseViewOnly } from '../lib/access'
import { queryClient } from '../lib/api'
import { accountSearch } from '../lib/list-search'
import { at } from '../lib/route-tree'
import { screen } from '../lib/screen'
import * as clientQueries from './clients/queries'
import * as tenantQueries from './ms-teams-tenants/queries'

const clientsCrumb = { crumb: t('SIP clients'), href: '/internal/clients' }

const clients = createRoute({
  ...at('/clients'),
  staticData: { crumb: clientsCrumb.crumb },
  validateSearch: clientQueries.searchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => clientQueries.load(deps),
  component: screen(() => import('./clients/list'), 'Clients'),
})
const newClient = createRoute({
  ...at('/clients/add'),
  beforeLoad: refuseViewOnly,
  staticData: { crumb: t('Add SIP client'), under: clientsCrumb },
  component: screen(() => import('./clients/form'), 'NewClient'),
})

const clientThing = { crumb: t('SIP client'), href: '/internal/clients/$client_sid' }
const clientOverview = createRoute({
  ...at('/clients/$client_sid'),
  staticData: { under: clientsCrumb, thing: clientThing },
  loader: ({ params }) => queryClient.ensureQueryData(clientQueries.viewOf(params.client_sid)),
  component: screen(() => import('./clients/overview'), 'ClientOverview'),
})
const editClient = createRoute({
  ...at('/clients/$client_sid/edit'),
  staticData: { crumb: t('Edit'), under: clientsCrumb, thing: clientThing },
  loader: async ({ params }) => (await import('./clients/form')).load(params),
  component: screen(() => import('./clients/form'), 'EditClient'),
})

const tenantsCrumb = { crumb: t('Microsoft Teams tenants'), href: '/internal/ms-teams-tenants' }

const msTeamsTenants = createRoute({
  ...at('/ms-teams-tenants'),
  staticData: { crumb: tenantsCrumb.crumb },
  validateSearch: accountSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => (await import('./ms-teams-tenants/list')).load(deps),
  component: screen(() => import('./ms-teams-tenants/list'), 'MsTeamsTenants'),
})
const newMsTeamsTenant = createRoute({
  ...at('/ms-teams-tenants/add'),
  beforeLoad: refuseViewOnly,
  loader: async () => (await import('./ms-teams-tenants/guard')).requireTeamsDomain(),
  staticData: { crumb: t('Add a Microsoft Teams Tenant'), under: tenantsCrumb },
  component: screen(() => import('./ms-teams-tenants/form'), 'NewMsTeamsTenant'),
})
const editMsTeamsTenant = createRoute({
  ...at('/ms-teams-tenants/$ms_teams_tenant_sid/edit'),
  staticData: { crumb: t('Edit Microsoft Teams Tenant'), under: tenantsCrumb },
  loader: ({ params }) =>
    queryClient.ensureQueryData(tenantQueries.viewOf(params.ms_teams_tenant_sid)),
  component: screen(() => import('./ms-teams-tenants/form'), 'EditMsTeamsTenant'),
})

export const routes = [
  clients,
  newClient,
  clientOverview,
  editClient,
  msTeamsTenants,
  newMsTeamsTenant,
  editMsTeamsTenant,
]
