import { cloneElement, useEffect, useRef, useState } from 'react'
import { prefetchPopups, usePopups } from './late-popups'
import type { TooltipProps } from './popups'
import './tooltip.css'

const DELAY = 400
/** Milliseconds to move the pointer from the element to its tooltip. */
const GRACE = 100

/** Additional text on hover and focus; never the only place for it. */
export function Tooltip({ children, ...props }: TooltipProps) {
  const anchor = useRef<HTMLElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [open, setOpen] = useState(false)
  const popups = usePopups(open)
  const change = (next: boolean, delay = 0) => {
    clearTimeout(timer.current)
    if (delay) timer.current = setTimeout(() => setOpen(next), delay)
    else setOpen(next)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const close = () => change(false)
  const leave = () => change(false, GRACE)
  return (
    <>
      {cloneElement(children, {
        ref: anchor,
        onPointerEnter: ({ pointerType }) => {
          if (pointerType !== 'mouse') return
          prefetchPopups()
          change(true, open ? 0 : DELAY)
        },
        onPointerLeave: leave,
        onFocus: (e) => e.currentTarget.matches(':focus-visible') && change(true),
        onBlur: close,
        onPointerDown: close,
        onClick: (e) => {
          close()
          children.props.onClick?.(e)
        },
      })}
      {popups && (
        <popups.Tooltip
          {...props}
          anchor={anchor}
          open={open}
          onOpenChange={change}
          onPointerEnter={() => change(true)}
          onPointerLeave={leave}
        />
      )}
    </>
  )
}
