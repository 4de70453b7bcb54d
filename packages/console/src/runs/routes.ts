import { t } from '@switchroom/contract'
import { createRoute } from '@tanstack/react-router'
import * as applicationQueries from '../applications/queries'
import { applicationsCrumb, applicationThing } from '../applications/routes'
import * as voiceQueries from '../conversations/voice/queries'
import { queryClient } from '../lib/api'
import { defined, listSearch, text } from '../lib/list-search'
import { requireFeatures } from '../lib/require-features'
import { requireMayAdd } from '../lib/route-guards'
import { at } from '../lib/route-tree'
import { screen } from '../lib/screen'

const tryCrumb = {
  crumb: t('Try it'),
  href: '/internal/applications/$application_sid/try',
}

const tryApplication = createRoute({
  ...at('/applications/$application_sid/try'),
  beforeLoad: requireFeatures,
  validateSearch: listSearch,
  staticData: { crumb: tryCrumb.crumb, under: applicationsCrumb, thing: applicationThing },
  loader: ({ params }) =>
    queryClient.ensureQueryData(applicationQueries.viewOf(params.application_sid)),
  component: screen(() => import('./runs/try'), 'Try'),
})
const applicationRun = createRoute({
  ...at('/applications/$application_sid/try/$run_sid'),
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Run'), under: applicationsCrumb, thing: tryCrumb },
  loader: ({ params }) =>
    queryClient.ensureQueryData(applicationQueries.viewOf(params.application_sid)),
  component: screen(() => import('./runs/run-page'), 'RunPage'),
})

const newTestCase = createRoute({
  ...at('/applications/$application_sid/test-cases/add'),
  beforeLoad: requireMayAdd,
  staticData: { crumb: t('Add a test case'), under: applicationsCrumb, thing: tryCrumb },
  validateSearch: (raw: Record<string, unknown>) =>
    defined({ run: text(raw.run), call: text(raw.call), account_sid: text(raw.account_sid) }),
  component: screen(() => import('./test-cases/form'), 'NewTestCase'),
})
const editTestCase = createRoute({
  ...at('/applications/$application_sid/test-cases/$test_case_sid'),
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Test case'), under: applicationsCrumb, thing: tryCrumb },
  loader: async ({ params }) => (await import('./test-cases/form')).load(params),
  component: screen(() => import('./test-cases/form'), 'EditTestCase'),
})

const newSimulatedCaller = createRoute({
  ...at('/applications/$application_sid/simulated-callers/add'),
  beforeLoad: requireMayAdd,
  staticData: { crumb: t('Add a simulated caller'), under: applicationsCrumb, thing: tryCrumb },
  validateSearch: (raw: Record<string, unknown>) => defined({ offer: text(raw.offer) }),
  loader: ({ params }) =>
    queryClient.ensureQueryData(applicationQueries.viewOf(params.application_sid)),
  component: screen(() => import('./simulated-callers/form'), 'NewSimulatedCaller'),
})
const simulatedCaller = createRoute({
  ...at('/applications/$application_sid/simulated-callers/$simulated_caller_sid'),
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Simulated caller'), under: applicationsCrumb, thing: tryCrumb },
  loader: async ({ params }) => (await import('./simulated-callers/form')).load(params),
  component: screen(() => import('./simulated-callers/page'), 'SimulatedCallerPage'),
})
const editSimulatedCaller = createRoute({
  ...at('/applications/$application_sid/simulated-callers/$simulated_caller_sid/edit'),
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Simulated caller'), under: applicationsCrumb, thing: tryCrumb },
  loader: async ({ params }) => (await import('./simulated-callers/form')).load(params),
  component: screen(() => import('./simulated-callers/form'), 'EditSimulatedCaller'),
})

const scoreCard = createRoute({
  ...at('/applications/$application_sid/score-card'),
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Score card'), under: applicationsCrumb, thing: tryCrumb },
  loader: async ({ params }) => (await import('./scores/card')).load(params),
  component: screen(() => import('./scores/card'), 'EditScoreCard'),
})

const suitesCrumb = {
  crumb: t('Calls played again'),
  href: '/internal/applications/$application_sid/suites',
}

const suites = createRoute({
  ...at('/applications/$application_sid/suites'),
  beforeLoad: requireFeatures,
  validateSearch: listSearch,
  staticData: { crumb: suitesCrumb.crumb, under: applicationsCrumb, thing: tryCrumb },
  loader: ({ params }) =>
    queryClient.ensureQueryData(applicationQueries.viewOf(params.application_sid)),
  component: screen(() => import('./suites/suites'), 'Suites'),
})
const suite = createRoute({
  ...at('/applications/$application_sid/suites/$suite_sid'),
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Suite'), under: applicationsCrumb, thing: suitesCrumb },
  loader: ({ params }) =>
    queryClient.ensureQueryData(applicationQueries.viewOf(params.application_sid)),
  component: screen(() => import('./suites/suite-page'), 'SuitePage'),
})

const scores = createRoute({
  ...at('/scores'),
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Call scores') },
  validateSearch: voiceQueries.searchOf,
  component: screen(() => import('./scores/scores'), 'Scores'),
})

export const routes = [
  tryApplication,
  applicationRun,
  newTestCase,
  editTestCase,
  newSimulatedCaller,
  simulatedCaller,
  editSimulatedCaller,
  scoreCard,
  suites,
  suite,
  scores,
]
