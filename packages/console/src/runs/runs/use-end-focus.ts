import type { RunView } from '@switchroom/contract'
import { type RefObject, useEffect, useRef } from 'react'

/** Brings the focus to the end of a run if what had it is gone, as the question and Stop are then. */
export function useEndFocus(list: RefObject<HTMLElement | null>, state: RunView['state']) {
  const before = useRef(state)
  useEffect(() => {
    const isOver = before.current === 'running' && state !== 'running'
    before.current = state
    const last = list.current?.lastElementChild
    if (!isOver || document.activeElement !== document.body) return
    if (last instanceof HTMLElement) last.focus({ preventScroll: true })
  }, [list, state])
}
