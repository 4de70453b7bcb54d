import { plural, t } from '@switchroom/contract'
import { useCallback, useId, useMemo, useRef, useState } from 'react'
import { usePlayed } from '../player/use-played'
import { isRecording, spansOf } from '../timeline/align'
import { ZoomButtons } from '../zoom-buttons'
import { Facts } from './facts'
import { SpanRow } from './span-row'
import { durationOf, rowsOf, type SpanTree } from './spans'
import sheet from './tracing.css?url'
import { useKeys } from './use-keys'
import { useViewport } from './use-viewport'
import { useView } from './view'

export const ROW_HEIGHT = 28
/** Rows rendered beyond the visible ones, so that scrolling shows no gaps. */
const OVERSCAN = 8

/** When the recording begins, in milliseconds since the trace did; undefined if it does not show that. */
const recordingIn = ({ roots }: SpanTree) =>
  [...spansOf(roots)]
    .filter(isRecording)
    .map(({ start }) => start / 1e6)
    .sort((a, b) => a - b)[0]

/** The spans of a trace as a tree with a time axis. Only visible rows are rendered. */
export function Waterfall({ tree, cut }: { tree: SpanTree; cut: boolean }) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set())
  const [active, setActive] = useState(tree.roots[0]!.id)
  const { view, zoom, move, show, fit } = useView()
  const viewport = useViewport(box, { view, zoom, move })
  const rows = useMemo(() => rowsOf(tree.roots, collapsed), [tree, collapsed])
  const at = Math.max(
    0,
    rows.findIndex(({ span }) => span.id === active),
  )
  const { span } = rows[at]!
  const whole = Math.max(1, tree.length)
  const recording = useMemo(() => recordingIn(tree), [tree])
  const { from, to } = view
  const showPlayed = useCallback(
    (now: number | undefined) => {
      const place = now === undefined ? -1 : ((now * 1e6) / whole - from) / (to - from)
      const element = box.current
      element?.toggleAttribute('data-played', place >= 0 && place <= 1)
      element?.style.setProperty('--played', String(place))
    },
    [whole, from, to],
  )
  usePlayed(recording, showPlayed)

  const toggle = (span_id: string, open: boolean) =>
    setCollapsed((before) => {
      const next = new Set(before)
      if (open) next.delete(span_id)
      else next.add(span_id)
      return next
    })
  const select = (index: number) => {
    const row = rows[Math.min(rows.length - 1, Math.max(0, index))]!
    setActive(row.span.id)
    const top = rows.indexOf(row) * ROW_HEIGHT
    const element = box.current
    if (!element) return
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + ROW_HEIGHT > element.scrollTop + element.clientHeight)
      element.scrollTop = top + ROW_HEIGHT - element.clientHeight
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

  const first = Math.max(0, Math.floor(viewport.top / ROW_HEIGHT) - OVERSCAN)
  const rendered = rows.slice(
    first,
    Math.ceil((viewport.top + viewport.height) / ROW_HEIGHT) + OVERSCAN,
  )
  const timeAt = (share: number) => durationOf(share * whole)
  return (
    <div className="tracing">
      <link rel="stylesheet" href={sheet} precedence="page" />
      <div className="tracing-tools">
        <p>
          {plural(tree.count, '1 span in {duration}|{n} spans in {duration}', {
            duration: durationOf(tree.length),
          })}
        </p>
        <ZoomButtons
          whole={t('Show the whole trace')}
          zoom={(factor) => zoom(factor, middle)}
          fit={fit}
        />
        {view.to - view.from < 1 && (
          <label className="tracing-place">
            <span className="visually-hidden">{t('Position in the trace')}</span>
            <input
              type="range"
              min={0}
              max={1}
              step="any"
              value={view.from / Math.max(1e-9, 1 - (view.to - view.from))}
              aria-valuetext={t('{from} to {to}', {
                from: timeAt(view.from),
                to: timeAt(view.to),
              })}
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
          {t('This trace has more spans than this page can show.')}
        </p>
      )}
      <div className="span-row span-scale" aria-hidden>
        <span className="span-name">{t('Span')}</span>
        <span className="span-time">
          <span>{timeAt(view.from)}</span>
          <span>{timeAt((view.from + view.to) / 2)}</span>
          <span>{timeAt(view.to)}</span>
        </span>
      </div>
      <div
        ref={box}
        className="span-rows"
        role="tree"
        aria-label={t('Spans')}
        aria-activedescendant={`${id}-${span.id}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <div role="presentation" style={{ height: first * ROW_HEIGHT }} />
        {rendered.map((row) => (
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
          style={{ height: Math.max(0, rows.length - first - rendered.length) * ROW_HEIGHT }}
        />
      </div>
      <Facts span={span} />
    </div>
  )
}
