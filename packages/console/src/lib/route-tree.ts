import { createRootRoute, createRoute, Outlet, redirect } from '@tanstack/react-router'
import { config } from './config'
import { providersSoon } from './current-provider'
import {
  claims,
  hasReturnUrl,
  isRedirectingToLogIn,
  MUST_SIGN_IN,
  mustChangePassword,
  mustSetUpSecondFactor,
  saveReturnUrl,
  setFlash,
} from './session'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The screen's breadcrumb. `under` is the parent screen, linked with the same parameters, and the same search where it keeps it. */
    crumb?: string
    under?: { crumb: string; href: string; keepsSearch?: boolean }
    /** The thing that the screen is about, by its kind until its name is known. On its overview it is the last crumb. */
    thing?: { crumb: string; href: string }
  }
}

export const root = createRootRoute({ component: Outlet })

/** In the hosted variant a new account must first choose its SIP realm. */
async function lacksRealm() {
  const user = claims()
  if (!config.ENABLE_HOSTED_SYSTEM || user?.scope !== 'account' || user.is_view_only) return false
  return (await import('./needs-realm')).needsRealm()
}

/** The parent of all screens behind the log-in. */
export const internal = createRoute({
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
})

/** The place of a screen behind the log-in. */
export const at = <const Path extends string>(path: Path) => ({
  getParentRoute: () => internal,
  path,
})
