import { createRoute, redirect } from '@tanstack/react-router'
import { queryClient } from '../lib/api'
import { config } from '../lib/config'
import { root } from '../lib/route-tree'
import { screen } from '../lib/screen'
import {
  claims,
  endLogInRedirect,
  mustChangePassword,
  mustSetUpSecondFactor,
  readFlash,
  takeReturnUrl,
} from '../lib/session'
import { readPendingChange } from './forced-change'

export const publicRoutes = [
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
    component: screen(() => import('./log-in-screen'), 'LogInScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/create-password',
    component: screen(() => import('./create-password'), 'CreatePassword'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/set-up-second-factor',
    component: screen(() => import('./set-up-second-factor'), 'SetUpSecondFactor'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/single-sign-on',
    component: screen(() => import('./single-sign-on/callback'), 'SingleSignOnCallback'),
  }),
  ...(config.ENABLE_FORGOT_PASSWORD
    ? [
        createRoute({
          getParentRoute: () => root,
          path: '/forgot-password',
          component: screen(() => import('./forgot-password'), 'ForgotPassword'),
        }),
        createRoute({
          getParentRoute: () => root,
          path: '/reset-password/$id',
          component: screen(() => import('./reset-password'), 'ResetPassword'),
        }),
      ]
    : []),
]
