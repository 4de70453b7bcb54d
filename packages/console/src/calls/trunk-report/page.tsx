import { t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { queryClient } from '../../lib/api'
import { call, trunkReport } from '../../lib/endpoints'
import { messageOf, statusOf } from '../../lib/failure'
import { anonymousTransport } from '../../lib/transport'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { LoadingState } from '../../ui/states'
import { browserTimeZone, showTimeZone } from '../../ui/time-zone'
import { Toasts } from '../../ui/toasts'
import { Report } from './report'

const ENDED = t(
  'It was revoked or its time is over, or the carrier was deleted. Ask whoever sent it for a new one.',
)
const INCOMPLETE = t('This address is incomplete. Open the whole link that you were sent.')

/**
 * A carrier's trunk, for its support staff. The token is in the address's fragment, which browsers send to no server;
 * whoever is logged in here plays no part.
 */
export function TrunkReportPage(): ReactNode {
  const token: string = useLocation({ select: ({ hash }) => hash })
  const [zone, setZone] = useState('UTC')
  // before anything on the page says a time
  showTimeZone(zone)
  const { data, error, refetch, isFetching } = useQuery(
    {
      queryKey: ['trunk report', token, zone],
      queryFn: () =>
        call(anonymousTransport, trunkReport.view, { body: { token, time_zone: zone } }),
      enabled: token !== '',
      // the figures of the other zone stay meanwhile, but not another link's
      placeholderData: (before, query) => (query?.queryKey[1] === token ? before : undefined),
      staleTime: Number.POSITIVE_INFINITY,
      meta: { background: true },
    },
    // there is no provider outside of the frame
    queryClient,
  )
  return (
    <>
      <meta name="robots" content="noindex" />
      <Toasts />
      {token === '' ? (
        <Card title={t('Trunk report')} intro={INCOMPLETE} />
      ) : error && statusOf(error) === 404 ? (
        <Card title={t('This link has ended')} intro={ENDED} />
      ) : error ? (
        <Card title={t('The report cannot be shown')} intro={messageOf(error)}>
          <Button look="primary" busy={isFetching} onClick={() => void refetch()}>
            {t('Try again')}
          </Button>
        </Card>
      ) : data ? (
        <Report report={data} zones={zonesOf()} zone={zone} onZone={setZone} />
      ) : (
        <LoadingState text={t('Loading the report')} />
      )}
    </>
  )
}

/** UTC, and the viewer's own. */
const zonesOf = () => [...new Set(['UTC', browserTimeZone()])]
