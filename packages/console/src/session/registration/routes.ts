import { createRoute, redirect } from '@tanstack/react-router'
import { root } from '../../lib/route-tree'
import { screen } from '../../lib/screen'
import { claims, homeHref, MUST_SIGN_IN, mustSetUpSecondFactor, setFlash } from '../../lib/session'

/** Signed-in users do not register. */
const requireLoggedOut = () => {
  if (claims()) throw redirect({ href: homeHref(), replace: true })
}
export const routes = [
  createRoute({
    getParentRoute: () => root,
    path: '/register',
    beforeLoad: requireLoggedOut,
    component: screen(() => import('./register'), 'Register'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/register/email',
    beforeLoad: requireLoggedOut,
    component: screen(() => import('./by-email'), 'RegisterByEmail'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/register/email/verify-your-email',
    beforeLoad: requireLoggedOut,
    component: screen(() => import('./verify-email'), 'VerifyEmail'),
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
    component: screen(() => import('./choose-subdomain'), 'ChooseSubdomain'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/oauth-callback/$provider',
    component: screen(() => import('./oauth-callback'), 'OAuthCallback'),
  }),
]
