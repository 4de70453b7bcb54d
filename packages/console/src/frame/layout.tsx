import { t } from '@switchroom/contract'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { Outlet, useLocation, useRouterState } from '@tanstack/react-router'
import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { FailingNotice } from '../health/system-health/failing-notice'
import { atLeast } from '../lib/access'
import { queryClient } from '../lib/api'
import { providers } from '../lib/current-provider'
import { messageOf } from '../lib/failure'
import { keepAlive } from '../lib/keep-alive'
import { takeNotice } from '../lib/notice'
import { onPreferencesChanged, preferencesVersion } from '../lib/preferences-changed'
import { syncPersonWhenQuiet } from '../lib/sync-person'
import { timeText, zoneText } from '../ui/dates'
import { onPopupFailure, usePopups } from '../ui/late-popups'
import { toastError } from '../ui/toast'
import { Toasts } from '../ui/toasts'
import { PageKeys } from './page-keys'
import { Peek } from './peek'
import { prefetchWhenIdle } from './prefetch'
import { noteVisit } from './recent-things'
import { ScreenTabs } from './screen-tabs'
import { Search } from './search'
import { Sidebar } from './sidebar'
import { TopBar } from './top-bar'
import './layout.css'
import './print.css'

const FORM = 'main form, [role=dialog], [role=alertdialog]'

/** The frame for signed-in users: sidebar, top bar and screen. */
export function Layout() {
  const [narrow, setNarrow] = useState(() => localStorage.getItem('rail') === 'narrow')
  const [drawer, setDrawer] = useState(false)
  const [keys, setKeys] = useState(false)
  const [searching, setSearching] = useState(false)
  // also notices a change between the first render and its effects: the preferences arrive while a log-in ends
  const preferences = useSyncExternalStore(onPreferencesChanged, preferencesVersion)
  const [onScreen, setOnScreen] = useState(preferences)
  const showKeys = useCallback(() => setKeys(true), [])
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  // until then what was pressed on the screen before has the focus
  const shown = useRouterState({ select: (state) => state.resolvedLocation?.pathname ?? pathname })
  const arrivedAt = useRef(shown)
  const popups = usePopups(drawer, () => setDrawer(false))
  useEffect(keepAlive, [])
  useEffect(() => onPopupFailure((error) => toastError(messageOf(error))), [])
  useEffect(prefetchWhenIdle, [])
  useEffect(datePrints, [])
  useEffect(syncPersonWhenQuiet, [])
  useEffect(() => {
    // what is being filled in stays
    if (!document.querySelector(FORM)) setOnScreen(preferences)
  }, [preferences])
  useEffect(() => {
    const notice = takeNotice()
    // after this render's live region is in the page
    if (notice) requestAnimationFrame(() => toastError(notice))
  })
  // on leaving a screen, which has read by then what it shows
  useEffect(() => () => noteVisit(pathname), [pathname])
  useEffect(() => {
    if (arrivedAt.current === shown) return
    arrivedAt.current = shown
    setDrawer(false)
    // lets screen readers announce the new screen, unless it has set the focus itself
    if (document.activeElement === document.body) main.current?.focus()
  }, [shown])

  const toggle = () => {
    localStorage.setItem('rail', narrow ? 'wide' : 'narrow')
    setNarrow(!narrow)
  }

  return (
    <QueryClientProvider client={queryClient}>
      <a className="skip-link" href="#main">
        {t('Skip to content')}
      </a>
      <div className={narrow ? 'frame frame-narrow' : 'frame'}>
        <aside className="frame-rail">
          <Sidebar narrow={narrow} onNarrow={toggle} />
        </aside>
        <div className="frame-body">
          <TopBar
            onMenu={() => setDrawer(true)}
            onSearch={() => setSearching(true)}
            onKeys={showKeys}
          />
          <ScreenTabs />
          <main id="main" ref={main} tabIndex={-1} className="frame-main">
            <FailingNotice />
            {/* screens read preferences as they are shown, so they are shown anew */}
            <Suspense key={onScreen}>
              <Screen />
            </Suspense>
          </main>
        </div>
      </div>
      {popups && (
        <popups.Drawer label={t('Menu')} open={drawer} onOpenChange={setDrawer}>
          <Sidebar narrow={false} />
        </popups.Drawer>
      )}
      <Search open={searching} onOpenChange={setSearching} onKeys={showKeys} />
      <PageKeys open={keys} onOpen={showKeys} onClose={() => setKeys(false)} />
      <Peek />
      <Toasts />
    </QueryClientProvider>
  )
}

const FirstProvider = lazy(async () => ({
  default: (await import('./first-provider')).FirstProvider,
}))

/** Screens that belong to no provider. */
const WITHOUT_PROVIDER = /^\/internal\/(?:system-health|single-sign-on|preferences)(?:\/|$)/

function Screen() {
  const { data } = useQuery(providers())
  const { pathname } = useLocation()
  const isMissing = data?.total === 0 && atLeast('admin') && !WITHOUT_PROVIDER.test(pathname)
  return isMissing ? <FirstProvider /> : <Outlet />
}

/** Says on paper when it was printed. */
function datePrints() {
  const set = () =>
    document.documentElement.style.setProperty(
      '--printed',
      `"${timeText(new Date())} ${zoneText()}"`,
    )
  addEventListener('beforeprint', set)
  return () => removeEventListener('beforeprint', set)
}
