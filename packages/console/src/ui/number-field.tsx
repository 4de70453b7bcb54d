import { t } from '@switchroom/contract'
import { type KeyboardEvent, useState } from 'react'
import { Field, type FieldProps, useReadOnly } from './field'

const ALLOWED = /^[+-]?\d*(?:\.\d*)?$/
const STEPS: Record<string, number> = { ArrowUp: 1, ArrowDown: -1 }

/** Digits of other scripts' input methods as ASCII, without spaces. */
const plain = (text: string) => text.normalize('NFKC').replace(/\s/g, '')
const textOf = (value: number | null) => value?.toString() ?? ''
/** The number a text stands for; undefined for the beginning of one, such as `-`. */
const numberOf = (text: string) =>
  text === '' ? null : Number.isNaN(Number.parseFloat(text)) ? undefined : Number(text)

/** A whole number, or one with decimals, or null. */
export function NumberField({
  label,
  help,
  error,
  optional,
  disabled,
  value,
  onChange,
  onBlur,
  min = Number.NEGATIVE_INFINITY,
  decimals,
  placeholder,
}: FieldProps & {
  value: number | null
  onChange: (value: number | null) => void
  onBlur?: () => void
  /** Lower limit of the arrow keys. A smaller typed value is left to validation. */
  min?: number
  /** Offers keys for decimals, and takes a comma for the point. */
  decimals?: boolean
  placeholder?: string
}) {
  const readOnly = useReadOnly()
  // as typed, while it stands for the value
  const [typed, setTyped] = useState(textOf(value))
  const number = numberOf(typed)
  const text = number === undefined || number === value ? typed : textOf(value)

  function type(input: string) {
    const next = decimals ? plain(input).replace(',', '.') : plain(input)
    if (!ALLOWED.test(next)) return
    setTyped(next)
    const number = numberOf(next)
    if (number !== undefined) onChange(number)
  }

  function step(e: KeyboardEvent) {
    const by = STEPS[e.key]
    if (!by || readOnly) return
    e.preventDefault()
    onChange(Math.max(min, (value ?? 0) + by * (e.shiftKey ? 10 : 1)))
  }

  return (
    <Field label={label} help={help} error={error} optional={optional}>
      {(control) => (
        <input
          {...control}
          type="text"
          inputMode={decimals ? 'decimal' : 'numeric'}
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          aria-roledescription={t('Number field')}
          className="input numbers"
          placeholder={placeholder}
          value={text}
          readOnly={readOnly}
          disabled={disabled}
          // on every key, so that the form is up to date
          onChange={(e) => type(e.target.value)}
          onKeyDown={step}
          onBlur={() => {
            setTyped(textOf(value))
            onBlur?.()
          }}
        />
      )}
    </Field>
  )
}
