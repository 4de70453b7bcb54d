import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import * as alerts from './alerts/routes'
import * as applications from './applications/routes'
import * as audit from './audit/routes'
import * as billing from './billing/routes'
import * as calls from './calls/routes'
import * as carriers from './carriers/routes'
import * as conversations from './conversations/routes'
import * as devices from './devices/routes'
import * as health from './health/routes'
import { parseAddress, stringifyAddress } from './lib/address'
import { config } from './lib/config'
import { RouteError, RoutePending } from './lib/route-states'
import { at, internal, root } from './lib/route-tree'
import { screen } from './lib/screen'
import { homeHref } from './lib/session'
import * as routing from './routing/routes'
import * as runs from './runs/routes'
import * as publicPages from './session/public-routes'
import * as registration from './session/registration/routes'
import * as session from './session/routes'
import * as speech from './speech/routes'
import * as system from './system/routes'
import * as tenants from './tenants/routes'
import * as users from './users/routes'

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

// the pages around the screens, which know more than screens may
root.update({
  notFoundComponent: screen(() => import('./session/not-found'), 'PublicNotFound'),
})
internal.update({
  component: screen(() => import('./frame/layout'), 'Layout'),
  notFoundComponent: screen(() => import('./session/not-found'), 'InternalNotFound'),
})

const startPage = createRoute({
  ...at('/'),
  beforeLoad: () => {
    throw redirect({ href: homeHref(), replace: true })
  },
})

/** The map of screens. Each stands in the `routes.ts` of its wing. */
export const router = createRouter({
  routeTree: root.addChildren([
    ...publicPages.publicRoutes,
    ...calls.publicRoutes,
    ...(config.ENABLE_HOSTED_SYSTEM ? registration.routes : []),
    internal.addChildren([
      startPage,
      ...users.routes,
      ...session.routes,
      ...tenants.routes,
      ...billing.routes,
      ...conversations.routes,
      ...devices.routes,
      ...applications.routes,
      ...runs.routes,
      ...calls.routes,
      ...alerts.routes,
      ...carriers.routes,
      ...speech.routes,
      ...routing.routes,
      ...audit.routes,
      ...system.routes,
      ...health.routes,
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
