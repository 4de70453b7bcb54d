import './line.css'

const HEIGHT = 100

/**
 * A line through values at equal distances, from 0 to `max`, with gaps for null. It fills its box, has no text, and is
 * hidden from screen readers: whatever shows it says its values.
 */
export function Line({ values, max }: { values: readonly (number | null)[]; max: number }) {
  return (
    <svg
      className="line"
      viewBox={`0 0 ${Math.max(values.length - 1, 1)} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      <path d={pathOf(values, max)} />
    </svg>
  )
}

function pathOf(values: readonly (number | null)[], max: number) {
  let isDrawn = false
  let path = ''
  for (const [x, value] of values.entries()) {
    if (value !== null) {
      const y = Math.round((1 - Math.min(value / (max || 1), 1)) * HEIGHT)
      // a value between gaps is a dot, drawn by the line's round ends
      path += isDrawn ? `L${x} ${y}` : `M${x} ${y}h0`
    }
    isDrawn = value !== null
  }
  return path
}
