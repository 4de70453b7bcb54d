import { t } from '@switchroom/contract'
import { createRoute, redirect } from '@tanstack/react-router'
import { refuseViewOnly } from '../lib/access'
import { accountSearch } from '../lib/list-search'
import { at } from '../lib/route-tree'
import { screen } from '../lib/screen'
import * as speechQueries from './speech-credentials/queries'

const speechCrumb = { crumb: t('Speech services'), href: '/internal/speech-services' }

const speechServices = createRoute({
  ...at('/speech-services'),
  staticData: { crumb: speechCrumb.crumb },
  validateSearch: accountSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => speechQueries.load(deps),
  component: screen(() => import('./speech-credentials/list'), 'SpeechCredentials'),
})
const newSpeechService = createRoute({
  ...at('/speech-services/add'),
  beforeLoad: refuseViewOnly,
  staticData: { crumb: t('Add a speech service'), under: speechCrumb },
  component: screen(() => import('./speech-credentials/form'), 'NewSpeechCredential'),
})

const speechServiceThing = {
  crumb: t('Speech service'),
  href: '/internal/speech-services/$speech_credential_sid',
}
const speechServiceOverview = createRoute({
  ...at('/speech-services/$speech_credential_sid'),
  staticData: { under: speechCrumb, thing: speechServiceThing },
  loader: async ({ params }) => (await import('./speech-credentials/view')).load(params),
  component: screen(() => import('./speech-credentials/overview'), 'SpeechOverview'),
})
const editSpeechService = createRoute({
  ...at('/speech-services/$speech_credential_sid/edit'),
  staticData: { crumb: t('Edit'), under: speechCrumb, thing: speechServiceThing },
  loader: async ({ params }) => (await import('./speech-credentials/view')).load(params),
  component: screen(() => import('./speech-credentials/form'), 'EditSpeechCredential'),
})

// the short form of these paths, kept for old links
const speechAdd = createRoute({
  ...at('/speech/add'),
  beforeLoad: () => {
    throw redirect({ to: '/internal/speech-services/add', replace: true })
  },
})
const speechEdit = createRoute({
  ...at('/speech/$id/edit'),
  beforeLoad: ({ params }) => {
    throw redirect({
      to: '/internal/speech-services/$speech_credential_sid/edit',
      params: { speech_credential_sid: params.id },
      replace: true,
    })
  },
})

export const routes = [
  speechServices,
  newSpeechService,
  speechServiceOverview,
  editSpeechService,
  speechAdd,
  speechEdit,
]
