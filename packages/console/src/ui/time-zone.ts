import { isTimeZone, momentAt, zoneClock } from '@switchroom/contract'
import { useSyncExternalStore } from 'react'

const KEY = 'time-zone'
const listeners = new Set<() => void>()
let current: { chosen: string | undefined } | undefined
let clock: ((ms: number) => number) | undefined

/** The time zone that the user has chosen for everything on screen; undefined for the browser's own. */
export function chosenTimeZone(): string | undefined {
  if (!current) {
    // dates are formatted outside of browsers too, by tests
    const stored = globalThis.localStorage?.getItem(KEY)
    current = { chosen: stored && isTimeZone(stored) ? stored : undefined }
  }
  return current.chosen
}

/** Formatters made before keep the zone before: screens ask for them anew. */
export function chooseTimeZone(zone: string | undefined) {
  if (zone === undefined) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, zone)
  current = undefined
  clock = undefined
  for (const tell of listeners) tell()
}

/** The same for this page alone, which then is nobody's own. */
export function showTimeZone(zone: string) {
  if (current?.chosen === zone) return
  current = { chosen: zone }
  clock = undefined
}
/** The chosen zone, for screens on which it may be chosen anew. */
export const useChosenTimeZone = () =>
  useSyncExternalStore((tell) => {
    listeners.add(tell)
    return () => listeners.delete(tell)
  }, chosenTimeZone)

export const browserTimeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

export const timeZone = () => chosenTimeZone() ?? browserTimeZone()

/** A moment by the clock on screen, as milliseconds that the UTC methods of a `Date` read. */
export function localClock(ms: number): number {
  clock ??= zoneClock(timeZone())
  return clock(ms)
}

/** The moment that the clock on screen shows as `2026-01-31T09:30`; undefined if that is not a time. */
export function momentOf(local: string): Date | undefined {
  const wanted = Date.parse(`${local}Z`)
  return Number.isNaN(wanted) ? undefined : new Date(momentAt(localClock, wanted))
}

const DAY_MS = 86_400_000

/** The first and the last millisecond of a day, such as 2026-01-31, by the clock on screen. */
export function endsOfDay(day: string): { from: Date; to: Date } | undefined {
  const midnight = Date.parse(`${day}T00:00Z`)
  if (Number.isNaN(midnight)) return undefined
  const [from, next] = [midnight, midnight + DAY_MS].map((ms) => momentAt(localClock, ms))
  return { from: new Date(from!), to: new Date(next! - 1) }
}
