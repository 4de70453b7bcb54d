import { t } from '@switchroom/contract'
import { useMutation } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { queryClient } from '../../lib/api'
import { call } from '../../lib/call'
import { sharedReports } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { anonymousTransport } from '../../lib/transport'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { Notice } from '../../ui/notice'

/** Page where a recipient stops a monthly report. It needs a click, since programs that check mails open links. */
export function Unsubscribe(): ReactNode {
  const token: string = useLocation({ select: ({ hash }) => hash })
  const stop = useMutation(
    {
      mutationFn: () => call(anonymousTransport, sharedReports.unsubscribe, { body: { token } }),
    },
    // there is no provider outside of the frame
    queryClient,
  )
  const title = t('Monthly report')
  return (
    <>
      <meta name="robots" content="noindex" />
      {stop.data ? (
        <Card
          title={t('You are unsubscribed')}
          intro={t('{email} gets no more monthly reports of {name}.', {
            email: stop.data.email,
            name: stop.data.account_name,
          })}
        />
      ) : (
        <Card title={title} intro={t('Stop the monthly report to your address?')}>
          {stop.error && <Notice tone="bad">{messageOf(stop.error)}</Notice>}
          <Button look="primary" busy={stop.isPending} onClick={() => stop.mutate()}>
            {t('Unsubscribe')}
          </Button>
        </Card>
      )}
    </>
  )
}
