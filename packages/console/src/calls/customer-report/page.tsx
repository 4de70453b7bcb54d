import { type SharedReport, t } from '@switchroom/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { queryClient } from '../../lib/api'
import { logoAddress } from '../../lib/brand'
import { call } from '../../lib/call'
import { sharedReports } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { anonymousTransport } from '../../lib/transport'
import { showBrand } from '../../ui/brand'
import { BrandMark } from '../../ui/brand-mark'
import { Button } from '../../ui/button'
import { timeText } from '../../ui/dates'
import { showTimeZone } from '../../ui/time-zone'
import { toastError } from '../../ui/toast'
import { ReportPage } from '../report-page'
import { periodText } from './period-text'
import { CustomerReport, PrintedBrand, ReportSheets } from './report'
import '../../ui/page-header.css'

const ENDED = t(
  'It was revoked or its time is over, or the account was deleted. Ask whoever sent it for a new one.',
)

/**
 * An account's report, for whoever has a link. The token is in the address's fragment, which browsers send to no server;
 * it does not matter who is logged in here.
 */
export function CustomerReportPage(): ReactNode {
  const token: string = useLocation({ select: ({ hash }) => hash })
  const report = useQuery(
    {
      queryKey: ['customer report', token],
      queryFn: () => call(anonymousTransport, sharedReports.view, { body: { token } }),
      enabled: token !== '',
      staleTime: Number.POSITIVE_INFINITY,
      meta: { background: true },
    },
    // there is no provider outside of the frame
    queryClient,
  )
  return (
    <ReportPage title={t('Report')} ended={ENDED} token={token} query={report}>
      {(data) => <Shown report={data} token={token} />}
    </ReportPage>
  )
}

function Shown({ report, token }: { report: SharedReport; token: string }) {
  const { account_name, brand, ends_at, time_zone } = report
  // before anything on the page says a time
  showTimeZone(time_zone)
  useEffect(() => {
    if (!brand) return
    const { logo_light, logo_dark } = brand
    showBrand({
      ...brand,
      logo_light: logoAddress(logo_light),
      logo_dark: logoAddress(logo_dark),
    })
  }, [brand])
  const save = useMutation(
    {
      mutationFn: async () =>
        (await import('../../lib/csv')).download(sharedReports.export, { body: { token } }),
      onError: (e) => toastError(messageOf(e)),
    },
    queryClient,
  )
  return (
    <main className="report">
      <ReportSheets />
      <title>{t('Report of {name}', { name: account_name })}</title>
      <PrintedBrand brand={brand} />
      <header className="page-header">
        <span className="public-brand">
          <BrandMark size={24} />
        </span>
        <h1>{t('Report of {name}', { name: account_name })}</h1>
        <p>{periodText(report)}</p>
        <div className="page-actions">
          <Button onClick={() => print()}>{t('Print')}</Button>
        </div>
      </header>
      <CustomerReport
        report={report}
        load={{
          key: [token],
          page: (page) =>
            call(anonymousTransport, sharedReports.calls, { body: { token, ...page } }),
        }}
        exports={
          <Button look="quiet" size="small" busy={save.isPending} onClick={() => save.mutate()}>
            <Download aria-hidden />
            {t('Download as CSV')}
          </Button>
        }
        foot={t('This link works until {until}.', { until: timeText(ends_at) })}
      />
    </main>
  )
}
