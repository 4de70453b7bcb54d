import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { showBrandNow } from './lib/brand'
import { isOtherLanguage } from './lib/language'
import { prefetchLater } from './lib/prefetch-later'
import { claims, onLogInRedirect, UNREACHABLE } from './lib/session'
import './ui/theme.css'

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

const root = createRoot(document.getElementById('root')!, {
  onCaughtError(error) {
    // a page that says why it is refused has not failed
    if (!(error instanceof Error && error.name === 'PageRefused')) console.error(error)
  },
})
const render = (page: ReactNode) => root.render(<StrictMode>{page}</StrictMode>)
const loadScreens = () => import('./screens')

/** Shows the screen that the address names, or another in its place. */
async function showScreens(href?: string) {
  // whoever has just logged in may have chosen another language than that of the log-in page
  if (href !== undefined && isOtherLanguage()) return location.assign(href)
  const { loadFirst, Screens } = await loadScreens()
  if (href !== undefined) history.replaceState(null, '', href)
  await loadFirst()
  render(<Screens />)
}

/** Lists load none of the form. */
async function showLogIn() {
  const { LogIn } = await import('./session/log-in')
  render(<LogIn go={showScreens} onSent={() => void loadScreens().catch(() => undefined)} />)
}

const showUnreachable = () => render(<p role="alert">{UNREACHABLE}</p>)

showBrandNow()
onLogInRedirect(showBrandNow)

if (location.pathname === '/' && !claims()) {
  // the log-in page is there before the router, which is fetched while people type. To run it takes longer than a key
  // may, so that waits for the answer to the log-in
  addEventListener('input', prefetchLater, { once: true })
  showLogIn().catch(showUnreachable)
} else showScreens().catch(showUnreachable)
