import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { PlainLink } from '../lib/plain-link'
import { useProvider } from '../lib/use-provider'
import { type Item, isWithin, menu, screensOf } from './menu'
import '../ui/tabs.css'

/** A form is within its list, which the breadcrumb leads to; who has one thing of a kind has no list. */
const isHere = (pathname: string, item: Item) =>
  item.pathPrefix ? isWithin(pathname, item) : item.href === pathname

/** Tabs of the screens that share a menu item with this one. */
export function ScreenTabs() {
  const { pathname } = useLocation()
  const provider = useProvider()
  const nav = useRef<HTMLElement>(null)
  const here = menu(provider)
    .flatMap(({ items }) => items)
    .find((item) => screensOf(item).some((s) => isHere(pathname, s)))
  useEffect(() => {
    if (!here) return
    // on a narrow screen only some of them are in sight
    nav.current
      ?.querySelector('[aria-current]')
      ?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [here])
  if (!here?.tabs?.length) return null
  return (
    <nav ref={nav} className="tabs screen-tabs" aria-label={here.label}>
      {screensOf(here).map((screen) => {
        const { label, href } = screen
        return (
          <PlainLink
            key={href}
            href={href}
            className="tab"
            aria-current={isHere(pathname, screen) ? 'page' : undefined}
          >
            {label}
          </PlainLink>
        )
      })}
    </nav>
  )
}
