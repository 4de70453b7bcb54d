import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { IconButton } from '../../../ui/button'
import { Facts } from './facts'
import { SpanRow } from './span-row'
import { durationOf, rowsOf, type SpanTree } from './spans'
import { useKeys } from './use-keys'
import { useView } from './view'
import './tracing.css'

export const ROW_HEIGHT = 28
/** Rows rendered beyond the visible ones, so that scrolling shows no gaps. */
const SPARE = 8

/** The spans of a trace as a tree with a time axis. Only visible rows are rendered. */
export function Waterfall({ tree, cut }: { tree: SpanTree; cut: boolean }) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [shut, setShut] = useState<ReadonlySet<string>>(new Set())
  const [active, setActive] = useState(tree.roots[0]!.id)
  const [seen, setSeen] = useState({ top: 0, height: 600 })
  const { view, zoom, move, show, fit } = useView()
  const rows = useMemo(() => rowsOf(tree.roots, shut), [tree, shut])
  const at = Math.max(
    0,
    rows.findIndex(({ span }) => span.id === active),
  )
  const { span } = rows[at]!
  const whole = Math.max(1, tree.length)

  const toggle = (of: string, open: boolean) =>
    setShut((now) => {
      const next = new Set(now)
      if (open) next.delete(of)
      else next.add(of)
      return next
    })
  const select = (index: number) => {
    const row = rows[Math.min(rows.length - 1, Math.max(0, index))]!
    setActive(row.span.id)
    const top = rows.indexOf(row) * ROW_HEIGHT
    const now = box.current
    if (!now) return
    if (top < now.scrollTop) now.scrollTop = top
    else if (top + ROW_HEIGHT > now.scrollTop + now.clientHeight)
      now.scrollTop = top + ROW_HEIGHT - now.clientHeight
  }
  const middle = (span.start + span.duration / 2) / whole
  const onKeyDown = useKeys({
    rows,
    at,
    select,
    toggle,
    zoom: (by) => zoom(by, middle),
    move,
    fit,
  })

  useEffect(() => {
    const now = box.current
    if (!now) return
    const look = () => setSeen({ top: now.scrollTop, height: now.clientHeight })
    // not passive, since it must keep the page from zooming
    const onWheel = (e: WheelEvent) => {
      if (e.ctrlKey) {
        e.preventDefault()
        const { left, width } = now.querySelector('.span-time')!.getBoundingClientRect()
        const share = Math.min(1, Math.max(0, (e.clientX - left) / width))
        const { from, to } = viewNow.current
        zoom(Math.exp(-e.deltaY / 300), from + share * (to - from))
      } else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
        e.preventDefault()
        move((e.deltaX || e.deltaY) / 1_000)
      }
    }
    look()
    now.addEventListener('scroll', look, { passive: true })
    now.addEventListener('wheel', onWheel, { passive: false })
    const resized = new ResizeObserver(look)
    resized.observe(now)
    return () => {
      now.removeEventListener('scroll', look)
      now.removeEventListener('wheel', onWheel)
      resized.disconnect()
    }
  }, [zoom, move])
  const viewNow = useRef(view)
  viewNow.current = view

  const first = Math.max(0, Math.floor(seen.top / ROW_HEIGHT) - SPARE)
  const drawn = rows.slice(first, Math.ceil((seen.top + seen.height) / ROW_HEIGHT) + SPARE)
  const part = (share: number) => durationOf(share * whole)
  return (
    <div className="tracing">
      <div className="tracing-tools">
        <p>
          {tree.count} {tree.count === 1 ? 'span' : 'spans'} in {durationOf(tree.length)}
        </p>
        <IconButton label="Zoom in" onClick={() => zoom(2, middle)}>
          <ZoomIn />
        </IconButton>
        <IconButton label="Zoom out" onClick={() => zoom(0.5, middle)}>
          <ZoomOut />
        </IconButton>
        <IconButton label="Show the whole trace" onClick={fit}>
          <Maximize2 />
        </IconButton>
        {view.to - view.from < 1 && (
          <label className="tracing-place">
            <span className="visually-hidden">Position in the trace</span>
            <input
              type="range"
              min={0}
              max={1}
              step="any"
              value={view.from / Math.max(1e-9, 1 - (view.to - view.from))}
              aria-valuetext={`${part(view.from)} to ${part(view.to)}`}
              onChange={(e) => {
                const width = view.to - view.from
                const from = Number(e.target.value) * (1 - width)
                show({ from, to: from + width })
              }}
            />
          </label>
        )}
      </div>
      {cut && (
        <p role="note" className="call-cut">
          This trace has more spans than this page can show.
        </p>
      )}
      <div className="span-row span-scale" aria-hidden>
        <span className="span-name">Span</span>
        <span className="span-time">
          <span>{part(view.from)}</span>
          <span>{part((view.from + view.to) / 2)}</span>
          <span>{part(view.to)}</span>
        </span>
      </div>
      <div
        ref={box}
        className="span-rows"
        role="tree"
        aria-label="Spans"
        aria-activedescendant={`${id}-${span.id}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <div role="presentation" style={{ height: first * ROW_HEIGHT }} />
        {drawn.map((row) => (
          <SpanRow
            key={row.span.id}
            id={`${id}-${row.span.id}`}
            row={row}
            view={view}
            whole={whole}
            selected={row.span === span}
            onSelect={() => setActive(row.span.id)}
            onToggle={() => toggle(row.span.id, !row.open)}
          />
        ))}
        <div
          role="presentation"
          style={{ height: Math.max(0, rows.length - first - drawn.length) * ROW_HEIGHT }}
        />
      </div>
      <Facts span={span} />
    </div>
  )
}
