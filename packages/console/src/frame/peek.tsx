import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { isFreeKey } from '../lib/single-keys'
import { thingAt, thingHref } from '../lib/thing-href'
import type { Peeked } from './peek-card'

const PeekCard = lazy(async () => ({ default: (await import('./peek-card')).PeekCard }))

/** Milliseconds that the pointer rests on a name before its card opens. */
const REST = 400
/** Milliseconds to move the pointer from the name to the card. */
const GRACE = 250

/** The name of a thing at or around an element, unless the thing is on screen already. */
function nameAround(element: Element | null) {
  const link = element?.closest('main a[href]')
  // what has a label is an action
  if (!(link instanceof HTMLAnchorElement) || link.ariaLabel) return undefined
  const thing = thingAt(link.pathname)
  if (!thing || thingHref(thing.kind, thing.sid) !== link.pathname) return undefined
  return thing.sid === thingAt(location.pathname)?.sid ? undefined : { ...thing, link }
}

/** The same under the pointer: the link of a row covers all of it, but only its text is the name. */
function nameUnder({ target, clientX: x, clientY: y }: PointerEvent) {
  const name = nameAround(target as Element)
  const isOn = [...(name?.link.getClientRects() ?? [])].some(
    (r) => r.left <= x && x <= r.right && r.top <= y && y <= r.bottom,
  )
  return isOn ? name : undefined
}

const isInCard = (element: EventTarget | null) =>
  // a tooltip opens beside the card
  element instanceof Element && element.closest('[data-peek], [data-tooltip]') !== null

/** Shows things without leaving the page: whose name the pointer rests on, or has the focus when Space is pressed. */
export const Peek = () => <PeekOnPage key={useLocation({ select: (at) => at.href })} />

function PeekOnPage() {
  const [peeked, setPeeked] = useState<Peeked>()
  const now = useRef<Peeked>(undefined)
  const close = useRef<() => void>(() => undefined)

  useEffect(() => {
    let opening: ReturnType<typeof setTimeout> | undefined
    let closing: ReturnType<typeof setTimeout> | undefined
    let at = ''
    const set = (next: Peeked | undefined) => {
      clearTimeout(opening)
      clearTimeout(closing)
      closing = undefined
      // the focus would be lost with the card
      if (!next && document.activeElement?.closest('[data-peek]'))
        now.current?.link.focus({ preventScroll: true })
      now.current = next
      setPeeked(next)
    }
    close.current = () => set(undefined)

    const onMove = (e: PointerEvent) => {
      const before = at
      at = `${e.screenX} ${e.screenY}`
      // browsers also tell of what has moved below a pointer that rests
      if (e.pointerType !== 'mouse' || at === before) return
      clearTimeout(opening)
      const name = e.buttons === 0 ? nameUnder(e) : undefined
      if (isInCard(e.target) || (now.current && now.current.link === name?.link)) {
        clearTimeout(closing)
        closing = undefined
        return
      }
      if (name) opening = setTimeout(() => set({ ...name, by: 'pointer' }), REST)
      if (now.current?.by === 'pointer') closing ??= setTimeout(() => set(undefined), GRACE)
    }
    const stop = () => clearTimeout(opening)

    const onKey = (e: KeyboardEvent) => {
      stop()
      if (e.key !== ' ' || e.shiftKey || !isFreeKey(e)) return
      const focused = document.activeElement
      const name = focused?.tagName === 'A' ? nameAround(focused) : undefined
      if (!name) return
      // would scroll the page
      e.preventDefault()
      set(now.current?.link === name.link ? undefined : { ...name, by: 'keys' })
    }
    // a card opened by Space follows the focus from name to name
    const onFocus = ({ target }: FocusEvent) => {
      if (now.current?.by !== 'keys' || isInCard(target) || target === now.current.link) return
      const name = nameAround(target as Element)
      set(name && { ...name, by: 'keys' })
    }
    const ending = new AbortController()
    const { signal } = ending
    addEventListener('pointermove', onMove, { signal, passive: true })
    addEventListener('pointerdown', stop, { signal })
    document.documentElement.addEventListener('pointerleave', stop, { signal })
    addEventListener('keydown', onKey, { signal })
    addEventListener('focusin', onFocus, { signal })
    return () => {
      ending.abort()
      clearTimeout(opening)
      clearTimeout(closing)
    }
  }, [])
  useEffect(() => {
    if (!peeked) return
    // the list may change below the card
    const observer = new MutationObserver(() => peeked.link.isConnected || close.current())
    observer.observe(document.body, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [peeked])

  return <Suspense>{peeked && <PeekCard {...peeked} onClose={() => close.current()} />}</Suspense>
}
