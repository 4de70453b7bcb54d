import { t } from '@switchroom/contract'
import { createRoute } from '@tanstack/react-router'
import { queryClient } from '../lib/api'
import { defined, oneOf } from '../lib/list-search'
import { at } from '../lib/route-tree'
import { screen } from '../lib/screen'
import { refuseAddingCarrier, refuseChangingCarrier } from './voip-carriers/may'
import * as carrierQueries from './voip-carriers/queries'

export const carriersCrumb = { crumb: t('Carriers'), href: '/internal/carriers' }

const carrierTab = (raw: Record<string, unknown>) =>
  defined({ tab: oneOf(['inbound', 'outbound', 'sip', 'smpp'], raw.tab) })
const carriers = createRoute({
  ...at('/carriers'),
  staticData: { crumb: carriersCrumb.crumb },
  validateSearch: carrierQueries.searchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => carrierQueries.load(deps),
  component: screen(() => import('./voip-carriers/list'), 'VoipCarriers'),
})
const newCarrier = createRoute({
  ...at('/carriers/add'),
  beforeLoad: refuseAddingCarrier,
  staticData: { crumb: t('Add a carrier'), under: carriersCrumb },
  validateSearch: carrierTab,
  component: screen(() => import('./voip-carriers/form'), 'NewVoipCarrier'),
})

export const carrierThing = { crumb: t('Carrier'), href: '/internal/carriers/$voip_carrier_sid' }
const editCarrier = createRoute({
  ...at('/carriers/$voip_carrier_sid/edit'),
  staticData: { crumb: t('Edit'), under: carriersCrumb, thing: carrierThing },
  validateSearch: carrierTab,
  loader: async ({ params }) =>
    refuseChangingCarrier(
      await queryClient.ensureQueryData(carrierQueries.viewOf(params.voip_carrier_sid)),
    ),
  component: screen(() => import('./voip-carriers/form'), 'EditVoipCarrier'),
})

export const routes = [carriers, newCarrier, editCarrier]
