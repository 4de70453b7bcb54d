import { t } from '@switchroom/contract'
import { Link } from '@tanstack/react-router'
import { EllipsisVertical, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../ui/button'
import { Menu } from '../ui/menu'
import { linkTo } from './link-to'
import { PlainLink } from './plain-link'

export type RowAction = {
  /** Verb and noun: "Edit phone number". */
  label: string
  icon: ReactNode
  danger?: boolean
  /** One of the two most common actions, also shown on hover and focus, outside the menu. */
  common?: boolean
  /** The key that presses it while its row has the focus. */
  shortcut?: string
} & ({ href: string; onClick?: never } | { onClick: () => void; href?: never })

export const editAction = (label: string, href: string): RowAction => ({
  label,
  icon: <Pencil />,
  href,
  common: true,
  shortcut: 'e',
})

export const deleteAction = (label: string, onClick: () => void): RowAction => ({
  label,
  icon: <Trash2 />,
  onClick,
  danger: true,
  common: true,
  shortcut: 'Delete',
})

/** Actions of a row: the most common as buttons, all of them in a menu. */
export function RowActions({ actions }: { actions: RowAction[] }) {
  if (actions.length === 0) return null
  return (
    <div className="row-actions">
      {actions
        .filter((a) => a.common)
        .map((a) =>
          a.href !== undefined ? (
            <PlainLink
              key={a.label}
              href={a.href}
              className="icon-button row-action"
              aria-label={a.label}
              aria-keyshortcuts={a.shortcut}
              title={a.label}
            >
              {a.icon}
            </PlainLink>
          ) : (
            <IconButton
              key={a.label}
              className="row-action"
              label={a.label}
              aria-keyshortcuts={a.shortcut}
              onClick={a.onClick}
            >
              {a.icon}
            </IconButton>
          ),
        )}
      <Menu
        trigger={
          <IconButton label={t('More actions')}>
            <EllipsisVertical />
          </IconButton>
        }
      >
        {({ MenuItem, MenuLink }) =>
          actions.map((a) =>
            a.href !== undefined ? (
              <MenuLink key={a.label} icon={a.icon} link={<Link {...linkTo(a.href)} />}>
                {a.label}
              </MenuLink>
            ) : (
              <MenuItem key={a.label} icon={a.icon} onClick={a.onClick} danger={a.danger}>
                {a.label}
              </MenuItem>
            ),
          )
        }
      </Menu>
    </div>
  )
}
