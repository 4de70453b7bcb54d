import { cloneElement } from 'react'
import { isArrowUpOrDown, useLateTrigger } from './late-popups'
import type { MenuProps } from './popups'
import './menu.css'

/** A menu of actions. */
export function Menu(props: MenuProps) {
  const late = useLateTrigger(isArrowUpOrDown)
  if (late.popups) return <late.popups.Menu {...props} button={late.button} />
  return cloneElement(props.trigger, {
    ...late.props,
    'aria-haspopup': 'menu',
    'aria-expanded': false,
  })
}
