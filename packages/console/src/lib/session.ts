import { type TokenClaims, t } from '@switchroom/contract'
import { claimsOf } from './claims'
import { storageEntry } from './storage-entry'

// the contract has these too, but importing it would bring its schemas to the log-in page
export const SESSION_EXPIRED = t('Your session has expired. Please log in and try again.')
export const MUST_SIGN_IN = t('You must log in to view that page')
export const SIGNED_OUT = t("You've successfully logged out.")
export const UNREACHABLE = t('The server cannot be reached')

const TOKEN_KEY = 'token'
const CHANGED_KEY = 'SESS_USER_SID'

/** A message for the log-in page. `stay`: shown there even if a user is signed in. */
export type Flash = { text: string; good: boolean; stay?: true }
type ReturnUrl = { user_sid: string; href: string }

const flashStore = storageEntry<Flash>(() => sessionStorage, 'SESS_FLASH_MSG')
const returnUrlStore = storageEntry<ReturnUrl>(() => sessionStorage, 'SESS_PLACE')

// a screen may still render for a moment after its session has ended
let lastClaims: TokenClaims | undefined
let cachedClaims: { token: string; claims: TokenClaims | undefined } | undefined

export const token = () => localStorage.getItem(TOKEN_KEY)

/** The claims of the token; undefined if nobody is signed in. */
export function claims(): TokenClaims | undefined {
  const now = token()
  if (!now) return undefined
  if (cachedClaims?.token !== now) cachedClaims = { token: now, claims: claimsOf(now) }
  // only the server decides about expiry, since this machine's clock may be wrong
  lastClaims = cachedClaims.claims ?? lastClaims
  return cachedClaims.claims
}

/** The token may still demand a change that was made in this tab. */
export const mustChangePassword = () => {
  const user = claims()
  return user?.force_change === true && sessionStorage.getItem(CHANGED_KEY) !== user.user_sid
}
/** The server accepts little else until it is set up. */
export const mustSetUpSecondFactor = () => claims()?.second_factor_due === true
export const markPasswordChanged = (user_sid: string) =>
  sessionStorage.setItem(CHANGED_KEY, user_sid)

/** The claims, for code that runs only while a user is signed in. */
export function requireClaims(): TokenClaims {
  const user = claims() ?? lastClaims
  if (!user) throw new Error(SESSION_EXPIRED)
  return user
}

let redirecting = false

type Listener = () => void
const beforeRedirectListeners = new Set<Listener>()
const redirectListeners = new Set<Listener>()

/** Called before the page is left, so that a form can store its draft. */
export function onBeforeLogInRedirect(keep: Listener) {
  beforeRedirectListeners.add(keep)
  return () => void beforeRedirectListeners.delete(keep)
}

/** Called when the user must go to the log-in page. The router listens, once it has loaded. */
export function onLogInRedirect(listener: Listener) {
  redirectListeners.add(listener)
  if (redirecting) listener()
  return () => void redirectListeners.delete(listener)
}

const isInsideConsole = () => location.pathname.startsWith('/internal')

/** True while the user is being sent to the log-in page, past any form's guard: drafts are kept. */
export const isRedirectingToLogIn = () => redirecting
export const endLogInRedirect = () => {
  redirecting = false
}

function redirectToLogIn(flash: Flash, dropToken: boolean) {
  if (isInsideConsole()) {
    for (const keep of beforeRedirectListeners) keep()
    saveReturnUrl()
  }
  if (dropToken) localStorage.removeItem(TOKEN_KEY)
  setFlash(flash)
  startLogInRedirect()
}

function startLogInRedirect() {
  redirecting = true
  for (const listener of redirectListeners) listener()
}

/** Remembers a URL to return to, for this user only. */
export function saveReturnUrl(href = location.pathname + location.search + location.hash) {
  const now = token()
  const user = now ? claimsOf(now)?.user_sid : undefined
  returnUrlStore.set({ user_sid: user ?? '', href })
}

/**
 * Returns the URL to open after a log-in and forgets it: the remembered one unless it was another user's, else home.
 */
export function takeReturnUrl(user_sid: string): string {
  const place = returnUrlStore.read()
  returnUrlStore.remove()
  return place?.user_sid === '' || place?.user_sid === user_sid ? place.href : homeHref()
}

export const hasReturnUrl = returnUrlStore.exists

export const { set: setFlash, read: readFlash, remove: dropFlash } = flashStore

/** Stores the token of a new session, or a renewed one. */
export const setToken = (newToken: string) => localStorage.setItem(TOKEN_KEY, newToken)

let isEnding = false

/** Runs the work that ends the session. Other requests that are refused meanwhile do not report it as expired. */
export async function whileEnding(work: () => Promise<void>) {
  isEnding = true
  try {
    await work()
  } finally {
    isEnding = false
  }
}

/** Ends the session whose token the server rejected, unless another tab has stored a newer one. */
export function endExpiredSession(refused: string) {
  if (token() === refused && !isEnding)
    redirectToLogIn({ text: SESSION_EXPIRED, good: false }, true)
}

/** A renewed token asks for a second factor first: URL and drafts are kept, as at the log-in page. */
export function leaveForSecondFactor() {
  for (const keep of beforeRedirectListeners) keep()
  saveReturnUrl()
  startLogInRedirect()
}

/** The server cannot be reached: the token, URL and drafts are kept. */
export const reportUnreachable = () =>
  redirectToLogIn({ text: UNREACHABLE, good: false, stay: true }, false)

/**
 * Clears everything of this user, except the chosen provider, account filter, views of lists and display settings, and goes to the
 * log-in page: at once, or by way of another address.
 */
export function clearSession(flash: Flash, via?: string) {
  const views = Object.keys(localStorage).filter((key) => /^views?:/.test(key))
  const kept = [
    ...views,
    'activeServiceProvider',
    'accountFilter',
    'theme',
    'language',
    'rail',
    'singleKeys',
  ]
  const values = kept.map((key) => [key, localStorage.getItem(key)] as const)
  localStorage.clear()
  for (const [key, value] of values) if (value !== null) localStorage.setItem(key, value)
  sessionStorage.clear()
  setFlash(flash)
  if (via === undefined) return startLogInRedirect()
  // the log-in page shows the message, and only once: it must not be there before the page is left
  redirecting = true
  location.assign(via)
}

// logging out, or in as another user, in one tab logs out all tabs
addEventListener('storage', (e) => {
  if (e.key !== TOKEN_KEY || e.oldValue === e.newValue) return
  const before = e.oldValue ? claimsOf(e.oldValue)?.user_sid : undefined
  const after = e.newValue ? claimsOf(e.newValue)?.user_sid : undefined
  if (before && before !== after && isInsideConsole()) startLogInRedirect()
})

/** The first screen after logging in. */
export function homeHref(): string {
  const user = claims()
  return user?.scope === 'account'
    ? `/internal/accounts/${user.account_sid}/edit`
    : '/internal/accounts'
}
