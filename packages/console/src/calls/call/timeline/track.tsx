import { type KeyboardEvent, memo, useMemo, useState } from 'react'
import { rich } from '../../../ui/rich'
import { sinceText } from '../sip/ladder-text'
import { type Item, type Lane, nearestTo } from './lanes'

export type Range = { from: number; to: number }

/** Most items drawn in a lane; more would overlap. */
const SHOWN = 400
const ROW = 20

/** The part of a lane in view. It has the focus and names its active item, so that a lane is one tab stop. */
export const Track = memo(function Track({
  lane,
  range: { from, to },
  begun,
  id,
  selected,
  cursorAt,
  onActive,
  onSelect,
  onLane,
}: {
  lane: Lane
  range: Range
  begun: number
  id: string
  selected: string | undefined
  cursorAt: () => number
  onActive: (item: Item) => void
  onSelect: (item: Item) => void
  /** To the lane above or below. */
  onLane: (id: string, by: 1 | -1) => void
}) {
  const [active, setActive] = useState<Item>()
  const seen = useMemo(
    () => lane.items.filter((item) => item.end >= from && item.start <= to),
    [lane, from, to],
  )
  const shown = seen.slice(0, SHOWN)
  if (active && seen.includes(active) && !shown.includes(active)) shown.push(active)
  const share = (at: number) => Math.min(1, Math.max(0, (at - from) / (to - from)))
  const activate = (item: Item | undefined) => {
    if (!item) return
    setActive(item)
    onActive(item)
  }
  const step = (by: number) => {
    const at = active ? lane.items.indexOf(active) : -1
    activate(lane.items[Math.min(lane.items.length - 1, Math.max(0, at + by))])
  }
  const keys: Record<string, () => void> = {
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    Home: () => step(-lane.items.length),
    End: () => step(lane.items.length),
    ArrowUp: () => onLane(id, -1),
    ArrowDown: () => onLane(id, 1),
    Enter: () => active && onSelect(active),
    ' ': () => active && onSelect(active),
  }
  const onKeyDown = (e: KeyboardEvent) => {
    const act = keys[e.key]
    if (!act || e.ctrlKey || e.metaKey || e.altKey) return
    e.preventDefault()
    act()
  }
  const textOf = (item: Item) => `${item.label}, ${sinceText(item.start * 1_000, begun * 1_000)}`
  return (
    <>
      <div
        id={id}
        className="timeline-track"
        data-track
        style={{ height: lane.rows * ROW + 8 }}
        role="listbox"
        tabIndex={0}
        aria-label={lane.name}
        aria-activedescendant={active && shown.includes(active) ? `${id}-${active.id}` : undefined}
        onKeyDown={onKeyDown}
        onFocus={(e) => {
          if (e.currentTarget.matches(':focus-visible')) activate(nearestTo(lane.items, cursorAt()))
        }}
      >
        {shown.map((item) => {
          const left = share(item.start)
          return (
            // biome-ignore lint/a11y/useFocusableInteractive: the lane has the focus and names its active item
            // biome-ignore lint/a11y/useKeyWithClickEvents: the lane takes the keys
            <div
              key={item.id}
              id={`${id}-${item.id}`}
              role="option"
              className={item.mark ? 'timeline-message' : 'timeline-span'}
              data-tone={item.mark?.tone}
              data-active={item === active || undefined}
              aria-selected={item.id === selected}
              aria-label={textOf(item)}
              title={textOf(item)}
              style={{
                left: `${left * 100}%`,
                top: item.row * ROW + 4,
                ...(!item.mark && { width: `${(share(item.end) - left) * 100}%` }),
              }}
              onClick={(e) => {
                e.stopPropagation()
                activate(item)
                onSelect(item)
              }}
            >
              <span aria-hidden>{item.mark ? (item.mark.toRight ? '▸' : '◂') : item.label}</span>
            </div>
          )
        })}
      </div>
      {seen.length > SHOWN && (
        <p className="timeline-note">
          {rich('The first {SHOWN} of {seen} are shown. Zoom in to see the others.', {
            SHOWN,
            seen: seen.length,
          })}
        </p>
      )}
    </>
  )
})
