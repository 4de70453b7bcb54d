import { t } from '@switchroom/contract'
import { createRoute } from '@tanstack/react-router'
import { refuseViewOnly } from '../lib/access'
import { queryClient } from '../lib/api'
import { at } from '../lib/route-tree'
import { screen } from '../lib/screen'
import * as userQueries from './queries'

const usersCrumb = { crumb: t('Users'), href: '/internal/users' }

const users = createRoute({
  ...at('/users'),
  staticData: { crumb: usersCrumb.crumb },
  validateSearch: userQueries.searchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => userQueries.load(deps),
  component: screen(() => import('./list'), 'Users'),
})
const newUser = createRoute({
  ...at('/users/add'),
  beforeLoad: refuseViewOnly,
  staticData: { crumb: t('Add new user'), under: usersCrumb },
  component: screen(() => import('./form'), 'NewUser'),
})

const userThing = { crumb: t('User'), href: '/internal/users/$user_sid' }
const userOverview = createRoute({
  ...at('/users/$user_sid'),
  staticData: { under: usersCrumb, thing: userThing },
  loader: ({ params }) => queryClient.ensureQueryData(userQueries.viewOf(params.user_sid)),
  component: screen(() => import('./overview'), 'UserOverview'),
})
const editUser = createRoute({
  ...at('/users/$user_sid/edit'),
  staticData: { crumb: t('Edit'), under: usersCrumb, thing: userThing },
  loader: ({ params }) => queryClient.ensureQueryData(userQueries.viewOf(params.user_sid)),
  component: screen(() => import('./form'), 'EditUser'),
})

const preferences = createRoute({
  ...at('/preferences'),
  staticData: { crumb: t('Preferences') },
  component: screen(() => import('./preferences/page'), 'PreferencesPage'),
})

export const routes = [users, newUser, userOverview, editUser, preferences]
