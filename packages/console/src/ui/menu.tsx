import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import './menu.css'

/** A menu of actions. `trigger` is its button, usually an `IconButton`. */
export function Menu({
  trigger,
  align = 'end',
  children,
}: {
  trigger: ReactElement
  align?: 'start' | 'end'
  children: ReactNode
}) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className="popup-place" align={align} sideOffset={4}>
          <Base.Popup className="popup menu">{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

export function MenuItem({
  icon,
  danger,
  onClick,
  children,
}: {
  icon?: ReactNode
  danger?: boolean
  onClick: () => void
  children: ReactNode
}) {
  return (
    <Base.Item className={danger ? 'menu-item menu-item-danger' : 'menu-item'} onClick={onClick}>
      {icon}
      {children}
    </Base.Item>
  )
}

/** A menu item that is a link; `link` is the router's link without its label. */
export const MenuLink = ({
  icon,
  link,
  children,
}: {
  icon?: ReactNode
  link: ReactElement
  children: ReactNode
}) => (
  <Base.LinkItem className="menu-item" render={link} closeOnClick>
    {icon}
    {children}
  </Base.LinkItem>
)

export function MenuChoice<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: T
  options: readonly { value: T; label: string; icon?: ReactNode }[]
  onChange: (value: T) => void
}) {
  return (
    <Base.RadioGroup value={value} onValueChange={onChange} aria-label={label}>
      {options.map((o) => (
        <Base.RadioItem key={o.value} value={o.value} className="menu-item" closeOnClick>
          {o.icon}
          {o.label}
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  )
}

export const MenuHead = ({ children }: { children: ReactNode }) => (
  <div className="menu-head">{children}</div>
)
export const MenuLine = () => <Base.Separator className="menu-line" />
