import { t, type WebhookRequestView } from '@switchroom/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Copy, Send } from 'lucide-react'
import { mayWrite } from '../../lib/access'
import { queryClient, send } from '../../lib/api'
import { useCrumb } from '../../lib/crumb'
import { webhookRequests } from '../../lib/endpoints'
import { isNotFound, messageOf } from '../../lib/failure'
import { LoadError } from '../../lib/load-error'
import { PlainLink } from '../../lib/plain-link'
import { RoutePending } from '../../lib/route-states'
import { thingHref } from '../../lib/thing-href'
import { AccountLink, ApplicationLink } from '../../lib/thing-link'
import { Button } from '../../ui/button'
import { copyWithToast } from '../../ui/copy'
import { zonedText } from '../../ui/dates'
import { Fact, Facts } from '../../ui/facts'
import { PageHeader } from '../../ui/page-header'
import { EmptyState } from '../../ui/states'
import { toastError } from '../../ui/toast'
import { curlText } from './curl-text'
import { Exchange } from './exchange'
import { viewOf } from './queries'
import { kindText, RequestStatus } from './request-status'

const route = getRouteApi('/internal/webhook-log/$webhook_request_sid')

const SIGNATURES = {
  valid: t('Valid'),
  differs: t('Made with another signing secret'),
  unknown: t('Not checked: the log masks or shortens what was signed'),
}

/** The host of a URL; anything else as it is. */
const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url)

export function WebhookRequestPage() {
  const { webhook_request_sid } = route.useParams()
  const { data, error, refetch, isPending } = useQuery(viewOf(webhook_request_sid))
  const title = data && `${data.method} ${hostOf(data.url)}`
  useCrumb(title)
  const missing = isNotFound(error)
  return (
    <>
      <PageHeader title={title ?? t('Request')}>
        {data && (
          <>
            <Button onClick={() => void copyWithToast(curlText(data), t('curl command'))}>
              <Copy aria-hidden />
              {t('Copy as curl')}
            </Button>
            {mayWrite() && <SendAgain key={webhook_request_sid} request={data} />}
          </>
        )}
      </PageHeader>
      {isPending && <RoutePending />}
      {missing && <EmptyState text={t('Request not found, or its record has expired.')} />}
      {error && !missing && <LoadError error={error} retry={refetch} />}
      {data && (
        <>
          <RequestFacts request={data} />
          <div className="exchange-page">
            <Exchange request={data} />
          </div>
        </>
      )}
    </>
  )
}

/** Sends the request again, and shows what came back on its own page. */
function SendAgain({ request: { webhook_request_sid } }: { request: WebhookRequestView }) {
  const navigate = useNavigate()
  const again = useMutation({
    mutationFn: () => send(webhookRequests.resend, { params: { webhook_request_sid } }),
    onError: (e) => toastError(messageOf(e)),
    onSuccess: async (sent) => {
      queryClient.setQueryData(viewOf(sent.webhook_request_sid).queryKey, sent)
      await navigate({
        to: '/internal/webhook-log/$webhook_request_sid',
        params: { webhook_request_sid: sent.webhook_request_sid },
      })
    },
  })
  return (
    <Button look="primary" busy={again.isPending} onClick={() => again.mutate()}>
      <Send aria-hidden />
      {again.isPending ? t('Sending…') : t('Send again')}
    </Button>
  )
}

const RequestFacts = ({ request: r }: { request: WebhookRequestView }) => (
  <Facts inline>
    <Fact name={t('Outcome')}>
      <RequestStatus request={r} />
    </Fact>
    <Fact name={t('Sent')}>{zonedText(r.at)}</Fact>
    <Fact name={t('Duration')}>{t('{milliseconds} ms', { milliseconds: r.duration_ms })}</Fact>
    <Fact name={t('Type')}>{kindText(r)}</Fact>
    {r.attempt > 1 && <Fact name={t('Attempt')}>{r.attempt}</Fact>}
    {r.account_sid && (
      <Fact name={t('Account')}>
        <AccountLink account_sid={r.account_sid} />
      </Fact>
    )}
    {r.application_sid && (
      <Fact name={t('Application')}>
        <ApplicationLink application_sid={r.application_sid} />
      </Fact>
    )}
    {r.alert_destination_sid && (
      <Fact name={t('Alert destination')}>
        <PlainLink href={thingHref('alert_destination', r.alert_destination_sid)}>
          {t('Open page')}
        </PlainLink>
      </Fact>
    )}
    {r.repeats && (
      <Fact name={t('Repeats')}>
        <PlainLink href={`/internal/webhook-log/${r.repeats}`}>{t('An earlier request')}</PlainLink>
      </Fact>
    )}
    {r.signature && <Fact name={t('Signature')}>{SIGNATURES[r.signature.check]}</Fact>}
  </Facts>
)
