import { t } from '@switchroom/contract'
import { ListFilter, Search, X } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { setBarEnd } from './bar-end'
import { Button } from './button'
import { Select, type SelectOption } from './select'
import './filter-bar.css'

/** A removable filter. Without a value it is not set, and not shown. */
export type Chip = { name: string; value: string | undefined; onRemove: () => void }

/**
 * Filters below a page's header, with a chip for each that is set. `more` is behind a button, and so are `children`
 * beside a search field on a phone.
 */
export function FilterBar({
  search,
  children,
  more,
  chips,
  onClear,
}: {
  search?: ReactNode
  children?: ReactNode
  more?: ReactNode
  chips: readonly Chip[]
  onClear: () => void
}) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const set = chips.filter(({ value }) => value)
  return (
    <search className="filter-bar" data-open={open || undefined}>
      {search}
      {(search || more) && (
        <Button
          className={more ? undefined : 'filter-toggle'}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          <ListFilter aria-hidden />
          {t('Filter')}
        </Button>
      )}
      <div className="filter-rest" id={id}>
        {children}
        {open && more && <div className="filter-more">{more}</div>}
      </div>
      {set.map((chip) => (
        <span key={chip.name} className="chip">
          <span className="chip-text">
            <span className="chip-name">{chip.name}</span> {chip.value}
          </span>
          <button
            type="button"
            aria-label={t('Remove {name}: {value}', { name: chip.name, value: chip.value })}
            onClick={chip.onRemove}
          >
            <X aria-hidden />
          </button>
        </span>
      ))}
      {set.length > 0 && (
        <Button look="quiet" size="small" onClick={onClear}>
          {t('Clear')}
        </Button>
      )}
      <div className="filter-bar-end" ref={setBarEnd} />
    </search>
  )
}

/** Searches after a pause in typing, or on Enter. */
export function SearchInput({
  label,
  value,
  onChange,
  pause = 1_000,
  ...aria
}: {
  label: string
  value: string
  onChange: (value: string) => void
  pause?: number
} & Pick<ComponentProps<'input'>, 'aria-describedby' | 'aria-invalid'>) {
  const [typed, setTyped] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const reported = useRef(value)
  useEffect(() => {
    // changed from outside, by Clear or Back
    if (value === reported.current) return
    reported.current = value
    clearTimeout(timer.current)
    setTyped(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])

  const tell = (next: string) => {
    clearTimeout(timer.current)
    const text = next.trim()
    if (text === reported.current) return
    reported.current = text
    onChange(text)
  }
  return (
    <div className="search-input">
      <Search aria-hidden />
      <input
        type="search"
        className="input"
        aria-label={label}
        {...aria}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(e) => {
          const next = e.target.value
          setTyped(next)
          clearTimeout(timer.current)
          if (next === '') tell('')
          else timer.current = setTimeout(() => tell(next), pause)
        }}
        onKeyDown={(e) => e.key === 'Enter' && tell(typed)}
      />
    </div>
  )
}

export const FilterSelect = ({
  label,
  ...select
}: {
  label: string
  options: readonly SelectOption[]
  value: string
  onChange: (value: string) => void
}) => <Select compact aria-label={label} {...select} />
