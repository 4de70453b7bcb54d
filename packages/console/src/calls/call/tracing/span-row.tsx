import { ChevronDown, ChevronRight } from 'lucide-react'
import { durationOf, kindOf, type Row } from './spans'
import type { View } from './view'

/** Deeper levels are not indented further, to leave room for the name. */
const MAX_INDENT = 12

/** Beside the bar where there is more room, or inside a bar that leaves none. */
function labelPosition(left: number, right: number) {
  if (left < ROOM && right > 1 - ROOM)
    return { 'data-place': 'within', style: { left: `${((left + right) / 2) * 100}%` } }
  return left + right > 1
    ? { style: { right: `calc(${(1 - left) * 100}% + 6px)` } }
    : { style: { left: `calc(max(${right * 100}%, ${left * 100}% + 6px) + 6px)` } }
}
/** Share of the width to leave for the duration. */
const ROOM = 0.3

/** A span: its name in the tree and its bar on the time axis. */
export function SpanRow({
  id,
  row: { span, level, place, of, open },
  view,
  whole,
  selected,
  onSelect,
  onToggle,
}: {
  id: string
  row: Row
  view: View
  whole: number
  selected: boolean
  onSelect: () => void
  onToggle: () => void
}) {
  const width = view.to - view.from
  const from = (span.start / whole - view.from) / width
  const to = ((span.start + span.duration) / whole - view.from) / width
  const left = Math.min(1, Math.max(0, from))
  const right = Math.min(1, Math.max(left, to))
  const isSeen = to >= 0 && from <= 1
  const took = durationOf(span.duration)
  const isParent = span.children.length > 0
  const Arrow = open ? ChevronDown : ChevronRight
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names its active item
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys
    <div
      id={id}
      className="span-row"
      role="treeitem"
      aria-level={level}
      aria-posinset={place}
      aria-setsize={of}
      aria-expanded={isParent ? open : undefined}
      aria-selected={selected}
      onClick={onSelect}
    >
      <span className="span-name" title={span.name}>
        <span style={{ width: Math.min(level - 1, MAX_INDENT) * 14 }} className="span-indent" />
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above, with the arrow keys */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a part of its item */}
        <span
          className="span-arrow"
          onClick={(e) => {
            e.stopPropagation()
            if (isParent) onToggle()
          }}
        >
          {isParent && <Arrow aria-hidden />}
        </span>
        <span className="span-words">{span.name}</span>
      </span>
      <span className="span-time">
        {isSeen && (
          <span
            className="span-bar"
            data-kind={kindOf(span.name)}
            style={{ left: `${left * 100}%`, width: `${(right - left) * 100}%` }}
          />
        )}
        <span className="span-took" {...labelPosition(left, right)}>
          {took}
        </span>
      </span>
    </div>
  )
}
