import { t } from '@switchroom/contract'
import { createRoute } from '@tanstack/react-router'
import { queryClient } from '../lib/api'
import { config } from '../lib/config'
import { accountSearch, defined, oneOf, text } from '../lib/list-search'
import { requireFeatures } from '../lib/require-features'
import { at } from '../lib/route-tree'
import { screen } from '../lib/screen'
import * as lcrQueries from './lcrs/queries'
import { refuseAddingNumber } from './phone-numbers/may'
import * as numberQueries from './phone-numbers/queries'

const phoneNumbersCrumb = { crumb: t('Phone numbers'), href: '/internal/phone-numbers' }

const phoneNumbers = createRoute({
  ...at('/phone-numbers'),
  staticData: { crumb: phoneNumbersCrumb.crumb },
  validateSearch: numberQueries.searchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => numberQueries.load(deps),
  component: screen(() => import('./phone-numbers/list'), 'PhoneNumbers'),
})
const newPhoneNumber = createRoute({
  ...at('/phone-numbers/add'),
  beforeLoad: refuseAddingNumber,
  staticData: { crumb: t('Add a phone number'), under: phoneNumbersCrumb },
  component: screen(() => import('./phone-numbers/form'), 'NewPhoneNumber'),
})

const phoneNumberThing = {
  crumb: t('Phone number'),
  href: '/internal/phone-numbers/$phone_number_sid',
}
const phoneNumberOverview = createRoute({
  ...at('/phone-numbers/$phone_number_sid'),
  staticData: { under: phoneNumbersCrumb, thing: phoneNumberThing },
  loader: ({ params }) =>
    queryClient.ensureQueryData(numberQueries.viewOf(params.phone_number_sid)),
  component: screen(() => import('./phone-numbers/overview'), 'PhoneNumberOverview'),
})
const editPhoneNumber = createRoute({
  ...at('/phone-numbers/$phone_number_sid/edit'),
  staticData: { crumb: t('Edit'), under: phoneNumbersCrumb, thing: phoneNumberThing },
  loader: ({ params }) =>
    queryClient.ensureQueryData(numberQueries.viewOf(params.phone_number_sid)),
  component: screen(() => import('./phone-numbers/form'), 'EditPhoneNumber'),
})

const routeSimulator = createRoute({
  ...at('/route-simulator'),
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
  component: screen(() => import('./route-simulations/simulate'), 'RouteSimulator'),
})

const lcrsCrumb = { crumb: t('Outbound call routing'), href: '/internal/least-cost-routing' }

const lcrs = createRoute({
  ...at('/least-cost-routing'),
  staticData: { crumb: lcrsCrumb.crumb },
  validateSearch: accountSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => (await import('./lcrs/list')).load(deps),
  component: screen(() => import('./lcrs/list'), 'Lcrs'),
})
const newLcr = createRoute({
  ...at('/least-cost-routing/add'),
  staticData: { crumb: t('Add routing table'), under: lcrsCrumb },
  loader: async () => (await import('./lcrs/form')).loadNew(),
  component: screen(() => import('./lcrs/form'), 'NewLcr'),
})

const lcrThing = { crumb: t('Routing table'), href: '/internal/least-cost-routing/$lcr_sid' }
const lcrOverview = createRoute({
  ...at('/least-cost-routing/$lcr_sid'),
  staticData: { under: lcrsCrumb, thing: lcrThing },
  loader: ({ params }) => queryClient.ensureQueryData(lcrQueries.viewOf(params.lcr_sid)),
  component: screen(() => import('./lcrs/overview'), 'LcrOverview'),
})
const editLcr = createRoute({
  ...at('/least-cost-routing/$lcr_sid/edit'),
  staticData: { crumb: t('Edit'), under: lcrsCrumb, thing: lcrThing },
  loader: ({ params }) => queryClient.ensureQueryData(lcrQueries.viewOf(params.lcr_sid)),
  component: screen(() => import('./lcrs/form'), 'EditLcr'),
})

export const routes = [
  phoneNumbers,
  newPhoneNumber,
  phoneNumberOverview,
  editPhoneNumber,
  routeSimulator,
  ...(config.DISABLE_LCR ? [] : [lcrs, newLcr, lcrOverview, editLcr]),
]
