import type { ServiceProvider } from '@switchroom/contract'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { linkTo } from '../lib/link-to'
import { singleKey } from '../lib/single-keys'
import { useProvider } from '../lib/use-provider'
import { menu, screensOf } from './menu'

/** Milliseconds that `g` waits for the second key. */
const WAIT = 1_500

/** The screens that the user sees, in the order of the menu, with the key that follows `g`. */
export const pages = (provider: ServiceProvider | undefined) =>
  menu(provider).flatMap(({ items }) => items.flatMap(screensOf))

/** Goes to a screen by `g` and its key. */
export function useGoKeys() {
  const navigate = useNavigate()
  const provider = useProvider()
  const pageOf = useEffectEvent((key: string) => pages(provider).find((page) => page.key === key))
  useEffect(() => {
    let until = 0
    const onKey = (e: KeyboardEvent) => {
      const key = singleKey(e)
      const isSecond = e.timeStamp < until
      if (key) until = 0
      if (key === 'g' && !isSecond) until = e.timeStamp + WAIT
      const page = isSecond && key && pageOf(key)
      if (!page) return
      // before the keys of the page, of which it may be one
      e.preventDefault()
      // so that the new screen gets the focus
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      void navigate({ ...linkTo(page.href) })
    }
    addEventListener('keydown', onKey, { capture: true })
    return () => removeEventListener('keydown', onKey, { capture: true })
  }, [navigate])
}
