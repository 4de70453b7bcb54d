import {
  type ComponentProps,
  cloneElement,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { IconButton } from './button'
import './menu.css'

// Of our own: the library of popups takes several times as long to open and to close one.

type Props = {
  /** Names the button and the menu. */
  label: string
  icon: ReactNode
  /** Makes the items when the menu opens. */
  children: () => ReactNode
}

/** `start` is the item with the focus as the menu opens. A pointer gives it to none. */
type Opened = { start: 'first' | 'last' | undefined; at: DOMRect }

/** A button with a menu of actions. */
export function Menu({ label, icon, children }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState<Opened>()
  const open = (start: Opened['start']) =>
    setOpened({ start, at: button.current!.getBoundingClientRect() })
  return (
    <>
      <IconButton
        ref={button}
        label={label}
        aria-haspopup="menu"
        aria-expanded={!!opened}
        aria-controls={opened && id}
        onClick={(e) => {
          if (opened) setOpened(undefined)
          // of Enter and Space, browsers count no clicks
          else open(e.detail === 0 ? 'first' : undefined)
        }}
        onKeyDown={(e) => {
          if (e.key !== 'ArrowDown' && e.key !== 'ArrowUp') return
          e.preventDefault()
          open(e.key === 'ArrowDown' ? 'first' : 'last')
        }}
      >
        {icon}
      </IconButton>
      {opened &&
        createPortal(
          <OpenMenu
            {...opened}
            id={id}
            label={label}
            button={button}
            onClose={() => setOpened(undefined)}
          >
            {children()}
          </OpenMenu>,
          document.body,
        )}
    </>
  )
}

const ITEM = '[role^=menuitem]'
const itemAt = (target: EventTarget) => (target as Element).closest<HTMLElement>(ITEM)
const focus = (element: HTMLElement | null | undefined) => element?.focus({ preventScroll: true })

function OpenMenu({
  id,
  label,
  start,
  at,
  button,
  onClose,
  children,
}: Opened & {
  id: string
  label: string
  button: RefObject<HTMLButtonElement | null>
  onClose: () => void
  children: ReactNode
}) {
  const menu = useRef<HTMLDivElement>(null)
  const findTyped = useTypedText()
  const items = () => [...menu.current!.querySelectorAll<HTMLElement>(ITEM)]
  const latest = useRef(onClose)
  latest.current = onClose

  useLayoutEffect(() => {
    const all = menu.current!.querySelectorAll<HTMLElement>(ITEM)
    focus(start ? all[start === 'first' ? 0 : all.length - 1] : menu.current)
  }, [start])
  useEffect(() => {
    // its place is one of the window as it was
    const close = () => latest.current()
    addEventListener('resize', close)
    return () => removeEventListener('resize', close)
  }, [])

  const close = () => {
    focus(button.current)
    onClose()
  }
  const closeIfLeft = ({ currentTarget, relatedTarget }: FocusEvent) => {
    // the button closes it by itself
    if (!relatedTarget || relatedTarget === button.current) return
    if (!currentTarget.contains(relatedTarget)) onClose()
  }
  const follow = ({ pointerType, target }: PointerEvent) => {
    const under = itemAt(target) ?? menu.current
    if (pointerType === 'mouse' && under !== document.activeElement) focus(under)
  }
  const press = (e: KeyboardEvent) => {
    // the focus goes on from the button, or back to it
    if (e.key === 'Tab') {
      if (e.shiftKey) e.preventDefault()
      return close()
    }
    const handled = pressed(e, items(), findTyped, close)
    if (!handled) return
    e.preventDefault()
    e.stopPropagation()
  }

  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape does the same */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same */}
      <div
        ref={keepStill}
        className="menu-backdrop"
        style={{ clipPath: allBut(at) }}
        onMouseDown={(e) => e.preventDefault()}
        onClick={close}
        onContextMenu={close}
      />
      <div
        ref={menu}
        id={id}
        role="menu"
        aria-label={label}
        tabIndex={-1}
        className="popup menu"
        style={placeAt(at)}
        onClick={({ target }: MouseEvent) => itemAt(target) && close()}
        onKeyDown={press}
        onBlur={closeIfLeft}
        onPointerMove={follow}
        onPointerLeave={() => focus(menu.current)}
      >
        {children}
      </div>
    </>
  )
}

/** Does what a key does in a menu, and tells whether it does anything. */
function pressed(
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
  items: HTMLElement[],
  findTyped: ReturnType<typeof useTypedText>,
  close: () => void,
) {
  const now = items.indexOf(document.activeElement as HTMLElement)
  switch (key) {
    case 'ArrowDown':
      items[(now + 1) % items.length]?.focus()
      return true
    case 'ArrowUp':
      items.at(now < 0 ? -1 : now - 1)?.focus()
      return true
    case 'Home':
    case 'PageUp':
      items[0]?.focus()
      return true
    case 'End':
    case 'PageDown':
      items.at(-1)?.focus()
      return true
    case ' ':
      // a link knows Enter only
      items[now]?.click()
      return true
    case 'Escape':
      close()
      return true
    default:
      if (key.length > 1 || ctrlKey || metaKey || altKey) return false
      findTyped(key, items, now)?.focus()
      return true
  }
}

const TYPING_MS = 750

/** Finds an item by the text it begins with, as it is typed. The same letter again finds the next one. */
function useTypedText() {
  const typed = useRef({ text: '', at: 0 })
  return (letter: string, items: HTMLElement[], now: number) => {
    const { text: before, at } = typed.current
    const text = (Date.now() - at < TYPING_MS ? before : '') + letter.toLowerCase()
    typed.current = { text, at: Date.now() }
    const isRepeated = [...text].every((other) => other === text[0])
    const wanted = isRepeated ? letter.toLowerCase() : text
    const from = isRepeated ? now + 1 : Math.max(now, 0)
    return [...items.slice(from), ...items.slice(0, from)].find(({ textContent }) =>
      textContent.trim().toLowerCase().startsWith(wanted),
    )
  }
}

/** Pixels between button and menu, from there to the window's edge, and as high as most menus are. */
const GAP = 4
const MARGIN = 8
const ROOM = 260

/** Below the button, or above where there is more room, and to its right edge. Nothing has to be laid out for it. */
function placeAt({ top, right, bottom }: DOMRect) {
  const { clientWidth, clientHeight } = document.documentElement
  const below = clientHeight - bottom
  const isBelow = below >= ROOM || below >= top
  return {
    right: clientWidth - right,
    maxWidth: right - MARGIN,
    maxHeight: (isBelow ? below : top) - GAP - MARGIN,
    ...(isBelow ? { top: bottom + GAP } : { bottom: clientHeight - top + GAP }),
  }
}

/** The window without the button, which can be pressed again. */
function allBut({ top, right, bottom, left }: DOMRect) {
  const corners = [
    [left, top],
    [left, bottom],
    [right, bottom],
    [right, top],
    [left, top],
  ].map(([x, y]) => `${x}px ${y}px`)
  return `polygon(evenodd,0 0,100% 0,100% 100%,0 100%,0 0,${corners})`
}

/** The page must not scroll away under the menu. */
const keepStill = (backdrop: HTMLElement | null) =>
  backdrop?.addEventListener('wheel', (e) => e.preventDefault(), { passive: false })

/** An action. */
export const MenuItem = ({
  icon,
  danger,
  onClick,
  children,
}: {
  icon?: ReactNode
  danger?: boolean | undefined
  onClick: () => void
  children: ReactNode
}) => (
  <button
    type="button"
    role="menuitem"
    tabIndex={-1}
    className={danger ? 'menu-item menu-item-danger' : 'menu-item'}
    onClick={onClick}
  >
    {icon}
    {children}
  </button>
)

/** A link; `link` is the router's without its label. */
export const MenuLink = ({
  icon,
  link,
  children,
}: {
  icon?: ReactNode
  link: ReactElement<ComponentProps<'a'>>
  children: ReactNode
}) =>
  cloneElement(
    link,
    { role: 'menuitem', tabIndex: -1, className: 'menu-item' },
    <>
      {icon}
      {children}
    </>,
  )

/** One of several values. */
export const MenuChoice = <T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: T
  options: readonly { value: T; label: string; icon?: ReactNode }[]
  onChange: (value: T) => void
}) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a menu
  <div role="group" aria-label={label}>
    {options.map((o) => (
      <button
        key={o.value}
        type="button"
        role="menuitemradio"
        aria-checked={o.value === value}
        tabIndex={-1}
        className="menu-item"
        onClick={() => onChange(o.value)}
      >
        {o.icon}
        {o.label}
      </button>
    ))}
  </div>
)

export const MenuHead = ({ children }: { children: ReactNode }) => (
  <div className="menu-head">{children}</div>
)
export const MenuLine = () => <hr className="menu-line" />
