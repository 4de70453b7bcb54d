import { t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { queryClient } from '../../lib/api'
import { call } from '../../lib/call'
import { trunkReport } from '../../lib/endpoints'
import { anonymousTransport } from '../../lib/transport'
import { browserTimeZone, showTimeZone } from '../../ui/time-zone'
import { ReportPage } from '../report-page'
import { Report } from './report'

const ENDED = t(
  'It was revoked or its time is over, or the carrier was deleted. Ask whoever sent it for a new one.',
)

/**
 * A carrier's trunk, for its support staff. The token is in the address's fragment, which browsers send to no server;
 * it does not matter who is logged in here.
 */
export function TrunkReportPage(): ReactNode {
  const token: string = useLocation({ select: ({ hash }) => hash })
  const [zone, setZone] = useState('UTC')
  // before anything on the page says a time
  showTimeZone(zone)
  const report = useQuery(
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
    <ReportPage title={t('Trunk report')} ended={ENDED} token={token} query={report}>
      {(data) => <Report report={data} zones={zonesOf()} zone={zone} onZone={setZone} />}
    </ReportPage>
  )
}

/** UTC, and the viewer's own. */
const zonesOf = () => [...new Set(['UTC', browserTimeZone()])]
