import { type Call, t } from '@switchroom/contract'
import { Headphones } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { file } from '../../../lib/answers'
import { apiBase } from '../../../lib/config'
import { recordings } from '../../../lib/endpoints'
import { statusOf } from '../../../lib/failure'
import { LoadError } from '../../../lib/load-error'
import { Button, buttonClass } from '../../../ui/button'
import { rich } from '../../../ui/rich'
import { EmptyState } from '../../../ui/states'
import type { PartProps } from '../part'
import { type Address, addressOf } from './address'
import { usePublish } from './playback-store'
import sheet from './player.css?url'
import { RecordingPlayer } from './recording-player'

/** The recording of a call, loaded on request. */
export function Player({ call }: PartProps) {
  const address = call.recording_url ? addressOf(call.recording_url, apiBase) : undefined
  return (
    <section className="player" aria-label={t('Recording')}>
      <link rel="stylesheet" href={sheet} precedence="page" />
      {!address ? (
        <p>{t('This call has a recording, but its URL is not valid.')}</p>
      ) : 'external' in address ? (
        <ExternalRecording url={address.external} />
      ) : (
        <Recording call={call} params={address.params} />
      )}
    </section>
  )
}

/** A link, not a request of ours: its server must not learn the user's token. */
const ExternalRecording = ({ url }: { url: string }) => (
  <a className={buttonClass('plain', 'small')} href={url} target="_blank" rel="noreferrer">
    <Headphones aria-hidden />
    {rich('Open the recording at {host}', { host: new URL(url).host })}
  </a>
)

type Params = Extract<Address, { params: unknown }>['params']
type State =
  | { status: 'idle' }
  | { status: 'loading'; share: number }
  | { status: 'ready'; sound: Blob; url: string }
  | { status: 'failed'; error: unknown }
  | { status: 'deleted' }

function Recording({ call, params }: { call: Call; params: Params }) {
  const [state, setState] = useState<State>({ status: 'idle' })
  const last = useRef<{ request?: AbortController; url?: string }>({})
  const release = () => {
    const { request, url } = last.current
    request?.abort()
    if (url) URL.revokeObjectURL(url)
    last.current = {}
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it leaves
  useEffect(() => release, [])

  const loadRecording = async () => {
    release()
    const request = new AbortController()
    const { signal } = request
    last.current = { request }
    const showShare = (share: number) => signal.aborted || setState({ status: 'loading', share })
    showShare(0)
    try {
      // its token is in a header, never in a URL
      const sound = await file(
        recordings.ofAccount,
        { params },
        { signal, onProgress: ({ loaded, total }) => total && showShare(loaded / total) },
      )
      if (signal.aborted) return
      const url = URL.createObjectURL(sound)
      last.current.url = url
      setState({ status: 'ready', sound, url })
    } catch (error) {
      if (!signal.aborted) setState({ status: 'failed', error })
    }
  }

  usePublish(
    state.status === 'idle' || state.status === 'loading' ? { status: state.status } : undefined,
    state.status !== 'ready',
  )

  switch (state.status) {
    case 'deleted':
      return <p role="status">{t('The recording was deleted.')}</p>
    case 'ready':
      return (
        <RecordingPlayer
          call={call}
          params={params}
          sound={state.sound}
          url={state.url}
          onDeleted={() => {
            release()
            setState({ status: 'deleted' })
          }}
        />
      )
    case 'failed':
      return statusOf(state.error) === 404 ? (
        <EmptyState
          text={t('Recording not found. It was deleted, has expired or has not arrived yet.')}
        >
          <Button onClick={() => void loadRecording()}>{t('Try again')}</Button>
        </EmptyState>
      ) : (
        <LoadError error={state.error} retry={loadRecording} />
      )
    default:
      return (
        <Button size="small" busy={state.status === 'loading'} onClick={() => void loadRecording()}>
          <Headphones aria-hidden />
          {state.status === 'loading'
            ? t('Loading the recording… {percent} %', { percent: Math.floor(state.share * 100) })
            : t('Listen to the recording')}
        </Button>
      )
  }
}
