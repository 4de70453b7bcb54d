import { RouterProvider } from '@tanstack/react-router'
import { onLogInRedirect } from './lib/session'
import { router } from './routes'

onLogInRedirect(() => void router.navigate({ to: '/', replace: true }))

/** The screen that the address names. */
export const Screens = () => <RouterProvider router={router} />
