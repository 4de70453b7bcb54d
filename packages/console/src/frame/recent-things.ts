import { queryClient } from '../lib/api'
import { storedProvider } from '../lib/current-provider'
import { isRecord } from '../lib/records'
import { requireClaims } from '../lib/session'
import { storageEntry } from '../lib/storage-entry'
import type { RecentThing } from '../lib/thing'
import { thingAt } from '../lib/thing-href'

const MOST = 8
/** Members that name a thing, of all kinds. */
const NAMES = ['name', 'number', 'username', 'tenant_fqdn', 'label', 'vendor']

/** Logging out clears it with all else in the storage. */
const entry = () =>
  storageEntry<RecentThing[]>(() => localStorage, `recent ${requireClaims().user_sid}`)

/** The things that the user was at last, the latest first. */
export const recentThings = () => entry().read() ?? []

export function addRecent({ kind, sid, name, detail, service_provider_sid }: RecentThing) {
  const thing = { kind, sid, name, detail, service_provider_sid }
  const others = recentThings().filter((t) => t.sid !== thing.sid)
  entry().set([thing, ...others].slice(0, MOST))
}

/** Cached data of the resource's own screen. */
function dataOf(sid: string) {
  const isOfThing = (of: unknown) =>
    isRecord(of) && isRecord(of.params) && Object.values(of.params).includes(sid)
  for (const { queryKey, state } of queryClient.getQueryCache().findAll())
    if (isOfThing(queryKey[1]) && isRecord(state.data)) return state.data
  return undefined
}

/** Remembers the thing whose screen this is, once the screen has read its name. */
export function noteVisit(pathname: string) {
  const thing = thingAt(pathname)
  if (!thing || thing.kind === 'alert_destination') return
  const data = dataOf(thing.sid)
  const name = NAMES.map((member) => data?.[member]).find((n) => typeof n === 'string' && n)
  if (typeof name !== 'string') return
  const known = recentThings().find((t) => t.sid === thing.sid)
  addRecent({
    sid: thing.sid,
    kind: thing.kind,
    name,
    detail: known?.detail ?? null,
    service_provider_sid: known?.service_provider_sid ?? storedProvider(),
  })
}
