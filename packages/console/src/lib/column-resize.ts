import type { PointerEvent } from 'react'

/** Follows the pointer from a column's right edge. Widths by keyboard are in the view's panel. */
export function resizeColumn(e: PointerEvent<HTMLElement>, done: (width: number) => void) {
  const head = e.currentTarget.closest('th')
  if (!head || e.button !== 0) return
  e.preventDefault()
  const handle = e.currentTarget
  const from = e.clientX
  const before = head.getBoundingClientRect().width
  handle.setPointerCapture(e.pointerId)
  const width = (at: { clientX: number }) => Math.max(0, before + at.clientX - from)
  const move = (at: globalThis.PointerEvent) => {
    head.style.width = head.style.minWidth = `${width(at)}px`
  }
  const end = (at: globalThis.PointerEvent) => {
    handle.removeEventListener('pointermove', move)
    handle.removeEventListener('pointerup', end)
    handle.removeEventListener('pointercancel', end)
    head.style.minWidth = ''
    if (at.type === 'pointerup' && at.clientX !== from) done(width(at))
  }
  handle.addEventListener('pointermove', move)
  handle.addEventListener('pointerup', end)
  handle.addEventListener('pointercancel', end)
}
