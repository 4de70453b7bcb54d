import { t } from '@switchroom/contract'
import { ChevronDown, X } from 'lucide-react'
import type { ComboboxFieldProps } from './combobox'
import { Field, useReadOnly } from './field'
import { useLateInput } from './late-popups'
import './combobox.css'

/** A form field to choose one of many options by typing. */
export function ComboboxField({ placeholder = t('Choose…'), ...props }: ComboboxFieldProps) {
  const { label, help, error, optional, disabled, options, value, onChange } = props
  const readOnly = useReadOnly()
  const chosen = value === '' ? '' : (options.find((o) => o.value === value)?.label ?? '')
  const late = useLateInput(chosen)
  if (late.popups)
    return <late.popups.ComboboxField {...props} placeholder={placeholder} box={late.box} />
  return (
    <Field label={label} help={help} error={error} optional={optional}>
      {(control) => (
        <div className="input-group" ref={late.box}>
          <input
            {...control}
            {...late.input}
            key={chosen}
            type="text"
            role="combobox"
            aria-expanded={false}
            aria-haspopup="listbox"
            aria-autocomplete={readOnly ? 'none' : 'list'}
            aria-readonly={readOnly || undefined}
            autoComplete="off"
            autoCorrect="off"
            autoCapitalize="none"
            spellCheck={false}
            className="input"
            placeholder={placeholder}
            defaultValue={chosen}
            readOnly={readOnly}
            disabled={disabled}
          />
          {optional && chosen && !readOnly && !disabled && (
            <button
              type="button"
              tabIndex={-1}
              className="icon-button combobox-clear"
              aria-label={t('Clear selection')}
              onClick={() => onChange('')}
            >
              <X />
            </button>
          )}
          {!readOnly && (
            <button
              {...late.trigger}
              type="button"
              tabIndex={-1}
              aria-expanded={false}
              aria-haspopup="listbox"
              className="icon-button"
              aria-label={t('Show choices')}
              disabled={disabled}
            >
              <ChevronDown />
            </button>
          )}
        </div>
      )}
    </Field>
  )
}
