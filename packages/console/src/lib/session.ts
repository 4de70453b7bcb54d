import type { TokenClaims } from '@switchroom/contract'
import { claimsOf } from './claims'
import { storedIn } from './stored'

// the contract has these too, but importing it would bring its schemas to the log-in page
export const SESSION_EXPIRED = 'Your session has expired. Please log in and try again.'
export const MUST_SIGN_IN = 'You must log in to view that page'
export const SIGNED_OUT = "You've successfully logged out."
export const UNREACHABLE = 'The server cannot be reached'

const TOKEN = 'token'
const CHANGED = 'SESS_USER_SID'

/** A message for the log-in page. `stay`: shown there even though somebody is signed in. */
export type Flash = { text: string; good: boolean; stay?: true }
type Place = { user_sid: string; href: string }

const keptFlash = storedIn<Flash>(() => sessionStorage, 'SESS_FLASH_MSG')
const keptPlace = storedIn<Place>(() => sessionStorage, 'SESS_PLACE')

let decoded: { token: string; claims: TokenClaims | undefined } | undefined

export const token = () => localStorage.getItem(TOKEN)

/** The claims of the token; undefined if nobody is signed in. */
export function claims(): TokenClaims | undefined {
  const now = token()
  if (!now) return undefined
  if (decoded?.token !== now) decoded = { token: now, claims: claimsOf(now) }
  // only the server decides about expiry, since this machine's clock may be wrong
  return decoded.claims
}

/** The token may still demand a change that was made in this tab. */
export const mustChangePassword = () => {
  const user = claims()
  return user?.force_change === true && sessionStorage.getItem(CHANGED) !== user.user_sid
}
export const passwordChanged = (user_sid: string) => sessionStorage.setItem(CHANGED, user_sid)

// a screen may still render for a moment after its session has ended
let last: TokenClaims | undefined

/** The claims, for code that runs only while somebody is signed in. */
export function signedIn(): TokenClaims {
  last = claims() ?? last
  if (!last) throw new Error(SESSION_EXPIRED)
  return last
}

type Leave = () => void
const beforeLeaving = new Set<Leave>()
const leaving = new Set<Leave>()

/** Called before the page is left, so that a form can store its draft. */
export function onBeforeLeaving(keep: Leave) {
  beforeLeaving.add(keep)
  return () => void beforeLeaving.delete(keep)
}

/** Called when the user must go to the log-in page. The router listens. */
export function onLeaving(listener: Leave) {
  leaving.add(listener)
  return () => void leaving.delete(listener)
}

const insideConsole = () => location.pathname.startsWith('/internal')

let onTheWay = false
/** Whether the user is being sent to the log-in page, past any form's guard: drafts are kept. */
export const isLeaving = () => onTheWay
export const arrived = () => {
  onTheWay = false
}

function leave(flash: Flash, dropToken: boolean) {
  if (insideConsole()) {
    for (const keep of beforeLeaving) keep()
    rememberPlace()
  }
  if (dropToken) localStorage.removeItem(TOKEN)
  setFlash(flash)
  go()
}

function go() {
  onTheWay = true
  for (const listener of leaving) listener()
}

/** Remembers a URL to return to, for this user only. */
export function rememberPlace(href = location.pathname + location.search + location.hash) {
  const now = token()
  const user = now ? claimsOf(now)?.user_sid : undefined
  keptPlace.keep({ user_sid: user ?? '', href })
}

/** Takes the remembered URL; undefined if it was another user's. */
export function takePlace(user_sid: string): string | undefined {
  const place = keptPlace.read()
  keptPlace.drop()
  return place?.user_sid === '' || place?.user_sid === user_sid ? place.href : undefined
}

export const hasPlace = keptPlace.isKept

export const { keep: setFlash, read: readFlash, drop: dropFlash } = keptFlash

/** Stores the token of a new session, or a renewed one. */
export const setToken = (fresh: string) => localStorage.setItem(TOKEN, fresh)

/** Ends the session whose token the server rejected, unless another tab has stored a newer one. */
export function expire(refused: string) {
  if (token() === refused) leave({ text: SESSION_EXPIRED, good: false }, true)
}

/** The server cannot be reached: the token, URL and drafts are kept. */
export const unreachable = () => leave({ text: UNREACHABLE, good: false, stay: true }, false)

/** Clears everything of this user, except the chosen provider, account filter and display settings. */
export function forget(flash: Flash) {
  const kept = ['activeServiceProvider', 'accountFilter', 'theme', 'rail']
  const values = kept.map((key) => [key, localStorage.getItem(key)] as const)
  localStorage.clear()
  for (const [key, value] of values) if (value !== null) localStorage.setItem(key, value)
  sessionStorage.clear()
  setFlash(flash)
  go()
}

// logging out, or in as another user, in one tab logs out all tabs
addEventListener('storage', (e) => {
  if (e.key !== TOKEN || e.oldValue === e.newValue) return
  const before = e.oldValue ? claimsOf(e.oldValue)?.user_sid : undefined
  const after = e.newValue ? claimsOf(e.newValue)?.user_sid : undefined
  if (before && before !== after && insideConsole()) go()
})

/** The first screen after logging in. */
export function home(): string {
  const user = claims()
  return user?.scope === 'account'
    ? `/internal/accounts/${user.account_sid}/edit`
    : '/internal/accounts'
}
