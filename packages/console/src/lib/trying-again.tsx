import { t } from '@switchroom/contract'
import { useEffect, useState } from 'react'
import { Notice } from '../ui/notice'
import { rich } from '../ui/rich'
import { Sid } from '../ui/sid'
import { requestIdOf, sentenceOf } from './failure'

/** Delay in milliseconds before a retry is shown: quick retries go unnoticed. */
const AFTER_MS = 1_000

/** Says that a request failed and is being retried, before the last retry has failed too. */
export function TryingAgain({ reason }: { reason: Error | null }) {
  const [isShown, setShown] = useState(false)
  const isRetrying = reason !== null
  useEffect(() => {
    if (!isRetrying) return
    const timer = setTimeout(() => setShown(true), AFTER_MS)
    return () => {
      clearTimeout(timer)
      setShown(false)
    }
  }, [isRetrying])
  if (!isRetrying || !isShown) return null
  const request_id = requestIdOf(reason)
  return (
    <div className="table-retrying">
      <Notice tone="warn">
        {t('{message} Trying again…', { message: sentenceOf(reason) })}
        {request_id && <> {rich('Request {sid}', { sid: <Sid sid={request_id} /> })}</>}
      </Notice>
    </div>
  )
}
