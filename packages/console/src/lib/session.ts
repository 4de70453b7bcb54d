import type { TokenClaims } from '@switchroom/contract'
import { claimsOf } from './claims'
import { storedIn } from './stored'

// worded by the contract too; taken from there they would bring its schemas to the log-in page
export const SESSION_EXPIRED = 'Your session has expired. Please log in and try again.'
export const MUST_SIGN_IN = 'You must log in to view that page'
export const SIGNED_OUT = "You've successfully logged out."
export const UNREACHABLE = 'The server cannot be reached'

const TOKEN = 'token'
const CHANGED = 'SESS_USER_SID'

/** A message for the log-in page, and whether it is good news. `stay`: although somebody is signed in. */
export type Flash = { text: string; good: boolean; stay?: true }
type Place = { user_sid: string; href: string }

const keptFlash = storedIn<Flash>(() => sessionStorage, 'SESS_FLASH_MSG')
const keptPlace = storedIn<Place>(() => sessionStorage, 'SESS_PLACE')

let decoded: { token: string; claims: TokenClaims | undefined } | undefined

export const token = () => localStorage.getItem(TOKEN)

/** Who is signed in, as the token tells. Undefined when nobody is. */
export function claims(): TokenClaims | undefined {
  const now = token()
  if (!now) return undefined
  if (decoded?.token !== now) decoded = { token: now, claims: claimsOf(now) }
  // whether it has expired the server says: this machine's clock may be wrong
  return decoded.claims
}

/** A token can say so longer than it is true; then the change was made in this tab. */
export const mustChangePassword = () => {
  const user = claims()
  return user?.force_change === true && sessionStorage.getItem(CHANGED) !== user.user_sid
}
export const passwordChanged = (user_sid: string) => sessionStorage.setItem(CHANGED, user_sid)

// a screen still stands for a moment after its session has ended
let last: TokenClaims | undefined

/** For code that only runs behind the log-in. */
export function signedIn(): TokenClaims {
  last = claims() ?? last
  if (!last) throw new Error(SESSION_EXPIRED)
  return last
}

type Leave = () => void
const beforeLeaving = new Set<Leave>()
const leaving = new Set<Leave>()

/** Called while the page still stands, so that a form can put its draft away. */
export function onBeforeLeaving(keep: Leave) {
  beforeLeaving.add(keep)
  return () => void beforeLeaving.delete(keep)
}

/** Called when the reader has to go to the log-in page. The router listens. */
export function onLeaving(tell: Leave) {
  leaving.add(tell)
  return () => void leaving.delete(tell)
}

const insideConsole = () => location.pathname.startsWith('/internal')

let onTheWay = false
/** While this is so, no unsaved form holds the reader back: its draft is kept. */
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
  for (const tell of leaving) tell()
}

/** The place to come back to, for this user only. */
export function rememberPlace(href = location.pathname + location.search + location.hash) {
  const now = token()
  const user = now ? claimsOf(now)?.user_sid : undefined
  keptPlace.keep({ user_sid: user ?? '', href })
}

/** Takes the remembered place away; undefined when it was somebody else's. */
export function takePlace(user_sid: string): string | undefined {
  const place = keptPlace.read()
  keptPlace.drop()
  return place?.user_sid === '' || place?.user_sid === user_sid ? place.href : undefined
}

export const hasPlace = keptPlace.isKept

export const { keep: setFlash, read: readFlash, drop: dropFlash } = keptFlash

/** A new session, or a fresh token of the same one. */
export const setToken = (fresh: string) => localStorage.setItem(TOKEN, fresh)

/** The server no longer takes this token. One that came meanwhile, from another tab, stays. */
export function expire(refused: string) {
  if (token() === refused) leave({ text: SESSION_EXPIRED, good: false }, true)
}

/** Network trouble signs nobody out: the token stays, the place and the forms are kept. */
export const unreachable = () => leave({ text: UNREACHABLE, good: false, stay: true }, false)

/** After the server was told: nothing of this user stays behind but the chosen provider and account. */
export function forget(flash: Flash) {
  const kept = ['activeServiceProvider', 'accountFilter', 'theme', 'rail']
  const values = kept.map((key) => [key, localStorage.getItem(key)] as const)
  localStorage.clear()
  for (const [key, value] of values) if (value !== null) localStorage.setItem(key, value)
  sessionStorage.clear()
  setFlash(flash)
  go()
}

// signed out in one tab is signed out in all; signed in elsewhere as somebody else likewise
addEventListener('storage', (e) => {
  if (e.key !== TOKEN || e.oldValue === e.newValue) return
  const before = e.oldValue ? claimsOf(e.oldValue)?.user_sid : undefined
  const after = e.newValue ? claimsOf(e.newValue)?.user_sid : undefined
  if (before && before !== after && insideConsole()) go()
})

/** Where one arrives after signing in. */
export function home(): string {
  const user = claims()
  return user?.scope === 'account'
    ? `/internal/accounts/${user.account_sid}/edit`
    : '/internal/accounts'
}
