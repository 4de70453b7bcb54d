import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { onLeaving } from './lib/session'
import { router } from './routes'
import './ui/theme.css'

onLeaving(() => void router.navigate({ to: '/', replace: true }))

// after a new release the old chunks are gone; the page as it is now has the new ones
addEventListener('vite:preloadError', (e) => {
  const last = Number(sessionStorage.getItem('reloaded') ?? 0)
  if (Date.now() - last < 10_000) return
  e.preventDefault()
  sessionStorage.setItem('reloaded', String(Date.now()))
  location.reload()
})

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
)
