import { type RefObject, useEffect } from 'react'

const TYPED_IN = 'input, textarea, select, [contenteditable="true"]'
const FIRST = 'input, button'

/** True if the user is typing, or in the steps or a dialog: the focus is not taken away from there. */
function isBusyElsewhere(panel: HTMLElement) {
  const { activeElement } = document
  if (!activeElement || activeElement === document.body || panel.contains(activeElement))
    return false
  return (
    activeElement.matches(TYPED_IN) || activeElement.closest('[data-steps], [role=dialog]') !== null
  )
}

/** Brings the focus to a question as it comes, without scrolling. */
export function useQuestionFocus(panel: RefObject<HTMLElement | null>, question: number | null) {
  useEffect(() => {
    if (question === null || !panel.current || isBusyElsewhere(panel.current)) return
    panel.current.querySelector<HTMLElement>(FIRST)?.focus({ preventScroll: true })
  }, [panel, question])
}
