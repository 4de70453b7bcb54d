import type { Call } from '@switchroom/contract'
import { useCallback, useEffect, useEffectEvent, useState } from 'react'

type Page = { data: Call[]; total: number }

/** Scrolled further down, what is read must not move. */
const TOP = 100

const isReading = () =>
  window.scrollY > TOP || document.activeElement?.closest('[data-row-keys]') !== null

/**
 * The rows of a list to show. They are the latest, but while new calls arrive by themselves, rows being read stay and
 * new calls are only counted. `key` names the list with its filters: its rows stay if a later request for them fails.
 */
export function useShown({
  latest,
  key,
  live,
  isOpen,
}: {
  /** Undefined while it loads, or when that failed. */
  latest: Page | undefined
  key: string
  live: boolean
  isOpen: boolean
}) {
  const [held, setHeld] = useState<{ key: string; page: Page }>()
  const mine = held?.key === key ? held.page : undefined
  const show = useCallback(() => latest && setHeld({ key, page: latest }), [latest, key])
  const showUnlessRead = useEffectEvent(() => {
    if (latest === mine || (live && mine && (isOpen || isReading()))) return
    show()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever there may be something to show
  useEffect(() => showUnlessRead(), [latest, key, live, isOpen])
  useEffect(() => {
    if (!live) return
    const onScroll = () => showUnlessRead()
    addEventListener('scroll', onScroll, { passive: true })
    return () => removeEventListener('scroll', onScroll)
  }, [live])
  return {
    page: live && mine ? mine : (latest ?? mine),
    /** How many calls are not shown yet. */
    waiting: live && mine && latest ? Math.max(0, latest.total - mine.total) : 0,
    show,
  }
}
