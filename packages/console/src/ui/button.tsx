import type { ComponentProps, ReactNode } from 'react'
import './button.css'

type Look = 'primary' | 'plain' | 'quiet' | 'danger'
type Size = 'normal' | 'small'

/** The class of a button, for links that look like one. */
export const buttonClass = (look: Look = 'plain', size: Size = 'normal') =>
  `button button-${look}${size === 'small' ? ' button-small' : ''}`

/** While busy, a button stays focusable but ignores clicks. */
export function Button({
  look = 'plain',
  size = 'normal',
  busy = false,
  type = 'button',
  className,
  onClick,
  ...rest
}: ComponentProps<'button'> & { look?: Look; size?: Size; busy?: boolean }) {
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={busy || undefined}
      className={className ? `${buttonClass(look, size)} ${className}` : buttonClass(look, size)}
      onClick={(e) => (busy ? e.preventDefault() : onClick?.(e))}
    />
  )
}

/** An icon button. `label` is its accessible name and tooltip. */
export function IconButton({
  label,
  children,
  className,
  ...rest
}: ComponentProps<'button'> & { label: string; children: ReactNode }) {
  return (
    <button
      type="button"
      {...rest}
      className={className ? `icon-button ${className}` : 'icon-button'}
      aria-label={label}
      title={label}
    >
      {children}
    </button>
  )
}
