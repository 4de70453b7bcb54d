import { t } from '@switchroom/contract'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import {
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { Button } from './button'
import { onToast, type ToastTone, type Undo } from './toast'
import './toast.css'

const DURATION = 5_000
const UNDO_DURATION = 10_000
/** Older toasts are visible, but cannot be reached until newer ones are gone. */
const ACTIVE = 4
/** Pixels to the right or down that dismiss a toast. */
const SWIPE = 40

type Shown = {
  id: number
  text: string
  tone: ToastTone
  undo: Undo | undefined
  undoing: boolean
  closing: boolean
}
let lastId = 0

const isFocusVisible = () => document.activeElement?.matches(':focus-visible') ?? false

/** The console's toasts, in a live region. F6 moves the focus there. */
export function Toasts() {
  const region = useRef<HTMLElement>(null)
  const focusedBefore = useRef<HTMLElement>(null)
  const [toasts, setToasts] = useState<Shown[]>([])
  const [hovered, setHovered] = useState(false)
  const [focused, setFocused] = useState(false)
  const [away, setAway] = useState(false)
  const isEmpty = toasts.length === 0

  useEffect(
    () =>
      onToast((text, tone, undo) =>
        setToasts((shown) =>
          tone === 'bad' && shown.some((t) => t.text === text && t.tone === tone && !t.closing)
            ? shown
            : [{ id: ++lastId, text, tone, undo, undoing: false, closing: false }, ...shown],
        ),
      ),
    [],
  )
  useEffect(() => {
    if (isEmpty) return
    const focusRegion = (e: globalThis.KeyboardEvent) => {
      if (e.key !== 'F6' || e.target === region.current) return
      e.preventDefault()
      focusedBefore.current = document.activeElement as HTMLElement | null
      region.current?.focus({ preventScroll: true })
    }
    const leave = () => setAway(true)
    const comeBack = () => setAway(false)
    addEventListener('keydown', focusRegion)
    addEventListener('blur', leave)
    addEventListener('focus', comeBack)
    return () => {
      removeEventListener('keydown', focusRegion)
      removeEventListener('blur', leave)
      removeEventListener('focus', comeBack)
      // elements that disappear report neither
      setHovered(false)
      setFocused(false)
    }
  }, [isEmpty])

  const focusBefore = () => focusedBefore.current?.focus({ preventScroll: true })
  const close = (id: number) => {
    const toastOf = (one: Shown | undefined) =>
      one && region.current?.querySelector<HTMLElement>(`[data-toast="${one.id}"]`)
    const at = toasts.findIndex((toast) => toast.id === id)
    if (toastOf(toasts[at])?.contains(document.activeElement) && isFocusVisible()) {
      const next = toastOf(toasts[at + 1] ?? toasts[at - 1])
      if (next) next.focus()
      else focusBefore()
    }
    setToasts((shown) => shown.map((t) => (t.id === id ? { ...t, closing: true } : t)))
  }
  const undo = async ({ id, undo: run }: Shown) => {
    setToasts((shown) => shown.map((t) => (t.id === id ? { ...t, undoing: true } : t)))
    await run?.()
    close(id)
  }
  useUndoKey(
    toasts.find((t) => t.undo && !t.closing),
    undo,
  )
  const remove = (id: number) => setToasts((shown) => shown.filter((t) => t.id !== id))
  const leaveByTab = (e: KeyboardEvent) => {
    const ends = e.shiftKey
      ? region.current
      : [...region.current!.querySelectorAll('button')].at(-1)
    if (e.key !== 'Tab' || e.target !== ends || !focusedBefore.current) return
    e.preventDefault()
    focusBefore()
  }

  return createPortal(
    <section
      ref={region}
      className="toasts"
      aria-label={t('Notifications')}
      aria-live="polite"
      aria-relevant="additions text"
      tabIndex={-1}
      onMouseEnter={() => setHovered(true)}
      onMouseLeave={() => setHovered(false)}
      onFocus={() => setFocused(isFocusVisible())}
      onBlur={(e) => setFocused(e.currentTarget.contains(e.relatedTarget) && focused)}
      onKeyDown={leaveByTab}
    >
      {toasts.map((toast, i) => (
        <Toast
          key={toast.id}
          toast={toast}
          paused={hovered || focused || away}
          inert={i >= ACTIVE}
          onUndo={() => void undo(toast)}
          onClose={() => close(toast.id)}
          onClosed={() => remove(toast.id)}
        />
      ))}
    </section>,
    document.body,
  )
}

function Toast({
  toast: { id, text, tone, undo, undoing, closing },
  paused,
  inert,
  onUndo,
  onClose,
  onClosed,
}: {
  toast: Shown
  paused: boolean
  inert: boolean
  onUndo: () => void
  onClose: () => void
  onClosed: () => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const left = useRef(undo ? UNDO_DURATION : DURATION)
  const swipe = useSwipe(onClose)
  const close = useEffectEvent(onClose)
  const closed = useEffectEvent(onClosed)

  useEffect(() => {
    if (tone === 'bad' || paused || undoing || closing) return
    const since = Date.now()
    const timer = setTimeout(() => close(), left.current)
    return () => {
      clearTimeout(timer)
      left.current -= Date.now() - since
    }
  }, [tone, paused, undoing, closing])
  useEffect(() => {
    if (!closing) return
    const transitions = box.current?.getAnimations() ?? []
    void Promise.allSettled(transitions.map((t) => t.finished)).then(() => closed())
  }, [closing])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its role is a status or an alert, and Escape and swipes dismiss it
    <div
      ref={box}
      className="toast"
      role={tone === 'bad' ? 'alert' : 'status'}
      tabIndex={0}
      inert={inert}
      data-toast={id}
      data-tone={tone}
      data-closing={closing || undefined}
      onKeyDown={(e) => e.key === 'Escape' && onClose()}
      {...swipe}
    >
      {tone === 'bad' ? <CircleAlert aria-hidden /> : <CircleCheck aria-hidden />}
      <p className="toast-text">{text}</p>
      {undo && (
        <Button size="small" busy={undoing} aria-keyshortcuts="Control+Z Meta+Z" onClick={onUndo}>
          {t('Undo')}
        </Button>
      )}
      <button type="button" className="icon-button" aria-label={t('Dismiss')} onClick={onClose}>
        <X />
      </button>
    </div>
  )
}

/** Elements in which the undo key has another meaning. */
const TAKES_UNDO =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=dialog], [role=alertdialog]'

/** Ctrl or ⌘ and Z undo what a toast reports, while it is shown and no field has the focus. */
function useUndoKey(toast: Shown | undefined, undo: (toast: Shown) => void) {
  useEffect(() => {
    if (!toast || toast.undoing) return
    const onKey = (e: globalThis.KeyboardEvent) => {
      if (e.key.toLowerCase() !== 'z' || e.ctrlKey === e.metaKey) return
      if (e.shiftKey || e.altKey || e.defaultPrevented) return
      if (e.target instanceof Element && e.target.closest(TAKES_UNDO)) return
      e.preventDefault()
      undo(toast)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
}

/** Props of an element that follows a swipe to the right or down. */
function useSwipe(onSwiped: () => void) {
  const start = useRef<{ x: number; y: number }>(undefined)
  const [offset, setOffset] = useState<{ x: number; y: number }>()
  const end = (isSwiped: boolean) => {
    start.current = undefined
    setOffset(undefined)
    if (isSwiped) onSwiped()
  }
  return {
    style: offset && { transition: 'none', transform: `translate(${offset.x}px, ${offset.y}px)` },
    onPointerDown: (e: PointerEvent<HTMLElement>) => {
      if (e.button !== 0 || (e.target as Element).closest('button')) return
      start.current = { x: e.clientX, y: e.clientY }
      e.currentTarget.setPointerCapture(e.pointerId)
    },
    onPointerMove: (e: PointerEvent) => {
      const from = start.current
      if (!from) return
      e.preventDefault()
      setOffset({ x: Math.max(0, e.clientX - from.x), y: Math.max(0, e.clientY - from.y) })
    },
    onPointerUp: () => end(!!offset && Math.max(offset.x, offset.y) > SWIPE),
    onPointerCancel: () => end(false),
  }
}
