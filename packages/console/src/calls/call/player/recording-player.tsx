import { type Call, t } from '@switchroom/contract'
import { Download, Pause, Play, RotateCcw, RotateCw, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { mayWrite } from '../../../lib/access'
import { config } from '../../../lib/config'
import { DeleteDialog } from '../../../lib/delete-dialog'
import { recordings } from '../../../lib/endpoints'
import { IconButton } from '../../../ui/button'
import { Notice } from '../../../ui/notice'
import { Switch } from '../../../ui/toggle'
import { isTraced } from '../../call-text'
import type { Address } from './address'
import { nameOf } from './file-name'
import { Latencies } from './latencies'
import { LONGEST_DRAWN, type Peaks, peaksOf } from './peaks'
import { usePublish } from './playback-store'
import { clock, jumpTarget, usePlayback } from './use-playback'
import { Waveform } from './waveform'

type LoadedAudio = { sound: Blob; url: string }
const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2]

/** The waveform's peaks once decoded; `problem` says why there are none. */
function usePeaks(sound: Blob, length: number) {
  const [peaks, setPeaks] = useState<readonly [Peaks, Peaks]>()
  const [problem, setProblem] = useState<string>()
  const isTooLong = length > LONGEST_DRAWN
  const isDrawn = length > 0 && !isTooLong
  useEffect(() => {
    if (!isDrawn) return
    let unmounted = false
    peaksOf(sound)
      .then((decoded) => !unmounted && setPeaks(decoded))
      .catch(() => !unmounted && setProblem(t('This browser cannot show the waveform.')))
    return () => {
      unmounted = true
    }
  }, [sound, isDrawn])
  return {
    peaks,
    problem: isTooLong ? t('The recording is too long to show a waveform.') : problem,
  }
}

export function RecordingPlayer({
  call,
  params,
  sound,
  url,
  onDeleted,
}: LoadedAudio & {
  call: Call
  params: Extract<Address, { params: unknown }>['params']
  onDeleted: () => void
}) {
  const audio = useRef<HTMLAudioElement>(null)
  const { isPlaying, at, length, broken } = usePlayback(audio)
  const { peaks, problem } = usePeaks(sound, length)
  const [speed, setSpeed] = useState(1)
  const [showsLatencies, setShowsLatencies] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const seek = (to: number) => {
    if (audio.current) audio.current.currentTime = Math.min(length, Math.max(0, to))
  }
  const play = () => {
    audio.current?.play().catch(() => undefined) // its error event says so
  }
  usePublish({ status: 'ready', peaks, at, length, isPlaying, seek, play })
  const jump = (by: 1 | -1) => seek(jumpTarget(at, by, length))
  const toggle = () => {
    if (audio.current?.paused) play()
    else audio.current?.pause()
  }
  const name = nameOf(params.call_sid, sound)
  const hasTrace = isTraced(call) && !config.DISABLE_JAEGER_TRACING

  const wave = (
    regions?: Parameters<typeof Waveform>[0]['regions'],
    open?: Parameters<typeof Waveform>[0]['onRegion'],
  ) =>
    peaks && (
      <Waveform {...{ peaks, at, length, seek, isPlaying }} regions={regions} onRegion={open} />
    )

  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: what was said is in the conversation, not in tracks */}
      <audio ref={audio} src={url} preload="auto" />
      {broken && <Notice tone="bad">{t('This browser cannot play the recording.')}</Notice>}
      <div className="player-controls">
        <IconButton label={t('Jump left')} onClick={() => jump(-1)}>
          <RotateCcw />
        </IconButton>
        <IconButton label={isPlaying ? t('Pause') : t('Play')} onClick={toggle}>
          {isPlaying ? <Pause /> : <Play />}
        </IconButton>
        <IconButton label={t('Jump right')} onClick={() => jump(1)}>
          <RotateCw />
        </IconButton>
        <span className="player-time">
          {clock(at)} / {clock(length)}
        </span>
        <input
          type="range"
          aria-label={t('Playback position')}
          aria-valuetext={t('{time} of {length}', { time: clock(at), length: clock(length) })}
          min={0}
          max={Math.max(0.01, length)}
          step={0.01}
          value={at}
          onChange={(e) => seek(Number(e.target.value))}
          onKeyDown={(e) => {
            const by = KEYS[e.key]
            if (by === undefined) return
            e.preventDefault()
            seek(at + by)
          }}
        />
        <select
          className="input player-speed"
          aria-label={t('Speed')}
          value={speed}
          onChange={(e) => {
            const next = Number(e.target.value)
            setSpeed(next)
            if (audio.current) audio.current.playbackRate = next
          }}
        >
          {SPEEDS.map((s) => (
            <option key={s} value={s}>{`${s}×`}</option>
          ))}
        </select>
        <a
          className="icon-button"
          href={url}
          download={name}
          aria-label={t('Download record file')}
          title={t('Download record file')}
        >
          <Download aria-hidden />
        </a>
        {mayWrite() && (
          <IconButton label={t('Delete record file')} onClick={() => setDeleting(true)}>
            <Trash2 />
          </IconButton>
        )}
      </div>
      {problem && <p className="player-note">{problem}</p>}
      {hasTrace && (
        <Switch label={t('Show latencies')} value={showsLatencies} onChange={setShowsLatencies} />
      )}
      {hasTrace && showsLatencies && call.account_sid && call.trace_id ? (
        <Latencies
          account_sid={call.account_sid}
          trace_id={call.trace_id}
          peaks={peaks}
          length={length}
          seek={seek}
          wave={wave}
        />
      ) : (
        wave()
      )}
      {deleting && (
        <DeleteDialog
          endpoint={recordings.removeOfAccount}
          sent={{ params }}
          title={t('Delete recording')}
          question={t('Are you sure you want to delete the record for call {call_sid}?', {
            call_sid: params.call_sid,
          })}
          done={t('Successfully deleted record')}
          onClose={() => setDeleting(false)}
          onDeleted={onDeleted}
        />
      )}
    </>
  )
}

/** Seconds that each key moves the slider. */
const KEYS: Record<string, number> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -15,
  PageUp: 15,
}
