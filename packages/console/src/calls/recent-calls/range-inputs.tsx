import { END_BEFORE_START, t } from '@switchroom/contract'
import { useEffect, useId, useState } from 'react'
import { localClock, momentOf } from '../../ui/time-zone'

type Range = { start: string | undefined; end: string | undefined }

/** A time as `datetime-local` has it: in the time zone on screen, to the minute if it is a full one. */
export function localTime(iso: string | undefined): string {
  if (iso === undefined) return ''
  const local = new Date(localClock(Date.parse(iso)))
  return local.toISOString().slice(0, local.getUTCSeconds() === 0 ? 16 : 19)
}

const isoTime = (local: string) => momentOf(local)?.toISOString()

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
      {input(t('Calls from'), from, setFrom)}
      <span aria-hidden>{t('to')}</span>
      {input(t('Calls until'), to, setTo)}
      {isReversed && (
        <span id={id} className="range-error" role="alert">
          {END_BEFORE_START}
        </span>
      )}
    </span>
  )
}
