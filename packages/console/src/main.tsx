import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { onLogInRedirect } from './lib/session'
import { router } from './routes'
import './ui/theme.css'

onLogInRedirect(() => void router.navigate({ to: '/', replace: true }))

// after an update the old chunks are gone, and a reload finds the new ones; while the server is down a reload
// would not help, and the screen shows the error
addEventListener('vite:preloadError', () => {
  const last = Number(sessionStorage.getItem('reloaded') ?? 0)
  if (Date.now() - last < 10_000) return
  sessionStorage.setItem('reloaded', String(Date.now()))
  fetch('/index.html', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok && location.reload(),
    () => undefined, // the screen shows that the server is down
  )
})

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
)
