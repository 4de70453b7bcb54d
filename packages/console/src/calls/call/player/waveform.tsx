import { t } from '@switchroom/contract'
import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { IconButton } from '../../../ui/button'
import { useView } from '../tracing/view'
import { enlargement, outline, type Peaks } from './peaks'
import { labelsThatFit, type Region } from './regions'
import { clock } from './use-playback'

/**
 * Waveforms of both sides of the call with regions from the trace. Everything works without a pointer too: the
 * slider sets the position, and the regions are also a list.
 */
export function Waveform({
  peaks,
  at,
  length,
  isPlaying,
  seek,
  regions = [],
  onRegion,
}: {
  peaks: readonly [Peaks, Peaks]
  at: number
  length: number
  isPlaying: boolean
  seek: (to: number) => void
  regions?: readonly Region[] | undefined
  onRegion?: ((region: Region) => void) | undefined
}) {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const { view, zoom, move, fit } = useView()
  useEffect(() => {
    const now = box.current
    if (!now) return
    const resized = new ResizeObserver(() => setWidth(Math.round(now.clientWidth)))
    resized.observe(now)
    return () => resized.disconnect()
  }, [])

  const from = view.from * length
  const to = view.to * length
  const whole = to - from || 1
  const larger = useMemo(() => enlargement(peaks), [peaks])
  const paths = useMemo(
    () => (width > 0 ? peaks.map((side) => outline(side, { from, to }, width, larger)) : []),
    [peaks, from, to, width, larger],
  )
  // keeps the playing position in view
  useEffect(() => {
    if (!isPlaying || (at >= from && at <= to)) return
    move((at - from) / whole)
  }, [isPlaying, at, from, to, whole, move])

  const share = (seconds: number) => ((seconds - from) / whole) * 100
  const seen = regions.filter((region) => region.end > from && region.start < to)
  const labels = labelsThatFit(seen, (seconds) => (share(seconds) / 100) * width)
  return (
    <div className="wave">
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the slider above is the same for keys */}
      <div
        ref={box}
        className="wave-box"
        onClick={(e) => {
          const { left, width: wide } = e.currentTarget.getBoundingClientRect()
          seek(from + ((e.clientX - left) / wide) * whole)
        }}
      >
        {paths.map((path, channel) => (
          <svg
            // biome-ignore lint/suspicious/noArrayIndexKey: two sides, always in this order
            key={channel}
            className="wave-side"
            role="img"
            aria-label={
              channel === 0
                ? t('Waveform of the first channel')
                : t('Waveform of the second channel')
            }
            viewBox={`0 0 ${width} 100`}
            preserveAspectRatio="none"
          >
            <path d={path} />
          </svg>
        ))}
        <div
          className="wave-played"
          style={{ width: `${Math.min(100, Math.max(0, share(at)))}%` }}
        />
        {seen.map((region) => (
          <div
            key={region.id}
            className={`region region-${region.kind} region-side-${region.channel}`}
            style={{
              left: `${Math.max(0, share(region.start))}%`,
              width: `${Math.min(100, share(region.end)) - Math.max(0, share(region.start))}%`,
            }}
            onClick={(e) => {
              if (!region.details) return
              e.stopPropagation()
              onRegion?.(region)
            }}
            aria-hidden
          >
            {labels.has(region.id) && <span>{region.text}</span>}
          </div>
        ))}
      </div>
      <div className="wave-tools">
        <span>{clock(from)}</span>
        <IconButton label={t('Zoom in')} onClick={() => zoom(2, at / (length || 1))}>
          <ZoomIn />
        </IconButton>
        <IconButton label={t('Zoom out')} onClick={() => zoom(0.5, at / (length || 1))}>
          <ZoomOut />
        </IconButton>
        <IconButton label={t('Show all')} onClick={fit}>
          <Maximize2 />
        </IconButton>
        {view.to - view.from < 1 && (
          <input
            type="range"
            aria-label={t('Visible part of the recording')}
            aria-valuetext={t('{from} to {to}', { from: clock(from), to: clock(to) })}
            min={0}
            max={1 - (view.to - view.from)}
            step="any"
            value={view.from}
            onChange={(e) => move((Number(e.target.value) - view.from) / (view.to - view.from))}
          />
        )}
        <span className="wave-end">{clock(to)}</span>
      </div>
    </div>
  )
}
