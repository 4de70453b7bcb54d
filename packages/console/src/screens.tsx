import { RouterProvider } from '@tanstack/react-router'
import { onLogInRedirect } from './lib/session'
import { router } from './routes'

onLogInRedirect(() => void router.navigate({ to: '/', replace: true }))

const SOON_MS = 150

/** Loads what the address names. After a moment without it, the screen shows that it is loading. */
export const loadFirst = () =>
  Promise.race([router.load(), new Promise((resolve) => setTimeout(resolve, SOON_MS))])

/** The screen that the address names. */
export const Screens = () => <RouterProvider router={router} />
