import {
  type KeyboardEvent as KeyPress,
  type SyntheticEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { nextPaint } from './next-paint'

type Popups = typeof import('./popups')

let loading: Promise<Popups> | undefined
let hasFailed = false
let tellFailure: (error: unknown) => void = () => undefined

async function load() {
  try {
    return await import('./popups')
  } catch (error) {
    hasFailed = true
    loading = undefined
    throw error
  }
}

/** Loads the code of popups once. After a failure the next call tries again. */
function loadPopups() {
  loading ??= load()
  return loading
}

/** Lets a press end first, since to open a popup takes longer than an answer may. */
async function loadPopupsAfterPaint() {
  const code = await loadPopups()
  await nextPaint()
  return code
}

/** Loads the code of popups ahead of its use. After a failure only a press does, which can tell. */
export function prefetchPopups() {
  if (!hasFailed) loadPopups().catch(() => undefined)
}

/** Sets what tells people why a popup could not be opened. */
export function onPopupFailure(tell: typeof tellFailure) {
  tellFailure = tell
}

/** The code of popups, loaded once wanted. With `onFailed`, shows why that failed and then calls it. */
export function usePopups(isWanted: boolean, onFailed?: () => void): Popups | undefined {
  const [popups, setPopups] = useState<Popups>()
  const fail = useEffectEvent((error: unknown) => {
    if (!onFailed) return
    tellFailure(error)
    onFailed()
  })
  useEffect(() => {
    if (!isWanted || popups) return
    let isCurrent = true
    loadPopupsAfterPaint().then(
      (code) => isCurrent && setPopups(code),
      (error) => isCurrent && fail(error),
    )
    return () => {
      isCurrent = false
    }
  }, [isWanted, popups])
  return popups
}

const isTyped = (e: Event) => e instanceof KeyboardEvent && e.key.length === 1

/**
 * A plain button until it is pressed; then the popup's own button takes its place, and is pressed in turn.
 * `props` are for the plain one, `button` is the ref of both. `isOpener`: which keys press it, besides Enter
 * and Space.
 */
export function useLateTrigger(isOpener: (e: KeyPress) => boolean) {
  const [popups, setPopups] = useState<Popups>()
  const button = useRef<HTMLButtonElement>(null)
  const presses = useRef<Event[]>([])

  function pressAgain(code: Popups, focused: Element | null) {
    // the user has moved on
    if (!button.current || document.activeElement !== focused) return
    flushSync(() => setPopups(code))
    if (!focused?.isConnected) button.current.focus({ preventScroll: true })
    const again = presses.current.map((e) => Reflect.construct(e.constructor, [e.type, e]) as Event)
    const dispatch = () => {
      for (const e of again) button.current?.dispatchEvent(e)
    }
    // what is typed chooses among options, which follow the focus
    if (again.some(isTyped)) requestAnimationFrame(() => requestAnimationFrame(dispatch))
    // in a task of its own, so that what is pressed meanwhile waits for one of them only
    else setTimeout(dispatch)
  }

  async function press({ nativeEvent: e }: SyntheticEvent) {
    e.preventDefault()
    // of a second click while the code loads, the popup would close
    if (e.type === 'click' && presses.current.some((p) => p.type === 'click')) return
    presses.current.push(e)
    if (presses.current.length > 1) return
    const focused = document.activeElement
    try {
      pressAgain(await loadPopupsAfterPaint(), focused)
    } catch (error) {
      tellFailure(error)
    }
    presses.current = []
  }

  return {
    popups,
    button,
    props: {
      ref: button,
      onPointerEnter: prefetchPopups,
      onFocus: prefetchPopups,
      onClick: press,
      onKeyDown: (e: KeyPress) => isOpener(e) && press(e),
    },
  }
}

export const isArrowUpOrDown = ({ key }: KeyPress) => key === 'ArrowDown' || key === 'ArrowUp'

/**
 * A plain input until it is focused; then the popup's own takes its place, with the focus and what was pressed and
 * typed meanwhile. `box` is around both, `text` is what the input shows.
 */
export function useLateInput(text: string) {
  const [popups, setPopups] = useState<Popups>()
  const box = useRef<HTMLDivElement>(null)
  const pressed = useRef<{ event: Event; onButton: boolean }>(undefined)
  const typed = useRef<InputEvent>(undefined)
  const input = () => box.current?.querySelector('input')

  async function want() {
    const code = await loadPopupsAfterPaint()
    const plain = input()
    // the user has moved on
    if (!plain || !box.current?.contains(document.activeElement)) return
    const { value, selectionStart, selectionEnd } = plain
    const { event: press, onButton } = pressed.current ?? {}
    const last = typed.current
    flushSync(() => setPopups(code))
    const late = input()
    if (!late || late === plain) return
    late.focus({ preventScroll: true })
    const show = () => {
      // React overrides the property, and would take the event for a repeated one
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(late, value)
    }
    if (last) show()
    // the next key may come before the next paint, and replaces what is selected
    late.setSelectionRange(selectionStart, selectionEnd)
    let hasTyped = false
    late.addEventListener('input', () => (hasTyped = true), { once: true })
    // to open takes as long as to get here, so that a key should wait for one of them only
    await nextPaint()
    if (hasTyped || document.activeElement !== late) return
    const target = onButton ? box.current?.querySelector<HTMLElement>('button:last-child') : late
    if (press) target?.dispatchEvent(Reflect.construct(press.constructor, [press.type, press]))
    if (last) {
      show()
      const { inputType, data } = last
      late.dispatchEvent(new InputEvent('input', { bubbles: true, inputType, data }))
    }
    late.setSelectionRange(selectionStart, selectionEnd)
  }
  const wanted = () => void want().catch(tellFailure)
  const press = (onButton: boolean) => (e: SyntheticEvent) => {
    pressed.current = { event: e.nativeEvent, onButton }
  }

  return {
    popups,
    box,
    input: {
      onPointerEnter: prefetchPopups,
      onFocus: wanted,
      onMouseDown: press(false),
      onKeyDown: (e: KeyPress) => isArrowUpOrDown(e) && press(false)(e),
      onInput: (e: SyntheticEvent) => {
        // only inputs send them
        typed.current = e.nativeEvent as InputEvent
      },
      onBlur: ({ currentTarget }: SyntheticEvent<HTMLInputElement>) => {
        pressed.current = undefined
        typed.current = undefined
        currentTarget.value = text
      },
    },
    trigger: {
      onPointerEnter: prefetchPopups,
      onClick: (e: SyntheticEvent) => {
        press(true)(e)
        // Safari does not focus buttons
        input()?.focus()
        wanted()
      },
    },
  }
}
