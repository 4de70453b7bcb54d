import { type FirstCall, t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { query } from '../../lib/api'
import { gettingStarted } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { PlainLink } from '../../lib/plain-link'
import { buttonClass } from '../../ui/button'
import { Notice } from '../../ui/notice'
import { LoadingState } from '../../ui/states'
import { Status } from '../../ui/status'
import { callHref } from './steps'

const REFRESH_MS = 1_500

const Ladder = lazy(async () => ({
  default: (await import('../../calls/call/sip/capture')).Capture,
}))

/** Waits for a call from the moment the screen was opened, and shows its SIP as it comes in. */
export function WaitForCall({
  number,
  isReady,
  isDone,
  service_provider_sid,
}: {
  number: string | undefined
  isReady: boolean
  isDone: boolean
  service_provider_sid: string | undefined
}) {
  const [since] = useState(() => new Date().toISOString())
  const { data, error } = useQuery({
    ...query(gettingStarted.call, { query: { service_provider_sid, since } }),
    refetchInterval: ({ state }) => (isOver(state.data?.call) ? false : REFRESH_MS),
    enabled: isReady,
    retry: false,
    staleTime: 0,
  })
  if (!isReady) return null
  const call = data?.call
  if (!call)
    return (
      <>
        {error && <Notice tone="bad">{messageOf(error)}</Notice>}
        {!isDone && (
          <p className="step-waiting" role="status">
            <Status tone="info">
              {number ? t('Waiting for a call to {number}', { number }) : t('Waiting for a call')}
            </Status>
          </p>
        )}
      </>
    )
  return (
    <div className="first-call">
      <p role="status">
        <Status tone={call.is_answered ? 'ok' : call.has_ended ? 'bad' : 'info'}>
          {textOf(call)}
        </Status>
        {call.call_sid && (
          <PlainLink href={callHref(call.call_sid)} className={buttonClass('plain', 'small')}>
            {t('Open call')}
          </PlainLink>
        )}
      </p>
      {call.ladder && (
        <Suspense fallback={<LoadingState text={t('Loading the SIP of the call')} />}>
          <Ladder ladder={call.ladder} file={null} />
        </Suspense>
      )}
    </div>
  )
}

/** Until then the call, or its record, changes. */
const isOver = (call: FirstCall | null | undefined) => !!call?.has_ended && call.call_sid !== null

function textOf({ from, to, is_answered, has_ended }: FirstCall) {
  const who = from && to ? t('Call from {from} to {to}', { from, to }) : t('Call')
  if (has_ended)
    return is_answered
      ? t('{who} was answered and has ended', { who })
      : t('{who} was not answered', { who })
  return is_answered ? t('{who} is answered', { who }) : t('{who} is being set up', { who })
}
