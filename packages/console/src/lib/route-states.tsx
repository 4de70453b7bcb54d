import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ErrorState, Skeleton } from '../ui/states'
import { toastBad } from '../ui/toast'
import { isMissingScript, messageOf, requestIdOf, statusOf } from './failure'

// a server's own words for these are for programs
const SAID: Record<number, string> = {
  // an address that holds no sid
  400: "That page doesn't exist.",
  403: 'You do not have access to this resource',
  404: "That page doesn't exist.",
}

/** A screen that could not be shown; the frame around it stays. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  useEffect(() => {
    // whoever has no session, or reaches no server, is on the way to the log-in page
    if ((statusOf(error) ?? 401) === 401) return
    // after the live region of this very render is there to hear it
    const frame = requestAnimationFrame(() => toastBad(messageOf(error)))
    return () => cancelAnimationFrame(frame)
  }, [error])
  if (error instanceof Error && error.name === 'ViewOnly')
    return <ErrorState message={error.message} />
  const text = SAID[statusOf(error) ?? 0]
  // trying again would not make it exist, or permitted
  if (text) return <ErrorState message={text} />
  return (
    <ErrorState
      message={messageOf(error)}
      requestId={requestIdOf(error)}
      onRetry={() => {
        // the browser remembers that a script was not there: only a fresh page asks for it again
        if (isMissingScript(error)) return location.reload()
        reset()
        void router.invalidate()
      }}
    />
  )
}

/** While a screen's chunk and data are on their way. */
export function RoutePending() {
  return (
    <div role="status" aria-label="Loading">
      <Skeleton width={180} height={20} />
    </div>
  )
}
