import { t } from '@switchroom/contract'
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { buttonClass } from '../ui/button'
import { ErrorState, Skeleton } from '../ui/states'
import { toastError } from '../ui/toast'
import { isMissingScript, messageOf, requestIdOf, statusOf } from './failure'
import { linkTo } from './link-to'
import { homeHref } from './session'

// the server's messages for these errors are written for API clients
const TEXTS: Record<number, string> = {
  // the path holds no valid sid
  400: t("That page doesn't exist."),
  403: t('You do not have access to this resource'),
  404: t("That page doesn't exist."),
}

/** A screen that could not be loaded, inside the frame. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  useEffect(() => {
    // without a session or a connection the user is already on the way to the log-in page; a path without a valid sid is
    // no failure of the server's
    if ([400, 401].includes(statusOf(error) ?? 401)) return
    // after this render's live region is in the page
    const frame = requestAnimationFrame(() => toastError(messageOf(error)))
    return () => cancelAnimationFrame(frame)
  }, [error])
  if (error instanceof Error && error.name === 'PageRefused')
    return <ErrorState message={error.message} />
  const text = TEXTS[statusOf(error) ?? 0]
  // a retry would not change these
  if (text)
    return (
      <ErrorState message={text}>
        <Link {...linkTo(homeHref())} className={buttonClass()}>
          {t('Back to the console')}
        </Link>
      </ErrorState>
    )
  return (
    <ErrorState
      message={messageOf(error)}
      requestId={requestIdOf(error)}
      onRetry={() => {
        // the browser caches a failed import: only a reload requests it again
        if (isMissingScript(error)) return location.reload()
        reset()
        void router.invalidate()
      }}
    />
  )
}

/** While a screen's chunk and data load: after a second in words. */
export function RoutePending() {
  return (
    <div role="status" aria-label={t('Loading')}>
      <Skeleton width={180} height={20} />
      <p className="pending-words">{t('Loading…')}</p>
    </div>
  )
}
