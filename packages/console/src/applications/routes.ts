import { t } from '@switchroom/contract'
import { createRoute } from '@tanstack/react-router'
import { refuseViewOnly } from '../lib/access'
import { queryClient } from '../lib/api'
import { requireFeatures } from '../lib/require-features'
import { orRedirect, requireOwnAccount } from '../lib/route-guards'
import { at } from '../lib/route-tree'
import { screen } from '../lib/screen'
import { accountsCrumb, accountThing } from '../tenants/routes'
import * as applicationQueries from './queries'

const languageModel = createRoute({
  ...at('/accounts/$account_sid/language-model'),
  staticData: { crumb: t('Language model'), under: accountsCrumb, thing: accountThing },
  beforeLoad: async ({ params }) => {
    requireOwnAccount(params.account_sid)
    await requireFeatures()
  },
  loader: ({ params, cause }) =>
    orRedirect(cause, async () => (await import('./language-model/form')).load(params)),
  component: screen(() => import('./language-model/form'), 'EditLanguageModel'),
})

export const applicationsCrumb = { crumb: t('Applications'), href: '/internal/applications' }

const applications = createRoute({
  ...at('/applications'),
  staticData: { crumb: applicationsCrumb.crumb },
  validateSearch: applicationQueries.searchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => applicationQueries.load(deps),
  component: screen(() => import('./list'), 'Applications'),
})
const newApplication = createRoute({
  ...at('/applications/add'),
  beforeLoad: refuseViewOnly,
  staticData: { crumb: t('Add an application'), under: applicationsCrumb },
  component: screen(() => import('./form'), 'NewApplication'),
})

export const applicationThing = {
  crumb: t('Application'),
  href: '/internal/applications/$application_sid',
}
const editApplication = createRoute({
  ...at('/applications/$application_sid/edit'),
  staticData: { crumb: t('Edit'), under: applicationsCrumb, thing: applicationThing },
  loader: ({ params }) =>
    queryClient.ensureQueryData(applicationQueries.viewOf(params.application_sid)),
  component: screen(() => import('./form'), 'EditApplication'),
})

export const routes = [languageModel, applications, newApplication, editApplication]
