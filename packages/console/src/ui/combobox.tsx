import { Combobox as Base } from '@base-ui/react/combobox'
import { t } from '@switchroom/contract'
import { Check, ChevronDown, ChevronsUpDown, X } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { Field, type FieldProps, useReadOnly } from './field'
import { nextPaint } from './next-paint'
import './combobox.css'

export type Option = { value: string; label: string; note?: string | undefined }

export type ComboboxProps = {
  options: readonly Option[]
  value: string
  onChange: (value: string) => void
  /** Options come from a search on the server for this text; without it they are filtered here. */
  onSearch?: ((text: string) => void) | undefined
  loading?: boolean | undefined
  /** Shown in the list if there are no options. */
  none?: string | undefined
  onOpen?: (() => void) | undefined
}

// more than people scroll through; typing narrows the list
const SHOWN = 200
const isSameOption = (a: Option, b: Option) => a.value === b.value
const labelOf = (o: Option) => o.label

/**
 * The chosen option as a stable object: a new one would count as another choice and overwrite what is being
 * typed. It stays even if the search no longer returns it.
 */
function useChosenOption(options: readonly Option[], value: string): Option | null {
  const [last, setLast] = useState<Option | null>(null)
  const selected = options.find((o) => o.value === value && value !== '')
  const isSame = last?.value === value && (!selected || last.label === selected.label)
  const chosen = isSame ? last : (selected ?? null)
  useEffect(() => setLast(chosen), [chosen])
  return chosen
}

/**
 * Opens the list once what was typed or pressed is shown: to open takes 100 ms and more on a slow processor, and the
 * library would do it before.
 */
function useOpenAfterPaint(onOpen: (() => void) | undefined) {
  const [open, setOpen] = useState(false)
  const wanted = useRef(false)
  const onOpenChange = (next: boolean) => {
    wanted.current = next
    if (!next) return setOpen(false)
    onOpen?.()
    void nextPaint().then(() => wanted.current && setOpen(true))
  }
  return { open, onOpenChange }
}

function useRootProps(
  { options, value, onChange, onSearch, onOpen }: ComboboxProps,
  readOnly: boolean,
) {
  const chosen = useChosenOption(options, value)
  return {
    ...useOpenAfterPaint(onOpen),
    items: options,
    value: chosen,
    onValueChange: (next: Option | null) => {
      // ignore the repeated change on blur, which a form would take for an edit
      if ((next?.value ?? '') !== value) onChange(next?.value ?? '')
    },
    itemToStringLabel: labelOf,
    isItemEqualToValue: isSameOption,
    limit: SHOWN,
    readOnly,
    autoHighlight: true,
    // server results are filtered here too, so that Enter never picks from the previous search
    onInputValueChange: (text: string, e: { reason: string }) =>
      // choosing an option also fills the input, which is not a search
      onSearch?.(e.reason === 'input-change' ? text : ''),
  }
}

export type ComboboxFieldProps = FieldProps & ComboboxProps & { placeholder?: string | undefined }

export function ComboboxField({
  label,
  help,
  error,
  optional,
  disabled,
  placeholder,
  box,
  ...props
}: ComboboxFieldProps & { box: RefObject<HTMLDivElement | null> }) {
  const readOnly = useReadOnly()
  const root = useRootProps(props, readOnly)
  return (
    <Field label={label} help={help} error={error} optional={optional}>
      {(control) => (
        <Base.Root {...root} disabled={disabled ?? false}>
          <div className="input-group" ref={box}>
            <Base.Input {...control} className="input" placeholder={placeholder} />
            {optional && !readOnly && !disabled && (
              <Base.Clear className="icon-button combobox-clear" aria-label={t('Clear selection')}>
                <X />
              </Base.Clear>
            )}
            {!readOnly && (
              <Base.Trigger className="icon-button" aria-label={t('Show choices')}>
                <ChevronDown />
              </Base.Trigger>
            )}
          </div>
          <List {...props} />
        </Base.Root>
      )}
    </Field>
  )
}

export type ComboboxButtonProps = ComboboxProps & {
  label: string
  className?: string
  disabled?: boolean
  placeholder?: ReactNode
}

export function ComboboxButton({
  label,
  className = 'combobox-button',
  disabled,
  placeholder,
  button,
  ...props
}: ComboboxButtonProps & { button: RefObject<HTMLButtonElement | null> }) {
  return (
    <Base.Root {...useRootProps(props, false)} disabled={disabled ?? false}>
      <Base.Trigger ref={button} className={className} aria-label={label}>
        <span className="combobox-value">
          <Base.Value>{(o: Option | null) => o?.label ?? placeholder}</Base.Value>
        </span>
        {!disabled && <ChevronsUpDown aria-hidden />}
      </Base.Trigger>
      <List {...props} search={props.options.length >= 7 || !!props.onSearch} label={label} />
    </Base.Root>
  )
}

function List({
  loading,
  none = t('No results'),
  search,
  label,
}: Pick<ComboboxProps, 'loading' | 'none'> & { search?: boolean; label?: string }) {
  return (
    <Base.Portal>
      <Base.Positioner className="popup-place" align="start" sideOffset={4}>
        <Base.Popup className="popup combobox-popup" aria-label={label}>
          {search && (
            <div className="combobox-search">
              <Base.Input
                className="input"
                placeholder={t('Search…')}
                aria-label={t('Search: {label}', { label })}
              />
            </div>
          )}
          <Base.Empty>
            <div className="combobox-none">{loading ? t('Searching…') : none}</div>
          </Base.Empty>
          <Base.List className="combobox-list" aria-label={label}>
            {(o: Option) => (
              <Base.Item key={o.value} value={o} className="combobox-item">
                <span className="combobox-label">
                  {o.label}
                  {o.note && <span className="combobox-note">{o.note}</span>}
                </span>
                <Base.ItemIndicator className="combobox-mark">
                  <Check aria-hidden />
                </Base.ItemIndicator>
              </Base.Item>
            )}
          </Base.List>
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  )
}
