import { ChevronsUpDown } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import type { ComboboxButtonProps } from './combobox'
import { isArrowUpOrDown, useLateTrigger } from './late-popups'
import './combobox.css'

/** Typing chooses an option without opening the list. */
const isTyped = (e: KeyboardEvent) =>
  e.key.length === 1 && e.key !== ' ' && !e.ctrlKey && !e.metaKey && !e.altKey

/** Outside forms: a button that shows the choice and opens a search. */
export function ComboboxButton(props: ComboboxButtonProps) {
  const { label, className = 'combobox-button', disabled, placeholder, options, value } = props
  const late = useLateTrigger((e) => isArrowUpOrDown(e) || isTyped(e))
  if (late.popups) return <late.popups.ComboboxButton {...props} button={late.button} />
  const chosen = value === '' ? undefined : options.find((o) => o.value === value)
  return (
    <button
      {...late.props}
      type="button"
      role="combobox"
      aria-haspopup="dialog"
      aria-expanded={false}
      aria-label={label}
      className={className}
      disabled={disabled}
    >
      <span className="combobox-value">{chosen?.label ?? placeholder}</span>
      {!disabled && <ChevronsUpDown aria-hidden />}
    </button>
  )
}
