import { t, type VoipCarrierView } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { ownAccount } from '../../lib/access'
import { PcapButton } from '../../lib/pcap-button'
import { useCapabilities } from '../../lib/use-capabilities'
import { Fact, Facts } from '../../ui/facts'
import { viewOf } from './queries'
import { Registration } from './registration'

const POLL_MS = 5_000

const textOrUndefined = (value: unknown) => (typeof value === 'string' && value ? value : undefined)

/**
 * The registration status as the platform reports it. Polled while the page is visible, apart from the form,
 * whose values it does not touch.
 */
export function RegisterStatus({ carrier }: { carrier: VoipCarrierView }) {
  const view = viewOf(carrier.voip_carrier_sid)
  const { data } = useQuery({
    ...view,
    queryKey: ['register status', ...view.queryKey],
    initialData: carrier,
    refetchInterval: POLL_MS,
  })
  const { reason, callId } = data.register_status
  return (
    <Facts>
      <Fact name={t('Register status')}>
        <span role="status">
          <Registration carrier={data} />
        </span>
      </Fact>
      <Fact name={t('Reason')}>{textOrUndefined(reason) ?? t('Not Started')}</Fact>
      {textOrUndefined(callId) && (
        <Fact name="Call-ID">
          <code>{textOrUndefined(callId)}</code>
          <Capture carrier={data} call_id={textOrUndefined(callId)!} />
        </Fact>
      )}
    </Facts>
  )
}

/** Downloads captured REGISTER requests, if any. */
function Capture({ carrier, call_id }: { carrier: VoipCarrierView; call_id: string }) {
  const ours = useCapabilities()
  const account_sid = ownAccount() ?? carrier.account_sid
  const { service_provider_sid } = carrier
  const owner = account_sid ? { account_sid } : service_provider_sid && { service_provider_sid }
  if (ours === null || ours?.captures === false || !owner) return null
  return <PcapButton owner={owner} call_id={call_id} method="register" />
}
