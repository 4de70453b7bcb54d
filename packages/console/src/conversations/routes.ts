import { t } from '@switchroom/contract'
import { createRoute } from '@tanstack/react-router'
import { recentCallsCrumb } from '../calls/routes'
import { requireFeatures } from '../lib/require-features'
import { orRedirect, requireOwnAccount } from '../lib/route-guards'
import { at } from '../lib/route-tree'
import { screen } from '../lib/screen'
import { accountsCrumb, accountThing } from '../tenants/routes'
import * as voiceQueries from './voice/queries'

const transcriptSettings = createRoute({
  ...at('/accounts/$account_sid/transcripts'),
  staticData: { crumb: t('Transcripts'), under: accountsCrumb, thing: accountThing },
  beforeLoad: async ({ params }) => {
    requireOwnAccount(params.account_sid)
    await requireFeatures()
  },
  loader: ({ params, cause }) =>
    orRedirect(cause, async () => (await import('./transcript-settings/form')).load(params)),
  component: screen(() => import('./transcript-settings/form'), 'EditTranscripts'),
})

const modelSessions = createRoute({
  ...at('/accounts/$account_sid/model-sessions'),
  staticData: { crumb: t('Model sessions'), under: accountsCrumb, thing: accountThing },
  beforeLoad: async ({ params }) => {
    requireOwnAccount(params.account_sid)
    await requireFeatures()
  },
  loader: ({ params, cause }) =>
    orRedirect(cause, async () => (await import('./model-sessions/form')).load(params)),
  component: screen(() => import('./model-sessions/form'), 'EditModelSessions'),
})

const compareCalls = createRoute({
  ...at('/recent-calls/compare'),
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Compare calls'), under: recentCallsCrumb },
  component: screen(() => import('./compare/page'), 'CompareCalls'),
})

const voice = createRoute({
  ...at('/voice'),
  beforeLoad: requireFeatures,
  staticData: { crumb: t('Voice insights') },
  validateSearch: voiceQueries.searchOf,
  component: screen(() => import('./voice/voice'), 'Voice'),
})

export const routes = [transcriptSettings, modelSessions, compareCalls, voice]
