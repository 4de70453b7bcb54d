import { t } from '@switchroom/contract'
import { X } from 'lucide-react'
import {
  type CSSProperties,
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { IconButton } from '../../../ui/button'
import { fineTimeText } from '../../../ui/dates'
import { rich } from '../../../ui/rich'
import { CursorContext } from '../cursor'
import { usePlaying } from '../player/playback-store'
import { partyText, sinceText } from '../sip/ladder-text'
import { Message } from '../sip/message'
import { Facts } from '../tracing/facts'
import { durationOf } from '../tracing/spans'
import { useView } from '../tracing/view'
import type { useCapture } from '../use-capture'
import { ZoomButtons } from '../zoom-buttons'
import type { align } from './align'
import type { Item, lanesOf } from './lanes'
import { Sound } from './sound'
import { Track } from './track'
import { useTrackEvents } from './use-track-events'

export function Axis({
  extent,
  lanes,
  ladder,
  alignment,
  isShown,
}: {
  extent: { start: number; end: number }
  lanes: ReturnType<typeof lanesOf>
  ladder: ReturnType<typeof useCapture>['data']
  alignment: ReturnType<typeof align>
  isShown: boolean
}) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const playing = usePlaying()
  const ready = playing?.status === 'ready' ? playing : undefined
  const { view, zoom, move, fit } = useView()
  const { get, set, subscribe } = useContext(CursorContext)
  const { shift } = alignment
  const shared = useSyncExternalStore(subscribe, get)
  const cursor =
    shared === undefined
      ? extent.start
      : Math.min(extent.end, Math.max(extent.start, shared + shift))
  const setCursor = useCallback((to: number) => set(to - shift), [set, shift])
  const [selected, setSelected] = useState<Item>()
  const [width, setWidth] = useState(0)
  const whole = extent.end - extent.start
  const range = useMemo(
    () => ({ from: extent.start + view.from * whole, to: extent.start + view.to * whole }),
    [extent.start, whole, view],
  )
  const shareOf = (at: number) => (at - extent.start) / whole
  const begins = alignment.recording

  // the playing position is the cursor
  const at = ready?.at ?? 0
  const isPlaying = ready?.isPlaying === true
  useEffect(() => {
    if (begins !== undefined && at > 0) setCursor(begins + at * 1_000)
  }, [begins, at, setCursor])
  // while it plays, and as the axis is shown again
  const wasShown = useRef(isShown)
  useEffect(() => {
    const comesBack = isShown && !wasShown.current
    wasShown.current = isShown
    if (!isPlaying && !comesBack) return
    if (cursor >= range.from && cursor <= range.to) return
    move((cursor - range.from) / (range.to - range.from))
  }, [isPlaying, isShown, cursor, range, move])

  useEffect(() => {
    const track = box.current
    if (!track) return
    const resized = new ResizeObserver(() => setWidth(trackOf(track)?.clientWidth ?? 0))
    resized.observe(track)
    return () => resized.disconnect()
  }, [])

  const seek = (to: number) => {
    setCursor(to)
    if (ready && begins !== undefined) ready.seek((to - begins) / 1_000)
  }
  const onPoint = (to: number, isClick: boolean) => {
    if (isClick) seek(to)
    else if (!isPlaying) setCursor(to)
  }
  useTrackEvents(box, { range, zoom, move, around: shareOf, onPoint })

  const latest = useRef({ cursor, range })
  useLayoutEffect(() => {
    latest.current = { cursor, range }
  })
  const cursorAt = useCallback(() => latest.current.cursor, [])
  const onActive = useCallback(
    ({ start, end }: Item) => {
      const { from, to } = latest.current.range
      if (end < from || start > to) move((start - from) / (to - from) - 0.5)
      setCursor(start)
    },
    [move, setCursor],
  )
  const onLane = useCallback((id: string, by: 1 | -1) => {
    const tracks = [...(box.current?.querySelectorAll<HTMLElement>('[role="listbox"]') ?? [])]
    tracks[tracks.findIndex((track) => track.id === id) + by]?.focus()
  }, [])

  const middle = shareOf(cursor)
  const place = (cursor - range.from) / (range.to - range.from)
  const since = sinceText(cursor * 1_000, extent.start * 1_000)
  return (
    <div className="timeline-axis">
      <div className="timeline-main">
        <div className="timeline-tools">
          <output>
            {since} · {fineTimeText(cursor).split(', ').at(-1)}
          </output>
          <span className="timeline-note">
            {rich('{duration} in all', { duration: durationOf(whole * 1e6) })}
          </span>
          <ZoomButtons
            whole={t('Show the whole call')}
            zoom={(factor) => zoom(factor, middle)}
            fit={fit}
          />
        </div>
        <div ref={box} className="timeline-lanes">
          <div className="timeline-lane timeline-scrub">
            <span className="timeline-name" />
            <span>
              <input
                type="range"
                aria-label={t('Time cursor')}
                aria-valuetext={since}
                min={range.from}
                max={range.to}
                step={(range.to - range.from) / 200}
                value={Math.min(range.to, Math.max(range.from, cursor))}
                onChange={(e) => seek(Number(e.target.value))}
              />
              <span className="timeline-scale" aria-hidden>
                {[range.from, (range.from + range.to) / 2, range.to].map((t, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: start, middle and end
                  <span key={i}>{sinceText(t * 1_000, extent.start * 1_000)}</span>
                ))}
              </span>
            </span>
          </div>
          {lanes.map((lane) => (
            <div key={lane.id} className="timeline-lane" data-lane={lane.id}>
              <span className="timeline-name">
                <span className="timeline-swatch" aria-hidden />
                {lane.name}
              </span>
              <Track
                id={`${id}-${lane.id}`}
                lane={lane}
                range={range}
                begun={extent.start}
                selected={selected?.id}
                cursorAt={cursorAt}
                onActive={onActive}
                onSelect={setSelected}
                onLane={onLane}
              />
            </div>
          ))}
          {ready?.peaks && begins !== undefined && (
            <div className="timeline-lane">
              <span className="timeline-name">{t('Sound')}</span>
              <Sound
                peaks={ready.peaks}
                start={begins}
                length={ready.length}
                range={range}
                width={width}
              />
            </div>
          )}
          {place >= 0 && place <= 1 && (
            // React's types do not include custom properties
            <div className="timeline-cursor" style={{ '--place': place } as CSSProperties} />
          )}
        </div>
        {view.to - view.from < 1 && (
          <label className="tracing-place">
            <span className="visually-hidden">{t('Position in the call')}</span>
            <input
              type="range"
              min={0}
              max={1 - (view.to - view.from)}
              step="any"
              value={view.from}
              aria-valuetext={sinceText(range.from * 1_000, extent.start * 1_000)}
              onChange={(e) => move((Number(e.target.value) - view.from) / (view.to - view.from))}
            />
          </label>
        )}
      </div>
      {selected && (
        <div className="timeline-details">
          <IconButton
            label={t('Close details')}
            className="timeline-close"
            onClick={() => setSelected(undefined)}
          >
            <X />
          </IconButton>
          {selected.message && ladder && (
            <>
              <h3 id={`${id}-title`}>{selected.label}</h3>
              <Message
                message={selected.message}
                names={ladder.parties.map(partyText)}
                call_id={ladder.legs[selected.message.leg]!.call_id}
                labelledBy={`${id}-title`}
              />
            </>
          )}
          {selected.span && <Facts span={selected.span} />}
        </div>
      )}
    </div>
  )
}

const trackOf = (box: HTMLElement) => box.querySelector('.timeline-scale')
