import { AlertDialog as BaseAlertDialog } from '@base-ui/react/alert-dialog'
import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { Menu as BaseMenu } from '@base-ui/react/menu'
import { Tooltip as BaseTooltip } from '@base-ui/react/tooltip'
import { t } from '@switchroom/contract'
import { X } from 'lucide-react'
import {
  type ComponentProps,
  type DOMAttributes,
  type ReactElement,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useState,
} from 'react'

// Everything that opens above the screen. `late-popups.ts` loads it when it is first needed.

export { ComboboxButton, ComboboxField } from './combobox'

/** Closed in the first render, so that the first opening has its transition too. */
function useOpenAfterMount(open: boolean) {
  const [mounted, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  return mounted && open
}

export type MenuProps = {
  /** The menu's button, usually an `IconButton`. */
  trigger: ReactElement<ComponentProps<'button'>>
  align?: 'start' | 'end'
  /** Renders the items of the menu from parts that load with it. */
  children: (parts: typeof menuParts) => ReactNode
}

export function Menu({
  trigger,
  align = 'end',
  button,
  children,
}: MenuProps & { button: RefObject<HTMLButtonElement | null> }) {
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger ref={button} render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner className="popup-place" align={align} sideOffset={4}>
          <BaseMenu.Popup className="popup menu">{children(menuParts)}</BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

function MenuItem({
  icon,
  danger,
  onClick,
  children,
}: {
  icon?: ReactNode
  danger?: boolean | undefined
  onClick: () => void
  children: ReactNode
}) {
  return (
    <BaseMenu.Item
      className={danger ? 'menu-item menu-item-danger' : 'menu-item'}
      onClick={onClick}
    >
      {icon}
      {children}
    </BaseMenu.Item>
  )
}

/** A menu item that is a link; `link` is the router's link without its label. */
const MenuLink = ({
  icon,
  link,
  children,
}: {
  icon?: ReactNode
  link: ReactElement
  children: ReactNode
}) => (
  <BaseMenu.LinkItem className="menu-item" render={link} closeOnClick>
    {icon}
    {children}
  </BaseMenu.LinkItem>
)

function MenuChoice<T extends string>({
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
    <BaseMenu.RadioGroup value={value} onValueChange={onChange} aria-label={label}>
      {options.map((o) => (
        <BaseMenu.RadioItem key={o.value} value={o.value} className="menu-item" closeOnClick>
          {o.icon}
          {o.label}
        </BaseMenu.RadioItem>
      ))}
    </BaseMenu.RadioGroup>
  )
}

const MenuHead = ({ children }: { children: ReactNode }) => (
  <div className="menu-head">{children}</div>
)
const MenuLine = () => <BaseMenu.Separator className="menu-line" />

const menuParts = { MenuItem, MenuLink, MenuChoice, MenuHead, MenuLine }
export type DialogProps = {
  open: boolean
  onClose: () => void
  title: string
  /** For tables and comparisons. */
  wide?: boolean
  /** Gets the focus instead of the button that closes; not where fingers type, as a keyboard would cover the dialog. */
  firstField?: () => HTMLElement | null
  children: ReactNode
}

export function Dialog({
  open,
  startsOpen,
  onClose,
  title,
  wide = false,
  firstField,
  children,
}: DialogProps & { startsOpen: boolean }) {
  const openLater = useOpenAfterMount(open)
  return (
    <BaseDialog.Root
      open={startsOpen ? open : openLater}
      onOpenChange={(next) => !next && onClose()}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="scrim" />
        <BaseDialog.Popup
          className={wide ? 'dialog dialog-wide' : 'dialog'}
          initialFocus={(by) => by === 'touch' || (firstField?.() ?? true)}
        >
          <header className="dialog-head">
            <BaseDialog.Title>{title}</BaseDialog.Title>
            <BaseDialog.Close className="icon-button" aria-label={t('Close')}>
              <X />
            </BaseDialog.Close>
          </header>
          {children}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}

/** A dialog at the left edge of a small screen. */
export function Drawer({
  label,
  open,
  onOpenChange,
  children,
}: {
  label: string
  open: boolean
  onOpenChange: (open: boolean) => void
  children: ReactNode
}) {
  return (
    <BaseDialog.Root open={useOpenAfterMount(open)} onOpenChange={onOpenChange}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="scrim" />
        <BaseDialog.Popup className="drawer" aria-label={label}>
          {children}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}

export type TooltipProps = {
  text: ReactNode
  side?: 'top' | 'right' | 'bottom'
  children: ReactElement<DOMAttributes<HTMLElement> & { ref?: Ref<HTMLElement> }>
}

export function Tooltip({
  anchor,
  text,
  side = 'top',
  open,
  onOpenChange,
  ...pointer
}: Omit<TooltipProps, 'children'> & {
  anchor: RefObject<HTMLElement | null>
  open: boolean
  onOpenChange: (open: boolean) => void
  onPointerEnter: () => void
  onPointerLeave: () => void
}) {
  return (
    <BaseTooltip.Root open={useOpenAfterMount(open)} onOpenChange={onOpenChange}>
      <BaseTooltip.Portal>
        <BaseTooltip.Positioner anchor={anchor} className="popup-place" side={side} sideOffset={6}>
          <BaseTooltip.Popup className="tooltip" data-tooltip {...pointer}>
            {text}
          </BaseTooltip.Popup>
        </BaseTooltip.Positioner>
      </BaseTooltip.Portal>
    </BaseTooltip.Root>
  )
}

/** Covers the page, and can only be ended by the caller. */
export const Wait = ({ label, children }: { label: string; children: ReactNode }) => (
  <BaseAlertDialog.Root open>
    <BaseAlertDialog.Portal>
      <BaseAlertDialog.Backdrop className="scrim" />
      <BaseAlertDialog.Popup className="processing" aria-label={label}>
        <BaseAlertDialog.Description>{children}</BaseAlertDialog.Description>
      </BaseAlertDialog.Popup>
    </BaseAlertDialog.Portal>
  </BaseAlertDialog.Root>
)
