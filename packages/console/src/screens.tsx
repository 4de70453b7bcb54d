import { RouterProvider } from '@tanstack/react-router'
import { queryClient } from './lib/api'
import { onLogInRedirect } from './lib/session'
import { router } from './routes'

onLogInRedirect(() => void router.navigate({ to: '/', replace: true }))

const SOON_MS = 150

/** Loads what the address names. After a moment without it, the screen shows that it is loading. */
export const loadFirst = () =>
  Promise.race([
    router.load().then(loadData),
    new Promise((resolve) => setTimeout(resolve, SOON_MS)),
  ])

/** Waits for what the screen has asked for, with or without success: to show it empty first would take as long again. */
const loadData = () =>
  Promise.allSettled(
    queryClient
      .getQueryCache()
      .findAll({ fetchStatus: 'fetching' })
      .map((query) => query.promise),
  )

/** The screen that the address names. */
export const Screens = () => <RouterProvider router={router} />
