import { t } from '@switchroom/contract'
import { useMemo } from 'react'
import { enlargement, outline, type Peaks } from '../player/peaks'
import type { Range } from './track'

const SIDES = [t('Waveform of the first channel'), t('Waveform of the second channel')]

/** The part of the recording in view, in its place on the axis. */
export function Sound({
  peaks,
  start,
  length,
  range: { from, to },
  width,
}: {
  peaks: readonly [Peaks, Peaks]
  /** Start of the recording in milliseconds since 1970. */
  start: number
  /** Length of the recording in seconds. */
  length: number
  range: Range
  /** Width of the track in pixels. */
  width: number
}) {
  const larger = useMemo(() => enlargement(peaks), [peaks])
  const seconds = {
    from: Math.max(0, (from - start) / 1_000),
    to: Math.min(length, (to - start) / 1_000),
  }
  const share = (s: number) => (start + s * 1_000 - from) / (to - from)
  const left = share(seconds.from)
  const wide = share(seconds.to) - left
  const columns = Math.max(1, Math.round(width * wide))
  const paths = useMemo(
    () =>
      peaks.map((side) => outline(side, { from: seconds.from, to: seconds.to }, columns, larger)),
    [peaks, seconds.from, seconds.to, columns, larger],
  )
  return (
    <div className="timeline-track timeline-sound" data-track>
      {wide > 0 &&
        paths.map((path, channel) => (
          <svg
            key={SIDES[channel]}
            className="wave-side"
            role="img"
            aria-label={SIDES[channel]}
            viewBox={`0 0 ${columns} 100`}
            preserveAspectRatio="none"
            style={{ marginLeft: `${left * 100}%`, width: `${wide * 100}%` }}
          >
            <path d={path} />
          </svg>
        ))}
    </div>
  )
}
