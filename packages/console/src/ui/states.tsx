import { t } from '@switchroom/contract'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button'
import { rich } from './rich'
import './states.css'

/** Nothing to show: one sentence, and the next step as children. */
export function EmptyState({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="state">
      <p>{text}</p>
      {children}
    </div>
  )
}

/** An error with its request id and a retry button. */
export function ErrorState({
  message,
  requestId,
  onRetry,
  children,
}: {
  message: string
  requestId?: string | undefined
  onRetry?: (() => void) | undefined
  children?: ReactNode
}) {
  return (
    <div className="state" role="alert">
      <CircleAlert className="state-icon" aria-hidden />
      <p>{message}</p>
      {requestId && (
        <p className="state-id">{rich('Request {code}', { code: <code>{requestId}</code> })}</p>
      )}
      {onRetry && <Button onClick={onRetry}>{t('Try again')}</Button>}
      {children}
    </div>
  )
}

/** A placeholder for tall content that is loading. */
export const LoadingState = ({ text }: { text: string }) => (
  <div className="state" role="status">
    <span className="visually-hidden">{text}</span>
    <Skeleton height={160} />
  </div>
)

/** A grey bar of the final content's size. */
export function Skeleton({
  width = '100%',
  height = 12,
}: {
  width?: number | string
  height?: number
}) {
  return <span className="skeleton" style={{ width, height }} aria-hidden />
}
