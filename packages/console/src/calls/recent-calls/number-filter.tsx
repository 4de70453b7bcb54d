import { useEffect, useRef } from 'react'

/** Takes a number on blur or Enter, as it is typed digit by digit. */
export function NumberFilter({
  label,
  unit,
  value,
  max,
  step = 1,
  decimals = 0,
  onChange,
}: {
  label: string
  /** Shown after the number. */
  unit: string
  value: number | undefined
  max: number
  step?: number
  decimals?: number
  onChange: (value: number | undefined) => void
}) {
  const text = value === undefined ? '' : String(value)
  const input = useRef<HTMLInputElement>(null)
  const show = () => {
    if (input.current) input.current.value = text
  }
  // the field keeps what is typed until it is taken
  useEffect(show, [text])
  const take = (typed: string) => {
    const number = typed === '' ? undefined : Number(Number(typed).toFixed(decimals))
    if (number !== undefined && !(number >= 0 && number <= max)) show()
    else if (number !== value) onChange(number)
  }
  return (
    <span className="range">
      <input
        ref={input}
        type="number"
        className="input seconds-input"
        aria-label={label}
        min={0}
        max={max}
        step={step}
        defaultValue={text}
        onBlur={(e) => take(e.currentTarget.value)}
        onKeyDown={(e) => e.key === 'Enter' && take(e.currentTarget.value)}
      />
      <span aria-hidden>{unit}</span>
    </span>
  )
}
