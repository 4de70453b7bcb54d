import { END_BEFORE_START } from '@switchroom/contract'
import { useEffect, useId, useState } from 'react'

type Range = { start: string | undefined; end: string | undefined }

/** A time as `datetime-local` has it: in the user's time zone, to the minute if it is a full one. */
export function localTime(iso: string | undefined): string {
  if (iso === undefined) return ''
  const at = new Date(iso)
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, at.getSeconds() === 0 ? 16 : 19)
}

const isoTime = (local: string) => {
  const at = new Date(local)
  return local === '' || Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

/** A range of times of one's own, taken when a field is left or Enter is pressed: a year is typed digit by digit. */
export function RangeInputs({
  start,
  end,
  onChange,
}: Range & { onChange: (range: Range) => void }) {
  const id = useId()
  const [from, setFrom] = useState(localTime(start))
  const [to, setTo] = useState(localTime(end))
  useEffect(() => setFrom(localTime(start)), [start])
  useEffect(() => setTo(localTime(end)), [end])
  const isReversed = from !== '' && to !== '' && to < from
  const take = () => {
    const isSame = from === localTime(start) && to === localTime(end)
    if (!isSame && !isReversed) onChange({ start: isoTime(from), end: isoTime(to) })
  }
  const input = (label: string, value: string, set: (value: string) => void) => (
    <input
      type="datetime-local"
      className="input range-input"
      aria-label={label}
      aria-invalid={isReversed || undefined}
      aria-describedby={isReversed ? id : undefined}
      value={value}
      onChange={(e) => set(e.target.value)}
      onBlur={take}
      onKeyDown={(e) => e.key === 'Enter' && take()}
    />
  )
  return (
    <span className="range">
      {input('Calls from', from, setFrom)}
      <span aria-hidden>to</span>
      {input('Calls until', to, setTo)}
      {isReversed && (
        <span id={id} className="range-error" role="alert">
          {END_BEFORE_START}
        </span>
      )}
    </span>
  )
}
