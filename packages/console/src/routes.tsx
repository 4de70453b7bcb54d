import { t } from '@switchroom/contract'
import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { type ReactNode, use } from 'react'
import * as destinationQueries from './alerts/alert-destinations/queries'
import * as failureSearch from './alerts/failures/search'
import * as inboxSearch from './alerts/inbox/search'
import * as alertSearch from './alerts/search'
import * as webhookQueries from './alerts/webhook-requests/queries'
import * as applicationQueries from './applications/queries'
import * as dashboardQueries from './calls/dashboard/queries'
import * as callSearch from './calls/search'
import { refuseAddingCarrier, refuseChangingCarrier } from './carriers/voip-carriers/may'
import * as carrierQueries from './carriers/voip-carriers/queries'
import * as voiceQueries from './conversations/voice/queries'
import * as clientQueries from './devices/clients/queries'
import * as tenantQueries from './devices/ms-teams-tenants/queries'
import { atLeast, refuseViewOnly } from './lib/access'
import { parseAddress, stringifyAddress } from './lib/address'
import { queryClient } from './lib/api'
import { config } from './lib/config'
import { providersSoon } from './lib/current-provider'
import { statusOf } from './lib/failure'
import { accountSearch, defined, listSearch, oneOf, type Raw, text } from './lib/list-search'
import { setNotice } from './lib/notice'
import { requireFeatures } from './lib/require-features'
import { RouteError, RoutePending } from './lib/route-states'
import {
  claims,
  endLogInRedirect,
  hasReturnUrl,
  homeHref,
  isRedirectingToLogIn,
  MUST_SIGN_IN,
  mustChangePassword,
  mustSetUpSecondFactor,
  readFlash,
  saveReturnUrl,
  setFlash,
  takeReturnUrl,
} from './lib/session'
import * as lcrQueries from './routing/lcrs/queries'
import { refuseAddingNumber } from './routing/phone-numbers/may'
import * as numberQueries from './routing/phone-numbers/queries'
import { readPendingChange } from './session/forced-change'
import * as speechQueries from './speech/speech-credentials/queries'
import * as accountQueries from './tenants/accounts/queries'
import * as userQueries from './users/queries'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The screen's breadcrumb. `under` is the parent screen, linked with the same parameters, and the same search where it keeps it. */
    crumb?: string
    under?: { crumb: string; href: string; keepsSearch?: boolean }
    /** The thing that the screen is about, by its kind until its name is known. On its overview it is the last crumb. */
    thing?: { crumb: string; href: string }
  }
  interface Register {
    router: typeof router
  }
}

/**
 * A lazily loaded screen. The router's own helper reloads the page if a chunk cannot be loaded, which ends
 * on the browser's error page while the server is down; this one fails into the screen's error component.
 */
function screen<K extends string>(
  load: () => Promise<Record<K, (props: object) => ReactNode>>,
  name: K,
) {
  let Screen: ((props: object) => ReactNode) | undefined
  let loading: Promise<void> | undefined
  const preload = () => {
    loading ??= load().then(
      (loaded) => {
        Screen = loaded[name]
      },
      (error) => {
        loading = undefined
        throw error
      },
    )
    return loading
  }
  // React shows what was suspended 300 ms later at the earliest, so a screen that is loaded must not suspend
  const component = (props: object) => {
    if (!Screen) use(preload())
    return Screen && <Screen {...props} />
  }
  return Object.assign(component, { preload })
}

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: screen(() => import('./session/not-found'), 'PublicNotFound'),
})

const publicPages = [
  createRoute({
    getParentRoute: () => root,
    path: '/',
    beforeLoad: () => {
      const user = claims()
      const change = readPendingChange()
      if (user && mustChangePassword()) {
        // the change needs the old password, so it starts with the log-in
        if (change) throw redirect({ to: '/create-password', replace: true })
        return
      }
      if (user && mustSetUpSecondFactor())
        throw redirect({ to: '/set-up-second-factor', replace: true })
      if (!user || readFlash()?.stay) return
      // another tab may have logged in somebody else
      queryClient.clear()
      throw redirect({ href: takeReturnUrl(user.user_sid), replace: true })
    },
    onEnter() {
      endLogInRedirect()
      // somebody else may log in, also in another tab
      queryClient.clear()
    },
    component: screen(() => import('./session/log-in-screen'), 'LogInScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/create-password',
    component: screen(() => import('./session/create-password'), 'CreatePassword'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/set-up-second-factor',
    component: screen(() => import('./session/set-up-second-factor'), 'SetUpSecondFactor'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/single-sign-on',
    component: screen(() => import('./session/single-sign-on/callback'), 'SingleSignOnCallback'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/trunk-report',
    component: screen(() => import('./calls/trunk-report/page'), 'TrunkReportPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/customer-report',
    component: screen(() => import('./calls/customer-report/page'), 'CustomerReportPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/unsubscribe',
    component: screen(() => import('./calls/customer-report/unsubscribe'), 'Unsubscribe'),
  }),
  ...(config.ENABLE_FORGOT_PASSWORD
    ? [
        createRoute({
          getParentRoute: () => root,
          path: '/forgot-password',
          component: screen(() => import('./session/forgot-password'), 'ForgotPassword'),
        }),
        createRoute({
          getParentRoute: () => root,
          path: '/reset-password/$id',
          component: screen(() => import('./session/reset-password'), 'ResetPassword'),
        }),
      ]
    : []),
]

// ---- registration, in the hosted variant

/** Signed-in users do not register. */
const requireLoggedOut = () => {
  if (claims()) throw redirect({ href: homeHref(), replace: true })
}

const registrationPages = [
  createRoute({
    getParentRoute: () => root,
    path: '/register',
    beforeLoad: requireLoggedOut,
    component: screen(() => import('./session/registration/register'), 'Register'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/register/email',
    beforeLoad: requireLoggedOut,
    component: screen(() => import('./session/registration/by-email'), 'RegisterByEmail'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/register/email/verify-your-email',
    beforeLoad: requireLoggedOut,
    component: screen(() => import('./session/registration/verify-email'), 'VerifyEmail'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/register/choose-a-subdomain',
    beforeLoad: () => {
      const user = claims()
      if (mustSetUpSecondFactor()) throw redirect({ to: '/set-up-second-factor', replace: true })
      if (user?.scope === 'account') return
      if (!user) setFlash({ text: MUST_SIGN_IN, good: false })
      throw redirect({ href: user ? homeHref() : '/', replace: true })
    },
    component: screen(() => import('./session/registration/choose-subdomain'), 'ChooseSubdomain'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/oauth-callback/$provider',
    component: screen(() => import('./session/registration/oauth-callback'), 'OAuthCallback'),
  }),
]

/** In the hosted variant a new account must first choose its SIP realm. */
async function lacksRealm() {
  const user = claims()
  if (!config.ENABLE_HOSTED_SYSTEM || user?.scope !== 'account' || user.is_view_only) return false
  return (await import('./session/registration/needs-realm')).needsRealm()
}

const internal = createRoute({
  getParentRoute: () => root,
  path: '/internal',
  beforeLoad: async ({ location }) => {
    const user = claims()
    if (mustChangePassword() || mustSetUpSecondFactor()) throw redirect({ to: '/', replace: true })
    if (await lacksRealm()) throw redirect({ href: '/register/choose-a-subdomain', replace: true })
    if (user) return
    // the session ended before the router had loaded, which has its own message
    if (isRedirectingToLogIn()) throw redirect({ to: '/', replace: true })
    if (!hasReturnUrl()) saveReturnUrl(location.href)
    setFlash({ text: MUST_SIGN_IN, good: false })
    throw redirect({ to: '/', replace: true })
  },
  loader: () => providersSoon(),
  component: screen(() => import('./frame/layout'), 'Layout'),
  notFoundComponent: screen(() => import('./session/not-found'), 'InternalNotFound'),
})

/** Redirects users without permission, with a notice. */
function redirectWithNotice(reason: string): never {
  setNotice(reason)
  throw redirect({ href: homeHref(), replace: true })
}

function requireRole(role: 'service_provider' | 'admin', reason: string) {
  if (!atLeast(role)) redirectWithNotice(reason)
}

const startPage = createRoute({
  getParentRoute: () => internal,
  path: '/',
  beforeLoad: () => {
    throw redirect({ href: homeHref(), replace: true })
  },
})

// ---- users

const usersCrumb = { crumb: t('Users'), href: '/internal/users' }

const users = createRoute({
  getParentRoute: () => internal,
  path: '/users',
  staticData: { crumb: usersCrumb.crumb },
  validateSearch: userQueries.searchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => userQueries.load(deps),
  component: screen(() => import('./users/list'), 'Users'),
})
const newUser = createRoute({
  getParentRoute: () => internal,
  path: '/users/add',
  beforeLoad: refuseViewOnly,
  staticData: { crumb: t('Add new user'), under: usersCrumb },
  component: screen(() => import('./users/form'), 'NewUser'),
})
const userThing = { crumb: t('User'), href: '/internal/users/$user_sid' }
const userOverview = createRoute({
  getParentRoute: () => internal,
  path: '/users/$user_sid',
  staticData: { under: usersCrumb, thing: userThing },
  loader: ({ params }) => queryClient.ensureQueryData(userQueries.viewOf(params.user_sid)),
  component: screen(() => import('./users/overview'), 'UserOverview'),
})
const editUser = createRoute({
  getParentRoute: () => internal,
  path: '/users/$user_sid/edit',
  staticData: { crumb: t('Edit'), under: usersCrumb, thing: userThing },
  loader: ({ params }) => queryClient.ensureQueryData(userQueries.viewOf(params.user_sid)),
  component: screen(() => import('./users/form'), 'EditUser'),
})

// ---- security

const security = createRoute({
  getParentRoute: () => internal,
  path: '/security',
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Security') },
  loader: async () => (await import('./session/security/page')).load(),
  component: screen(() => import('./session/security/page'), 'Security'),
})

const connectProgram = createRoute({
  getParentRoute: () => internal,
  path: '/connect/$request_id',
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Connect a program') },
  loader: async ({ params }) =>
    (await import('./session/programs/connect')).load(params.request_id),
  component: screen(() => import('./session/programs/connect'), 'ConnectProgram'),
})

// ---- preferences

const preferences = createRoute({
  getParentRoute: () => internal,
  path: '/preferences',
  staticData: { crumb: t('Preferences') },
  component: screen(() => import('./users/preferences/page'), 'PreferencesPage'),
})

// ---- settings

const settings = createRoute({
  getParentRoute: () => internal,
  path: '/settings',
  staticData: { crumb: t('Settings') },
  beforeLoad: () =>
    requireRole('service_provider', t('You do not have permissions to manage Settings')),
  validateSearch: (raw: Record<string, unknown>) => ({
    ...listSearch(raw),
    ...defined({ tab: oneOf(['provider', 'brand'], raw.tab) }),
  }),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps, cause }) =>
    (await import('./tenants/settings/settings')).load(deps, cause),
  component: screen(() => import('./tenants/settings/settings'), 'Settings'),
})

const singleSignOn = createRoute({
  getParentRoute: () => internal,
  path: '/single-sign-on',
  staticData: { crumb: t('Single sign-on') },
  beforeLoad: async () => {
    requireRole('admin', t('You do not have permissions to manage single sign-on'))
    await requireFeatures()
  },
  loader: async () => (await import('./session/single-sign-on/settings')).load(),
  component: screen(() => import('./session/single-sign-on/settings'), 'SingleSignOnSettings'),
})

// ---- accounts

/** Account users go to their own account. */
function requireOwnAccount(account_sid: string) {
  const own = claims()?.scope === 'account' ? claims()?.account_sid : undefined
  if (own && own !== account_sid) redirectWithNotice(t('You do not have access.'))
}

/**
 * Redirects provider users from an account they may not see, or that does not exist. Preloading on hover
 * does not redirect.
 */
async function orRedirect<T>(cause: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (e) {
    const kept = [400, 403, 404].includes(statusOf(e) ?? 0)
    if (kept && cause !== 'preload' && claims()?.scope === 'service_provider')
      redirectWithNotice(t('You do not have access.'))
    throw e
  }
}

const accountsCrumb = { crumb: t('Accounts'), href: '/internal/accounts' }

const accounts = createRoute({
  getParentRoute: () => internal,
  path: '/accounts',
  staticData: { crumb: accountsCrumb.crumb },
  beforeLoad: () =>
    requireRole('service_provider', t('You do not have permissions to manage all accounts')),
  validateSearch: listSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => accountQueries.load(deps),
  component: screen(() => import('./tenants/accounts/list'), 'Accounts'),
})
const newAccount = createRoute({
  getParentRoute: () => internal,
  path: '/accounts/add',
  staticData: { crumb: t('Add an account'), under: accountsCrumb },
  beforeLoad: () => {
    requireRole('service_provider', t('You do not have permissions to manage all accounts'))
    refuseViewOnly()
  },
  component: screen(() => import('./tenants/accounts/form'), 'NewAccount'),
})
/** The first and last day of a report; without them, this month. */
const DAY = /^\d{4}-\d\d-\d\d$/
const reportSearch = ({ from, until }: Raw): { from?: string; until?: string } =>
  DAY.test(String(from)) && DAY.test(String(until))
    ? { from: String(from), until: String(until) }
    : {}
const accountThing = { crumb: t('Account'), href: '/internal/accounts/$account_sid' }
const accountOverview = createRoute({
  getParentRoute: () => internal,
  path: '/accounts/$account_sid',
  staticData: { under: accountsCrumb, thing: accountThing },
  beforeLoad: ({ params }) => requireOwnAccount(params.account_sid),
  loader: ({ params, cause }) =>
    orRedirect(cause, () => queryClient.ensureQueryData(accountQueries.viewOf(params.account_sid))),
  component: screen(() => import('./calls/overviews/account'), 'AccountOverview'),
})
const editAccount = createRoute({
  getParentRoute: () => internal,
  path: '/accounts/$account_sid/edit',
  staticData: { crumb: t('Edit'), under: accountsCrumb, thing: accountThing },
  validateSearch: listSearch,
  beforeLoad: ({ params }) => requireOwnAccount(params.account_sid),
  loader: ({ params, cause }) =>
    orRedirect(cause, async () => (await import('./tenants/accounts/form')).load(params)),
  component: screen(() => import('./billing/edit-account'), 'EditAccount'),
})

const transcriptSettings = createRoute({
  getParentRoute: () => internal,
  path: '/accounts/$account_sid/transcripts',
  staticData: { crumb: t('Transcripts'), under: accountsCrumb, thing: accountThing },
  beforeLoad: async ({ params }) => {
    requireOwnAccount(params.account_sid)
    await requireFeatures()
  },
  loader: ({ params, cause }) =>
    orRedirect(cause, async () =>
      (await import('./conversations/transcript-settings/form')).load(params),
    ),
  component: screen(() => import('./conversations/transcript-settings/form'), 'EditTranscripts'),
})

const languageModel = createRoute({
  getParentRoute: () => internal,
  path: '/accounts/$account_sid/language-model',
  staticData: { crumb: t('Language model'), under: accountsCrumb, thing: accountThing },
  beforeLoad: async ({ params }) => {
    requireOwnAccount(params.account_sid)
    await requireFeatures()
  },
  loader: ({ params, cause }) =>
    orRedirect(cause, async () =>
      (await import('./applications/language-model/form')).load(params),
    ),
  component: screen(() => import('./applications/language-model/form'), 'EditLanguageModel'),
})

const modelSessions = createRoute({
  getParentRoute: () => internal,
  path: '/accounts/$account_sid/model-sessions',
  staticData: { crumb: t('Model sessions'), under: accountsCrumb, thing: accountThing },
  beforeLoad: async ({ params }) => {
    requireOwnAccount(params.account_sid)
    await requireFeatures()
  },
  loader: ({ params, cause }) =>
    orRedirect(cause, async () =>
      (await import('./conversations/model-sessions/form')).load(params),
    ),
  component: screen(() => import('./conversations/model-sessions/form'), 'EditModelSessions'),
})

const customerReport = createRoute({
  getParentRoute: () => internal,
  path: '/accounts/$account_sid/report',
  staticData: { crumb: t('Report'), under: accountsCrumb, thing: accountThing },
  validateSearch: reportSearch,
  beforeLoad: async ({ params }) => {
    requireOwnAccount(params.account_sid)
    await requireFeatures()
  },
  loader: ({ params, cause }) =>
    orRedirect(cause, async () => (await import('./calls/customer-report/screen')).load(params)),
  component: screen(() => import('./calls/customer-report/screen'), 'CustomerReportScreen'),
})

const editSipRealm = createRoute({
  getParentRoute: () => internal,
  path: '/accounts/$account_sid/sip-realm/edit',
  staticData: {
    crumb: t('Edit Sip Realm'),
    under: accountThing,
  },
  beforeLoad: ({ params }) => requireOwnAccount(params.account_sid),
  loader: ({ params, cause }) =>
    orRedirect(cause, async () => (await import('./tenants/accounts/sip-realm')).load(params)),
  component: screen(() => import('./tenants/accounts/sip-realm'), 'EditSipRealm'),
})

// ---- the subscription of an account, in the hosted variant

/** Only users of the account manage its subscription. */
const requireAccountUser = ({ params }: { params: { account_sid: string } }) => {
  const user = claims()
  if (user?.scope !== 'account' || user.account_sid !== params.account_sid)
    redirectWithNotice(t('You do not have access.'))
}
const upgradeSubscription = createRoute({
  getParentRoute: () => internal,
  path: '/accounts/$account_sid/subscription',
  staticData: { crumb: t('Upgrade your Subscription'), under: accountThing },
  beforeLoad: requireAccountUser,
  loader: async ({ params }) => (await import('./billing/configure')).load(params, 'upgrade'),
  component: screen(() => import('./billing/configure'), 'UpgradeSubscription'),
})
const modifySubscription = createRoute({
  getParentRoute: () => internal,
  path: '/accounts/$account_sid/modify-subscription',
  staticData: { crumb: t('Configure Your Subscription'), under: accountThing },
  beforeLoad: requireAccountUser,
  loader: async ({ params }) => (await import('./billing/configure')).load(params, 'modify'),
  component: screen(() => import('./billing/configure'), 'ModifySubscription'),
})
const managePayment = createRoute({
  getParentRoute: () => internal,
  path: '/accounts/$account_sid/manage-payment',
  staticData: { crumb: t('Manage Payment Information'), under: accountThing },
  beforeLoad: requireAccountUser,
  loader: async () => (await import('./billing/manage-payment')).load(),
  component: screen(() => import('./billing/manage-payment'), 'ManagePayment'),
})

// ---- SIP clients

const clientsCrumb = { crumb: t('SIP clients'), href: '/internal/clients' }

const clients = createRoute({
  getParentRoute: () => internal,
  path: '/clients',
  staticData: { crumb: clientsCrumb.crumb },
  validateSearch: clientQueries.searchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => clientQueries.load(deps),
  component: screen(() => import('./devices/clients/list'), 'Clients'),
})
const newClient = createRoute({
  getParentRoute: () => internal,
  path: '/clients/add',
  beforeLoad: refuseViewOnly,
  staticData: { crumb: t('Add SIP client'), under: clientsCrumb },
  component: screen(() => import('./devices/clients/form'), 'NewClient'),
})
const clientThing = { crumb: t('SIP client'), href: '/internal/clients/$client_sid' }
const clientOverview = createRoute({
  getParentRoute: () => internal,
  path: '/clients/$client_sid',
  staticData: { under: clientsCrumb, thing: clientThing },
  loader: ({ params }) => queryClient.ensureQueryData(clientQueries.viewOf(params.client_sid)),
  component: screen(() => import('./devices/clients/overview'), 'ClientOverview'),
})
const editClient = createRoute({
  getParentRoute: () => internal,
  path: '/clients/$client_sid/edit',
  staticData: { crumb: t('Edit'), under: clientsCrumb, thing: clientThing },
  loader: async ({ params }) => (await import('./devices/clients/form')).load(params),
  component: screen(() => import('./devices/clients/form'), 'EditClient'),
})

// ---- live calls, queues and devices

const live = createRoute({
  getParentRoute: () => internal,
  path: '/live',
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Live') },
  validateSearch: (raw: Record<string, unknown>) => ({
    ...listSearch(raw),
    ...defined({
      tab: oneOf(['queues', 'users'], raw.tab),
      account_sid: text(raw.account_sid),
    }),
  }),
  component: screen(() => import('./calls/live-calls/list'), 'Live'),
})

// ---- applications

const applicationsCrumb = { crumb: t('Applications'), href: '/internal/applications' }

const applications = createRoute({
  getParentRoute: () => internal,
  path: '/applications',
  staticData: { crumb: applicationsCrumb.crumb },
  validateSearch: applicationQueries.searchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => applicationQueries.load(deps),
  component: screen(() => import('./applications/list'), 'Applications'),
})
const newApplication = createRoute({
  getParentRoute: () => internal,
  path: '/applications/add',
  beforeLoad: refuseViewOnly,
  staticData: { crumb: t('Add an application'), under: applicationsCrumb },
  component: screen(() => import('./applications/form'), 'NewApplication'),
})
const applicationThing = {
  crumb: t('Application'),
  href: '/internal/applications/$application_sid',
}
const applicationOverview = createRoute({
  getParentRoute: () => internal,
  path: '/applications/$application_sid',
  staticData: { under: applicationsCrumb, thing: applicationThing },
  loader: ({ params }) =>
    queryClient.ensureQueryData(applicationQueries.viewOf(params.application_sid)),
  component: screen(() => import('./calls/overviews/application'), 'ApplicationOverview'),
})
const editApplication = createRoute({
  getParentRoute: () => internal,
  path: '/applications/$application_sid/edit',
  staticData: { crumb: t('Edit'), under: applicationsCrumb, thing: applicationThing },
  loader: ({ params }) =>
    queryClient.ensureQueryData(applicationQueries.viewOf(params.application_sid)),
  component: screen(() => import('./applications/form'), 'EditApplication'),
})
const tryCrumb = {
  crumb: t('Try it'),
  href: '/internal/applications/$application_sid/try',
}
const tryApplication = createRoute({
  getParentRoute: () => internal,
  path: '/applications/$application_sid/try',
  beforeLoad: requireFeatures,
  validateSearch: listSearch,
  staticData: { crumb: tryCrumb.crumb, under: applicationsCrumb, thing: applicationThing },
  loader: ({ params }) =>
    queryClient.ensureQueryData(applicationQueries.viewOf(params.application_sid)),
  component: screen(() => import('./runs/runs/try'), 'Try'),
})
const applicationRun = createRoute({
  getParentRoute: () => internal,
  path: '/applications/$application_sid/try/$run_sid',
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Run'), under: applicationsCrumb, thing: tryCrumb },
  loader: ({ params }) =>
    queryClient.ensureQueryData(applicationQueries.viewOf(params.application_sid)),
  component: screen(() => import('./runs/runs/run-page'), 'RunPage'),
})

// ---- test cases of an application

async function requireMayAdd() {
  refuseViewOnly()
  await requireFeatures()
}

const newTestCase = createRoute({
  getParentRoute: () => internal,
  path: '/applications/$application_sid/test-cases/add',
  beforeLoad: requireMayAdd,
  staticData: { crumb: t('Add a test case'), under: applicationsCrumb, thing: tryCrumb },
  validateSearch: (raw: Record<string, unknown>) =>
    defined({ run: text(raw.run), call: text(raw.call), account_sid: text(raw.account_sid) }),
  component: screen(() => import('./runs/test-cases/form'), 'NewTestCase'),
})
const editTestCase = createRoute({
  getParentRoute: () => internal,
  path: '/applications/$application_sid/test-cases/$test_case_sid',
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Test case'), under: applicationsCrumb, thing: tryCrumb },
  loader: async ({ params }) => (await import('./runs/test-cases/form')).load(params),
  component: screen(() => import('./runs/test-cases/form'), 'EditTestCase'),
})

// ---- simulated callers of an application

const newSimulatedCaller = createRoute({
  getParentRoute: () => internal,
  path: '/applications/$application_sid/simulated-callers/add',
  beforeLoad: requireMayAdd,
  staticData: { crumb: t('Add a simulated caller'), under: applicationsCrumb, thing: tryCrumb },
  validateSearch: (raw: Record<string, unknown>) => defined({ offer: text(raw.offer) }),
  loader: ({ params }) =>
    queryClient.ensureQueryData(applicationQueries.viewOf(params.application_sid)),
  component: screen(() => import('./runs/simulated-callers/form'), 'NewSimulatedCaller'),
})
const simulatedCaller = createRoute({
  getParentRoute: () => internal,
  path: '/applications/$application_sid/simulated-callers/$simulated_caller_sid',
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Simulated caller'), under: applicationsCrumb, thing: tryCrumb },
  loader: async ({ params }) => (await import('./runs/simulated-callers/form')).load(params),
  component: screen(() => import('./runs/simulated-callers/page'), 'SimulatedCallerPage'),
})
const editSimulatedCaller = createRoute({
  getParentRoute: () => internal,
  path: '/applications/$application_sid/simulated-callers/$simulated_caller_sid/edit',
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Simulated caller'), under: applicationsCrumb, thing: tryCrumb },
  loader: async ({ params }) => (await import('./runs/simulated-callers/form')).load(params),
  component: screen(() => import('./runs/simulated-callers/form'), 'EditSimulatedCaller'),
})

const scoreCard = createRoute({
  getParentRoute: () => internal,
  path: '/applications/$application_sid/score-card',
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Score card'), under: applicationsCrumb, thing: tryCrumb },
  loader: async ({ params }) => (await import('./runs/scores/card')).load(params),
  component: screen(() => import('./runs/scores/card'), 'EditScoreCard'),
})

// ---- calls of an application that are played again

const suitesCrumb = {
  crumb: t('Calls played again'),
  href: '/internal/applications/$application_sid/suites',
}
const suites = createRoute({
  getParentRoute: () => internal,
  path: '/applications/$application_sid/suites',
  beforeLoad: requireFeatures,
  validateSearch: listSearch,
  staticData: { crumb: suitesCrumb.crumb, under: applicationsCrumb, thing: tryCrumb },
  loader: ({ params }) =>
    queryClient.ensureQueryData(applicationQueries.viewOf(params.application_sid)),
  component: screen(() => import('./runs/suites/suites'), 'Suites'),
})
const suite = createRoute({
  getParentRoute: () => internal,
  path: '/applications/$application_sid/suites/$suite_sid',
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Suite'), under: applicationsCrumb, thing: suitesCrumb },
  loader: ({ params }) =>
    queryClient.ensureQueryData(applicationQueries.viewOf(params.application_sid)),
  component: screen(() => import('./runs/suites/suite-page'), 'SuitePage'),
})

// ---- recent calls

const recentCallsCrumb = { crumb: t('Recent calls'), href: '/internal/recent-calls' }

const recentCalls = createRoute({
  getParentRoute: () => internal,
  path: '/recent-calls',
  staticData: { crumb: recentCallsCrumb.crumb },
  validateSearch: callSearch.searchOf,
  loaderDeps: ({ search }) => callSearch.listPart(search),
  loader: ({ deps }) => callSearch.load(deps),
  component: screen(() => import('./calls/recent-calls/list'), 'RecentCalls'),
})
const callDetails = createRoute({
  getParentRoute: () => internal,
  path: '/recent-calls/$call_sid',
  validateSearch: callSearch.searchOf,
  staticData: { crumb: t('Call'), under: { ...recentCallsCrumb, keepsSearch: true } },
  component: screen(() => import('./calls/call/call-page'), 'CallPage'),
})
const compareCalls = createRoute({
  getParentRoute: () => internal,
  path: '/recent-calls/compare',
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Compare calls'), under: recentCallsCrumb },
  component: screen(() => import('./conversations/compare/page'), 'CompareCalls'),
})

// ---- alerts

const alertsCrumb = { crumb: t('Alerts'), href: '/internal/alerts' }
const destinationsCrumb = { crumb: t('Destinations'), href: '/internal/alerts/destinations' }

const alerts = createRoute({
  getParentRoute: () => internal,
  path: '/alerts',
  staticData: { crumb: alertsCrumb.crumb },
  validateSearch: alertSearch.searchOf,
  loaderDeps: ({ search: { open: _, ...list } }) => list,
  loader: ({ deps }) => alertSearch.load(deps),
  component: screen(() => import('./alerts/list'), 'Alerts'),
})
const alertDestinations = createRoute({
  getParentRoute: () => internal,
  path: '/alerts/destinations',
  beforeLoad: requireFeatures,
  staticData: { crumb: destinationsCrumb.crumb, under: alertsCrumb },
  validateSearch: accountSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => destinationQueries.load(deps),
  component: screen(() => import('./alerts/alert-destinations/list'), 'AlertDestinations'),
})
const newAlertDestination = createRoute({
  getParentRoute: () => internal,
  path: '/alerts/destinations/add',
  beforeLoad: requireMayAdd,
  staticData: { crumb: t('Add a destination'), under: destinationsCrumb },
  component: screen(() => import('./alerts/alert-destinations/form'), 'NewAlertDestination'),
})
const editAlertDestination = createRoute({
  getParentRoute: () => internal,
  path: '/alerts/destinations/$alert_destination_sid/edit',
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Edit destination'), under: destinationsCrumb },
  loader: async ({ params }) => (await import('./alerts/alert-destinations/form')).load(params),
  component: screen(() => import('./alerts/alert-destinations/form'), 'EditAlertDestination'),
})

const eventWebhooksCrumb = { crumb: t('Event webhooks'), href: '/internal/alerts/webhooks' }
const eventWebhooks = createRoute({
  getParentRoute: () => internal,
  path: '/alerts/webhooks',
  beforeLoad: requireFeatures,
  staticData: { crumb: eventWebhooksCrumb.crumb, under: alertsCrumb },
  validateSearch: accountSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => (await import('./alerts/event-webhooks/queries')).load(deps),
  component: screen(() => import('./alerts/event-webhooks/list'), 'EventWebhooks'),
})
const newEventWebhook = createRoute({
  getParentRoute: () => internal,
  path: '/alerts/webhooks/add',
  beforeLoad: requireMayAdd,
  staticData: { crumb: t('Add a webhook for events'), under: eventWebhooksCrumb },
  component: screen(() => import('./alerts/event-webhooks/form'), 'NewEventWebhook'),
})
const eventWebhook = createRoute({
  getParentRoute: () => internal,
  path: '/alerts/webhooks/$event_subscription_sid/',
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Webhook'), under: eventWebhooksCrumb },
  validateSearch: (raw: Record<string, unknown>) => ({
    ...listSearch(raw),
    ...defined({ state: oneOf(['waiting', 'delivered', 'failed'], raw.state) }),
  }),
  loader: async ({ params }) => (await import('./alerts/event-webhooks/page')).load(params),
  component: screen(() => import('./alerts/event-webhooks/page'), 'EventWebhook'),
})
const editEventWebhook = createRoute({
  getParentRoute: () => internal,
  path: '/alerts/webhooks/$event_subscription_sid/edit',
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Edit webhook'), under: eventWebhooksCrumb },
  loader: async ({ params }) => (await import('./alerts/event-webhooks/form')).load(params),
  component: screen(() => import('./alerts/event-webhooks/form'), 'EditEventWebhook'),
})

// ---- inbox

const inbox = createRoute({
  getParentRoute: () => internal,
  path: '/inbox',
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Inbox') },
  validateSearch: inboxSearch.searchOf,
  loaderDeps: ({ search: { open: _, ...list } }) => list,
  loader: ({ deps }) => inboxSearch.load(deps),
  component: screen(() => import('./alerts/inbox/list'), 'Inbox'),
})

// ---- failures

const failures = createRoute({
  getParentRoute: () => internal,
  path: '/failures',
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Failures') },
  validateSearch: failureSearch.searchOf,
  loaderDeps: ({ search: { open: _, ...list } }) => list,
  loader: ({ deps }) => failureSearch.load(deps),
  component: screen(() => import('./alerts/failures/list'), 'Failures'),
})

// ---- webhook log

const webhookLogCrumb = { crumb: t('Webhook log'), href: '/internal/webhook-log' }

const webhookLog = createRoute({
  getParentRoute: () => internal,
  path: '/webhook-log',
  beforeLoad: requireFeatures,
  staticData: { crumb: webhookLogCrumb.crumb },
  validateSearch: webhookQueries.searchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => webhookQueries.load(deps),
  component: screen(() => import('./alerts/webhook-requests/list'), 'WebhookLog'),
})
const webhookRequest = createRoute({
  getParentRoute: () => internal,
  path: '/webhook-log/$webhook_request_sid',
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Request'), under: webhookLogCrumb },
  component: screen(() => import('./alerts/webhook-requests/detail'), 'WebhookRequestPage'),
})
const testWebhooks = createRoute({
  getParentRoute: () => internal,
  path: '/applications/$application_sid/test',
  beforeLoad: requireMayAdd,
  staticData: { crumb: t('Test request'), under: applicationsCrumb, thing: applicationThing },
  loader: ({ params }) =>
    queryClient.ensureQueryData(applicationQueries.viewOf(params.application_sid)),
  component: screen(() => import('./alerts/webhook-requests/workbench'), 'Workbench'),
})

// ---- dashboard

const dashboard = createRoute({
  getParentRoute: () => internal,
  path: '/dashboard',
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Dashboard') },
  validateSearch: dashboardQueries.searchOf,
  component: screen(() => import('./calls/dashboard/dashboard'), 'Dashboard'),
})
const voice = createRoute({
  getParentRoute: () => internal,
  path: '/voice',
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Voice insights') },
  validateSearch: voiceQueries.searchOf,
  component: screen(() => import('./conversations/voice/voice'), 'Voice'),
})

const scores = createRoute({
  getParentRoute: () => internal,
  path: '/scores',
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Call scores') },
  validateSearch: voiceQueries.searchOf,
  component: screen(() => import('./runs/scores/scores'), 'Scores'),
})

// ---- carriers

const carriersCrumb = { crumb: t('Carriers'), href: '/internal/carriers' }
const carrierTab = (raw: Record<string, unknown>) =>
  defined({ tab: oneOf(['inbound', 'outbound', 'sip', 'smpp'], raw.tab) })

const carriers = createRoute({
  getParentRoute: () => internal,
  path: '/carriers',
  staticData: { crumb: carriersCrumb.crumb },
  validateSearch: carrierQueries.searchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => carrierQueries.load(deps),
  component: screen(() => import('./carriers/voip-carriers/list'), 'VoipCarriers'),
})
const newCarrier = createRoute({
  getParentRoute: () => internal,
  path: '/carriers/add',
  beforeLoad: refuseAddingCarrier,
  staticData: { crumb: t('Add a carrier'), under: carriersCrumb },
  validateSearch: carrierTab,
  component: screen(() => import('./carriers/voip-carriers/form'), 'NewVoipCarrier'),
})
const carrierThing = { crumb: t('Carrier'), href: '/internal/carriers/$voip_carrier_sid' }
const carrierOverview = createRoute({
  getParentRoute: () => internal,
  path: '/carriers/$voip_carrier_sid',
  staticData: { under: carriersCrumb, thing: carrierThing },
  loader: ({ params }) =>
    queryClient.ensureQueryData(carrierQueries.viewOf(params.voip_carrier_sid)),
  component: screen(() => import('./calls/overviews/carrier'), 'CarrierOverview'),
})
const editCarrier = createRoute({
  getParentRoute: () => internal,
  path: '/carriers/$voip_carrier_sid/edit',
  staticData: { crumb: t('Edit'), under: carriersCrumb, thing: carrierThing },
  validateSearch: carrierTab,
  loader: async ({ params }) =>
    refuseChangingCarrier(
      await queryClient.ensureQueryData(carrierQueries.viewOf(params.voip_carrier_sid)),
    ),
  component: screen(() => import('./carriers/voip-carriers/form'), 'EditVoipCarrier'),
})

// ---- speech services

const speechCrumb = { crumb: t('Speech services'), href: '/internal/speech-services' }

const speechServices = createRoute({
  getParentRoute: () => internal,
  path: '/speech-services',
  staticData: { crumb: speechCrumb.crumb },
  validateSearch: accountSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => speechQueries.load(deps),
  component: screen(() => import('./speech/speech-credentials/list'), 'SpeechCredentials'),
})
const newSpeechService = createRoute({
  getParentRoute: () => internal,
  path: '/speech-services/add',
  beforeLoad: refuseViewOnly,
  staticData: { crumb: t('Add a speech service'), under: speechCrumb },
  component: screen(() => import('./speech/speech-credentials/form'), 'NewSpeechCredential'),
})
const speechServiceThing = {
  crumb: t('Speech service'),
  href: '/internal/speech-services/$speech_credential_sid',
}
const speechServiceOverview = createRoute({
  getParentRoute: () => internal,
  path: '/speech-services/$speech_credential_sid',
  staticData: { under: speechCrumb, thing: speechServiceThing },
  loader: async ({ params }) => (await import('./speech/speech-credentials/view')).load(params),
  component: screen(() => import('./speech/speech-credentials/overview'), 'SpeechOverview'),
})
const editSpeechService = createRoute({
  getParentRoute: () => internal,
  path: '/speech-services/$speech_credential_sid/edit',
  staticData: { crumb: t('Edit'), under: speechCrumb, thing: speechServiceThing },
  loader: async ({ params }) => (await import('./speech/speech-credentials/view')).load(params),
  component: screen(() => import('./speech/speech-credentials/form'), 'EditSpeechCredential'),
})
// the short form of these paths, kept for old links
const speechAdd = createRoute({
  getParentRoute: () => internal,
  path: '/speech/add',
  beforeLoad: () => {
    throw redirect({ to: '/internal/speech-services/add', replace: true })
  },
})
const speechEdit = createRoute({
  getParentRoute: () => internal,
  path: '/speech/$id/edit',
  beforeLoad: ({ params }) => {
    throw redirect({
      to: '/internal/speech-services/$speech_credential_sid/edit',
      params: { speech_credential_sid: params.id },
      replace: true,
    })
  },
})

// ---- phone numbers

const phoneNumbersCrumb = { crumb: t('Phone numbers'), href: '/internal/phone-numbers' }

const phoneNumbers = createRoute({
  getParentRoute: () => internal,
  path: '/phone-numbers',
  staticData: { crumb: phoneNumbersCrumb.crumb },
  validateSearch: numberQueries.searchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => numberQueries.load(deps),
  component: screen(() => import('./routing/phone-numbers/list'), 'PhoneNumbers'),
})
const newPhoneNumber = createRoute({
  getParentRoute: () => internal,
  path: '/phone-numbers/add',
  beforeLoad: refuseAddingNumber,
  staticData: { crumb: t('Add a phone number'), under: phoneNumbersCrumb },
  component: screen(() => import('./routing/phone-numbers/form'), 'NewPhoneNumber'),
})
const phoneNumberThing = {
  crumb: t('Phone number'),
  href: '/internal/phone-numbers/$phone_number_sid',
}
const phoneNumberOverview = createRoute({
  getParentRoute: () => internal,
  path: '/phone-numbers/$phone_number_sid',
  staticData: { under: phoneNumbersCrumb, thing: phoneNumberThing },
  loader: ({ params }) =>
    queryClient.ensureQueryData(numberQueries.viewOf(params.phone_number_sid)),
  component: screen(() => import('./routing/phone-numbers/overview'), 'PhoneNumberOverview'),
})
const editPhoneNumber = createRoute({
  getParentRoute: () => internal,
  path: '/phone-numbers/$phone_number_sid/edit',
  staticData: { crumb: t('Edit'), under: phoneNumbersCrumb, thing: phoneNumberThing },
  loader: ({ params }) =>
    queryClient.ensureQueryData(numberQueries.viewOf(params.phone_number_sid)),
  component: screen(() => import('./routing/phone-numbers/form'), 'EditPhoneNumber'),
})

// ---- route simulator

const routeSimulator = createRoute({
  getParentRoute: () => internal,
  path: '/route-simulator',
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Route simulator') },
  validateSearch: (raw: Record<string, unknown>) =>
    defined({
      direction: oneOf(['inbound'], raw.direction),
      // numbers beginning with a plus are typed into addresses, where it means a space
      number: text(raw.number)?.trim().slice(0, 64),
      source: text(raw.source)?.slice(0, 64),
      from: text(raw.from)?.trim().slice(0, 64),
      trunk: text(raw.trunk)?.slice(0, 64),
      username: text(raw.username)?.slice(0, 64),
      carrier: text(raw.carrier),
      account_sid: text(raw.account_sid),
    }),
  component: screen(() => import('./routing/route-simulations/simulate'), 'RouteSimulator'),
})

// ---- getting started

const gettingStarted = createRoute({
  getParentRoute: () => internal,
  path: '/getting-started',
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Getting started') },
  component: screen(() => import('./system/getting-started/getting-started'), 'GettingStarted'),
})

// ---- system health

async function requireSystemHealth() {
  requireRole('admin', t('You do not have permissions to see System health'))
  await requireFeatures()
}

const systemHealth = createRoute({
  getParentRoute: () => internal,
  path: '/system-health',
  staticData: { crumb: t('System health') },
  beforeLoad: requireSystemHealth,
  component: screen(() => import('./health/system-health/health'), 'SystemHealth'),
})
const doctor = createRoute({
  getParentRoute: () => internal,
  path: '/system-health/doctor',
  staticData: {
    crumb: t('Doctor'),
    under: { crumb: t('System health'), href: '/internal/system-health' },
  },
  beforeLoad: requireSystemHealth,
  component: screen(() => import('./health/doctor/doctor'), 'Doctor'),
})

const configuration = createRoute({
  getParentRoute: () => internal,
  path: '/configuration',
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Configuration') },
  validateSearch: (raw: Record<string, unknown>) =>
    defined({ account_sid: text(raw.account_sid), tab: oneOf(['compare'], raw.tab) }),
  component: screen(() => import('./system/configuration/configuration'), 'Configuration'),
})

// ---- audit log

const auditLog = createRoute({
  getParentRoute: () => internal,
  path: '/audit-log',
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Audit log') },
  validateSearch: (raw: Record<string, unknown>) => ({
    ...listSearch(raw),
    ...defined({
      account_sid: text(raw.account_sid),
      kind: text(raw.kind),
      action: text(raw.action),
      from: text(raw.from),
      to: text(raw.to),
      sid: text(raw.sid),
      open: /^[1-9]\d{0,8}$/.exec(text(raw.open) ?? '')?.[0],
    }),
  }),
  loaderDeps: ({ search: { open: _, ...list } }) => list,
  loader: async ({ deps }) => (await import('./audit/list')).load(deps),
  component: screen(() => import('./audit/list'), 'AuditLog'),
})

const auditHistory = createRoute({
  getParentRoute: () => internal,
  path: '/audit-log/history',
  beforeLoad: requireFeatures,
  staticData: {
    crumb: t('History'),
    under: { crumb: t('Audit log'), href: '/internal/audit-log' },
  },
  validateSearch: (raw: Record<string, unknown>) =>
    defined({
      kind: text(raw.kind),
      sid: text(raw.sid),
      at: text(raw.at),
      with: text(raw.with),
    }),
  component: screen(() => import('./audit/history'), 'History'),
})

// ---- Microsoft Teams tenants

const tenantsCrumb = { crumb: t('Microsoft Teams tenants'), href: '/internal/ms-teams-tenants' }

const msTeamsTenants = createRoute({
  getParentRoute: () => internal,
  path: '/ms-teams-tenants',
  staticData: { crumb: tenantsCrumb.crumb },
  validateSearch: accountSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => (await import('./devices/ms-teams-tenants/list')).load(deps),
  component: screen(() => import('./devices/ms-teams-tenants/list'), 'MsTeamsTenants'),
})
const newMsTeamsTenant = createRoute({
  getParentRoute: () => internal,
  path: '/ms-teams-tenants/add',
  beforeLoad: refuseViewOnly,
  loader: async () => (await import('./devices/ms-teams-tenants/guard')).requireTeamsDomain(),
  staticData: { crumb: t('Add a Microsoft Teams Tenant'), under: tenantsCrumb },
  component: screen(() => import('./devices/ms-teams-tenants/form'), 'NewMsTeamsTenant'),
})
const editMsTeamsTenant = createRoute({
  getParentRoute: () => internal,
  path: '/ms-teams-tenants/$ms_teams_tenant_sid/edit',
  staticData: { crumb: t('Edit Microsoft Teams Tenant'), under: tenantsCrumb },
  loader: ({ params }) =>
    queryClient.ensureQueryData(tenantQueries.viewOf(params.ms_teams_tenant_sid)),
  component: screen(() => import('./devices/ms-teams-tenants/form'), 'EditMsTeamsTenant'),
})

// ---- outbound call routing

const lcrsCrumb = { crumb: t('Outbound call routing'), href: '/internal/least-cost-routing' }

const lcrs = createRoute({
  getParentRoute: () => internal,
  path: '/least-cost-routing',
  staticData: { crumb: lcrsCrumb.crumb },
  validateSearch: accountSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => (await import('./routing/lcrs/list')).load(deps),
  component: screen(() => import('./routing/lcrs/list'), 'Lcrs'),
})
const newLcr = createRoute({
  getParentRoute: () => internal,
  path: '/least-cost-routing/add',
  staticData: { crumb: t('Add routing table'), under: lcrsCrumb },
  loader: async () => (await import('./routing/lcrs/form')).loadNew(),
  component: screen(() => import('./routing/lcrs/form'), 'NewLcr'),
})
const lcrThing = { crumb: t('Routing table'), href: '/internal/least-cost-routing/$lcr_sid' }
const lcrOverview = createRoute({
  getParentRoute: () => internal,
  path: '/least-cost-routing/$lcr_sid',
  staticData: { under: lcrsCrumb, thing: lcrThing },
  loader: ({ params }) => queryClient.ensureQueryData(lcrQueries.viewOf(params.lcr_sid)),
  component: screen(() => import('./routing/lcrs/overview'), 'LcrOverview'),
})
const editLcr = createRoute({
  getParentRoute: () => internal,
  path: '/least-cost-routing/$lcr_sid/edit',
  staticData: { crumb: t('Edit'), under: lcrsCrumb, thing: lcrThing },
  loader: ({ params }) => queryClient.ensureQueryData(lcrQueries.viewOf(params.lcr_sid)),
  component: screen(() => import('./routing/lcrs/form'), 'EditLcr'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    ...publicPages,
    ...(config.ENABLE_HOSTED_SYSTEM ? registrationPages : []),
    internal.addChildren([
      startPage,
      users,
      newUser,
      userOverview,
      editUser,
      security,
      connectProgram,
      preferences,
      settings,
      singleSignOn,
      accounts,
      newAccount,
      accountOverview,
      editAccount,
      transcriptSettings,
      languageModel,
      modelSessions,
      customerReport,
      ...(config.ENABLE_HOSTED_SYSTEM ? [editSipRealm] : []),
      clients,
      newClient,
      clientOverview,
      editClient,
      live,
      applications,
      newApplication,
      applicationOverview,
      editApplication,
      newTestCase,
      newSimulatedCaller,
      simulatedCaller,
      scoreCard,
      editSimulatedCaller,
      suites,
      suite,
      editTestCase,
      tryApplication,
      applicationRun,
      recentCalls,
      callDetails,
      compareCalls,
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
      dashboard,
      voice,
      scores,
      carriers,
      newCarrier,
      carrierOverview,
      editCarrier,
      speechServices,
      newSpeechService,
      speechServiceOverview,
      editSpeechService,
      speechAdd,
      speechEdit,
      phoneNumbers,
      newPhoneNumber,
      phoneNumberOverview,
      editPhoneNumber,
      routeSimulator,
      auditLog,
      auditHistory,
      gettingStarted,
      systemHealth,
      doctor,
      configuration,
      msTeamsTenants,
      newMsTeamsTenant,
      editMsTeamsTenant,
      ...(config.DISABLE_LCR ? [] : [lcrs, newLcr, lcrOverview, editLcr]),
      ...(config.ENABLE_HOSTED_SYSTEM && config.STRIPE_PUBLISHABLE_KEY
        ? [upgradeSubscription, modifySubscription, managePayment]
        : []),
    ]),
  ]),
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: RouteError,
  defaultPendingComponent: RoutePending,
  defaultPendingMs: 150,
  defaultPendingMinMs: 0,
  scrollRestoration: true,
  parseSearch: parseAddress,
  stringifySearch: stringifyAddress,
})
