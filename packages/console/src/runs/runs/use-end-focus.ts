import type { RunView } from '@switchroom/contract'
import { useEffect, useRef } from 'react'
import { stepId } from './step-id'

/** Brings the focus to the end of a run if what had it is gone, as the question and Stop are then. */
export function useEndFocus({ state, steps }: RunView) {
  const before = useRef(state)
  const last = steps.length - 1
  useEffect(() => {
    const isOver = before.current === 'running' && state !== 'running'
    before.current = state
    if (!isOver || document.activeElement !== document.body) return
    document.getElementById(stepId(last))?.focus({ preventScroll: true })
  }, [state, last])
}
