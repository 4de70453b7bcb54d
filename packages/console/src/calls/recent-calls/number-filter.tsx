import { useEffect, useState } from 'react'

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
  const [typed, setTyped] = useState(text)
  useEffect(() => setTyped(text), [text])
  const take = () => {
    const number = typed === '' ? undefined : Number(Number(typed).toFixed(decimals))
    if (number !== undefined && !(number >= 0 && number <= max)) setTyped(text)
    else if (number !== value) onChange(number)
  }
  return (
    <span className="range">
      <input
        type="number"
        className="input seconds-input"
        aria-label={label}
        min={0}
        max={max}
        step={step}
        value={typed}
        onChange={(e) => setTyped(e.target.value)}
        onBlur={take}
        onKeyDown={(e) => e.key === 'Enter' && take()}
      />
      <span aria-hidden>{unit}</span>
    </span>
  )
}
