import { useRouter } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'
import { linkTo } from './link-to'

/** Milliseconds that the pointer or the focus rests on a link before its screen loads, as with the router's own. */
const REST_MS = 50
let resting: ReturnType<typeof setTimeout> | undefined
const leave = () => clearTimeout(resting)

const opensElsewhere = (e: MouseEvent) =>
  e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey

/**
 * A link to a path that is known whole. The router's own follows the address and works out its path and whether it is
 * the current one, at a tenth of a millisecond and more each, and a list has seventy.
 */
export function PlainLink({
  href,
  ...props
}: Omit<ComponentProps<'a'>, 'href'> & { href: string }) {
  const router = useRouter()
  const to = linkTo(href)
  // the screen shows what fails
  const preload = () => void router.preloadRoute(to).catch(() => undefined)
  const rest = () => {
    leave()
    resting = setTimeout(preload, REST_MS)
  }
  return (
    <a
      {...props}
      href={href}
      onMouseEnter={rest}
      onMouseLeave={leave}
      onFocus={(e) => {
        props.onFocus?.(e)
        rest()
      }}
      onBlur={(e) => {
        props.onBlur?.(e)
        leave()
      }}
      onTouchStart={preload}
      onClick={(e) => {
        props.onClick?.(e)
        if (e.defaultPrevented || opensElsewhere(e)) return
        e.preventDefault()
        leave()
        void router.navigate(to)
      }}
    />
  )
}
