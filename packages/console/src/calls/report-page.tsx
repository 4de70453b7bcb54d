import { t } from '@switchroom/contract'
import type { ReactNode } from 'react'
import { messageOf, statusOf } from '../lib/failure'
import { Button } from '../ui/button'
import { Card } from '../ui/card'
import { LoadingState } from '../ui/states'
import { Toasts } from '../ui/toasts'

const INCOMPLETE = t('This address is incomplete. Open the whole link that you were sent.')

/** Page of a report opened by a link without a log-in, and its message if there is no report. */
export function ReportPage<T>({
  title,
  ended,
  token,
  query: { data, error, refetch, isFetching },
  children,
}: {
  title: string
  /** Reasons why the link may no longer work. */
  ended: string
  token: string
  query: { data: T | undefined; error: unknown; refetch: () => unknown; isFetching: boolean }
  children: (data: T) => ReactNode
}) {
  return (
    <>
      <meta name="robots" content="noindex" />
      <Toasts />
      {token === '' ? (
        <Card title={title} intro={INCOMPLETE} />
      ) : error && statusOf(error) === 404 ? (
        <Card title={t('This link has ended')} intro={ended} />
      ) : error ? (
        <Card title={t('The report cannot be shown')} intro={messageOf(error)}>
          <Button look="primary" busy={isFetching} onClick={() => void refetch()}>
            {t('Try again')}
          </Button>
        </Card>
      ) : data === undefined ? (
        <LoadingState text={t('Loading the report')} />
      ) : (
        children(data)
      )}
    </>
  )
}
