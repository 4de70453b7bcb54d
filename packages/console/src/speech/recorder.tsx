import { decimalText, t } from '@switchroom/contract'
import { Mic, Square } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { mayWrite } from '../lib/access'
import { messageOf } from '../lib/failure'
import { useCapabilities } from '../lib/use-capabilities'
import { Button } from '../ui/button'
import { FileField } from '../ui/file-field'
import { Notice } from '../ui/notice'
import { rich } from '../ui/rich'
import {
  RECORDING_SECONDS,
  type Recorded,
  RecordingError,
  type Running,
  recordingOf,
  startRecording,
} from './recording'
import { recognize, type SpeechOwner } from './speech-trials'
import { base64Of } from './wav'
import './live-tests.css'

const problemText = (error: unknown) =>
  error instanceof RecordingError ? error.message : messageOf(error)

type ReadyRecording = Recorded & { url: string; name: string }

/** Records audio or takes a file, ready to be sent. */
function useRecording() {
  const [running, setRunning] = useState<Running>()
  const [starting, setStarting] = useState(false)
  const [ready, setReady] = useState<ReadyRecording>()
  const [problem, setProblem] = useState<string>()
  const unmounted = useRef(false)
  const open = useRef<{ running?: Running; url?: string }>({})
  useEffect(() => {
    unmounted.current = false
    return () => {
      unmounted.current = true
      open.current.running?.stop()
      if (open.current.url) URL.revokeObjectURL(open.current.url)
    }
  }, [])
  const replace = (next: ReadyRecording | undefined) => {
    if (open.current.url) URL.revokeObjectURL(open.current.url)
    open.current.url = next?.url
    setReady(next)
  }
  const take = async (name: string, blob: Blob) => {
    const made = await recordingOf(blob)
    if (unmounted.current) return
    const url = URL.createObjectURL(new Blob([made.wav], { type: 'audio/wav' }))
    replace({ ...made, name, url })
  }
  const trying = async (what: () => Promise<void>) => {
    setProblem(undefined)
    replace(undefined)
    try {
      await what()
    } catch (error) {
      setProblem(problemText(error))
    }
  }
  const record = () =>
    trying(async () => {
      setStarting(true)
      const started = await startRecording().finally(() => setStarting(false))
      open.current.running = started
      // the page was left while the browser asked for permission
      if (unmounted.current) return started.stop()
      setRunning(started)
      const blob = await started.recorded.finally(() => setRunning(undefined))
      await take(t('Your recording'), blob)
    })
  const choose = (file: File) => trying(() => take(file.name, file))
  return { running, starting, ready, problem, record, choose }
}

/**
 * Tries speech-to-text with a recording of up to 30 seconds, or a file. Renders nothing if the server cannot
 * do it or the user may not.
 *
 * `owner`: the owner in the credential's path. `language` is empty for vendors that need none.
 */
export function Recorder(props: {
  owner: SpeechOwner
  speech_credential_sid: string
  language: string
}) {
  if (!useCapabilities() || !mayWrite()) return null
  return <Recording {...props} />
}

function Recording({ owner, speech_credential_sid, language }: Parameters<typeof Recorder>[0]) {
  const { running, starting, ready, problem, record, choose } = useRecording()
  return (
    <div className="trial">
      <div className="trial-line">
        {running ? (
          <Button size="small" onClick={running.stop}>
            <Square aria-hidden />
            {t('Stop')}
          </Button>
        ) : (
          <Button size="small" busy={starting} onClick={() => void record()}>
            <Mic aria-hidden />
            {starting ? t('Waiting for the microphone…') : t('Record')}
          </Button>
        )}
        {running && <Elapsed />}
      </div>
      <p className="visually-hidden" role="status">
        {running
          ? t('Recording')
          : ready
            ? t('{name}, {seconds} seconds', {
                name: ready.name,
                seconds: decimalText(ready.seconds),
              })
            : ''}
      </p>
      <FileField
        label={t('Or choose an audio file')}
        accept="audio/*"
        chosen={ready ? `${ready.name}, ${decimalText(ready.seconds)} s` : ''}
        disabled={!!running || starting}
        onFile={(file) => void choose(file)}
        help={
          ready?.cut
            ? t('Only the first {RECORDING_SECONDS} seconds are sent.', { RECORDING_SECONDS })
            : t('Up to {RECORDING_SECONDS} seconds. The vendor may charge for this.', {
                RECORDING_SECONDS,
              })
        }
        error={problem}
      />
      {ready && !running && (
        <Transcribed key={ready.url} {...{ owner, speech_credential_sid, language, ready }} />
      )}
    </div>
  )
}

function Elapsed() {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((s) => s + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  return <span>{rich('{seconds} of {RECORDING_SECONDS} s', { seconds, RECORDING_SECONDS })}</span>
}

type Outcome = { text: string } | { reason: string }

function Transcribed({
  owner,
  speech_credential_sid,
  language,
  ready,
}: Parameters<typeof Recorder>[0] & { ready: ReadyRecording }) {
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()
  const transcribe = async () => {
    setBusy(true)
    setOutcome(undefined)
    const body = { wav: base64Of(ready.wav), language }
    setOutcome(
      await recognize(owner, speech_credential_sid, body).catch((error: unknown) => ({
        reason: messageOf(error),
      })),
    )
    setBusy(false)
  }
  return (
    <>
      <div className="trial-line">
        <Button size="small" busy={busy} onClick={() => void transcribe()}>
          {busy ? t('Transcribing…') : t('Transcribe')}
        </Button>
        {/* biome-ignore lint/a11y/useMediaCaption: the recording is to be transcribed */}
        <audio src={ready.url} controls aria-label={ready.name} />
      </div>
      <div role="status">
        {busy && <span className="visually-hidden">{t('Transcribing')}</span>}
        {outcome && 'text' in outcome && (
          <p className="trial-understood">
            {outcome.text || t('The vendor recognized no speech.')}
          </p>
        )}
      </div>
      {outcome && 'reason' in outcome && <Notice tone="bad">{outcome.reason}</Notice>}
    </>
  )
}
