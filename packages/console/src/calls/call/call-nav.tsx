import { type Call, t } from '@switchroom/contract'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { IconButton } from '../../ui/button'
import type { Search } from '../search'
import { type Neighbour, useNeighbours } from './use-neighbours'

/** Elements that use the arrow keys for themselves. */
const TAKEN = 'input, select, textarea, [role="combobox"], [role="listbox"], [role="dialog"]'

/** Goes to the previous or next call of the list, by button or key. */
export function CallNav({
  id,
  search,
  call,
  onGo,
}: {
  id: string
  search: Search
  /** The open call, needed if the list may not show it. */
  call?: Call
  onGo: (to: Neighbour) => void
}) {
  const { previous, next } = useNeighbours(id, search, call)
  const go = (to: Neighbour | undefined) => to && onGo(to)
  const onKeyDown = useEffectEvent((e: KeyboardEvent) => {
    if (!e.altKey || e.ctrlKey || e.metaKey || e.shiftKey) return
    if (e.target instanceof Element && e.target.closest(TAKEN)) return
    if (e.key !== 'ArrowUp' && e.key !== 'ArrowDown') return
    e.preventDefault()
    go(e.key === 'ArrowUp' ? previous : next)
  })
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <span className="call-nav">
      <IconButton
        label={t('Previous call (Alt+↑)')}
        aria-keyshortcuts="Alt+ArrowUp"
        disabled={!previous}
        onClick={() => go(previous)}
      >
        <ChevronUp />
      </IconButton>
      <IconButton
        label={t('Next call (Alt+↓)')}
        aria-keyshortcuts="Alt+ArrowDown"
        disabled={!next}
        onClick={() => go(next)}
      >
        <ChevronDown />
      </IconButton>
    </span>
  )
}
