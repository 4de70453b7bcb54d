import { decimalText, plural, t } from '@switchroom/contract'
import { type Row, sinceText, toneOf } from './ladder-text'

/** A message as an arrow between two lanes. */
export function MessageRow({
  row: { message, again, lasted },
  id,
  begun,
  names,
  isOpen,
  isFirst,
  onFocus,
  onClick,
}: {
  row: Row
  id: string
  begun: number
  names: readonly string[]
  isOpen: boolean
  /** True if the tab key stops here. */
  isFirst: boolean
  onFocus: () => void
  onClick: () => void
}) {
  const { source, destination, label, has_media, leg, repeats, reordered } = message
  const [from, to] = [Math.min(source, destination), Math.max(source, destination)]
  const marks = [
    has_media && 'SDP',
    leg > 0 && t('leg {leg}', { leg: leg + 1 }),
    repeats !== null && t('again'),
    reordered && t('reordered'),
    again > 0 &&
      plural(again + 1, '1 time in {seconds} s|{n} times in {seconds} s', {
        seconds: decimalText(lasted / 1_000_000),
      }),
  ].filter((mark) => mark !== false)
  return (
    <button
      type="button"
      id={id}
      className="ladder-row"
      data-message
      aria-expanded={isOpen}
      tabIndex={isFirst ? 0 : -1}
      data-tone={toneOf(message)}
      data-again={again > 0 || repeats !== null || undefined}
      onFocus={onFocus}
      onClick={onClick}
    >
      <span className="ladder-time">{sinceText(message.at, begun)}</span>
      <span className="ladder-lanes">
        <span
          className="ladder-arrow"
          data-way={source === destination ? 'self' : source < destination ? 'right' : 'left'}
          // a lane is two grid columns with its line in the middle
          style={{ gridColumn: `${2 * from + 2} / ${from === to ? 2 * to + 3 : 2 * to + 2}` }}
        >
          <span className="ladder-label">
            {label}
            {marks.map((mark) => (
              <span key={mark} className="ladder-mark">
                {' · '}
                {mark}
              </span>
            ))}
          </span>
        </span>
      </span>
      <span className="ladder-way">
        <span aria-hidden>
          {names[source]} → {names[destination]}
        </span>
        <span className="visually-hidden">
          {t('from {from} to {to}', { from: names[source], to: names[destination] })}
        </span>
      </span>
    </button>
  )
}
