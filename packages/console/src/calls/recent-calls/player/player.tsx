import type { Call } from '@switchroom/contract'
import { Headphones } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { apiBase } from '../../../lib/config'
import { messageOf, requestIdOf, statusOf } from '../../../lib/failure'
import { Button, buttonClass } from '../../../ui/button'
import { EmptyState, ErrorState } from '../../../ui/states'
import type { PartProps } from '../part'
import { type Address, addressOf } from './address'
import { Listening } from './listening'
import { load } from './load'
import './player.css'

/** The recording of a call, when somebody asks for it. */
export function Player({ call }: PartProps) {
  const address = call.recording_url ? addressOf(call.recording_url, apiBase) : undefined
  return (
    <section className="player" aria-label="Recording">
      {!address ? (
        <p>This call has a recording, but its URL is not valid.</p>
      ) : 'elsewhere' in address ? (
        <Elsewhere url={address.elsewhere} />
      ) : (
        <Recording call={call} params={address.params} />
      )}
    </section>
  )
}

/** Not asked for by us: whoever has it must not learn who is signed in here. */
const Elsewhere = ({ url }: { url: string }) => (
  <a className={buttonClass('plain', 'small')} href={url} target="_blank" rel="noreferrer">
    <Headphones aria-hidden />
    Open the recording at {new URL(url).host}
  </a>
)

type Params = Extract<Address, { params: unknown }>['params']
type State =
  | { is: 'not asked for' }
  | { is: 'coming'; share: number }
  | { is: 'here'; sound: Blob; url: string }
  | { is: 'failed'; error: unknown }
  | { is: 'deleted' }

function Recording({ call, params }: { call: Call; params: Params }) {
  const [state, setState] = useState<State>({ is: 'not asked for' })
  const last = useRef<{ asked: number; url?: string }>({ asked: 0 })
  const letGo = () => {
    const { current } = last
    current.asked++
    if (current.url) URL.revokeObjectURL(current.url)
    delete current.url
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it leaves
  useEffect(() => letGo, [])

  const ask = async () => {
    letGo()
    const { current } = last
    const mine = current.asked
    const isWanted = () => mine === current.asked
    setState({ is: 'coming', share: 0 })
    try {
      const sound = await load(
        params,
        (share) => isWanted() && setState({ is: 'coming', share }),
        isWanted,
      )
      if (!isWanted()) return
      const url = URL.createObjectURL(sound)
      current.url = url
      setState({ is: 'here', sound, url })
    } catch (error) {
      if (isWanted()) setState({ is: 'failed', error })
    }
  }

  switch (state.is) {
    case 'deleted':
      return <p role="status">The recording was deleted.</p>
    case 'here':
      return (
        <Listening
          call={call}
          params={params}
          sound={state.sound}
          url={state.url}
          onDeleted={() => {
            letGo()
            setState({ is: 'deleted' })
          }}
        />
      )
    case 'failed':
      return statusOf(state.error) === 404 ? (
        <EmptyState text="Recording not found. It was deleted, has expired or has not arrived yet.">
          <Button onClick={() => void ask()}>Try again</Button>
        </EmptyState>
      ) : (
        <ErrorState
          message={messageOf(state.error)}
          requestId={requestIdOf(state.error)}
          onRetry={() => void ask()}
        />
      )
    default:
      return (
        <Button size="small" busy={state.is === 'coming'} onClick={() => void ask()}>
          <Headphones aria-hidden />
          {state.is === 'coming'
            ? `Loading the recording… ${Math.floor(state.share * 100)} %`
            : 'Listen to the recording'}
        </Button>
      )
  }
}
