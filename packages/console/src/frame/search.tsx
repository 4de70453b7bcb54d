import { type ComponentType, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { messageOf } from '../lib/failure'
import { toastError } from '../ui/toast'
import { useGoKeys } from './go-to'
import type { PaletteProps } from './palette'

const loadPalette = async () => (await import('./palette')).Palette

/** Another dialog must be answered first. */
const isInDialog = () =>
  // the palette itself may still be closing
  document.querySelector(':is([role=dialog], [role=alertdialog]):not([data-palette])') !== null

/** The ways to any screen: `g` and a key, and the palette, which loads when Ctrl K or ⌘ K first opens it. */
export function Search({
  open,
  onOpenChange,
  onKeys,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
} & Pick<PaletteProps, 'onKeys'>) {
  const [Palette, setPalette] = useState<ComponentType<PaletteProps>>()
  const [early, setEarly] = useState('')
  const change = useEffectEvent(onOpenChange)
  useGoKeys()

  // before the frame is seen, so that no key is lost
  useLayoutEffect(() => {
    const onKey = (e: KeyboardEvent) => {
      if (e.key.toLowerCase() !== 'k' || !(e.ctrlKey || e.metaKey) || e.shiftKey || e.altKey) return
      // the browser's own search
      e.preventDefault()
      if (open || !isInDialog()) change(!open)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [open])

  // what is typed before the palette has the focus is meant for it
  useEffect(() => {
    if (!open) return setEarly('')
    const onKey = (e: KeyboardEvent) => {
      if (e.key.length !== 1 || e.ctrlKey || e.metaKey || e.altKey) return
      if (document.activeElement?.closest('[data-palette]')) return
      e.preventDefault()
      e.stopImmediatePropagation()
      setEarly((text) => text + e.key)
    }
    addEventListener('keydown', onKey, true)
    return () => removeEventListener('keydown', onKey, true)
  }, [open])

  useEffect(() => {
    if (!open || Palette) return
    loadPalette().then(
      (loaded) => setPalette(() => loaded),
      (error) => {
        change(false)
        toastError(messageOf(error))
      },
    )
  }, [open, Palette])

  return (
    Palette && (
      <Palette open={open} early={early} onClose={() => onOpenChange(false)} onKeys={onKeys} />
    )
  )
}
