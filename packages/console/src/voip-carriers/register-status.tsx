import type { VoipCarrierView } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { Fact, Facts } from '../ui/form-shell'
import { Status } from '../ui/status'
import { viewOf } from './carrier'
import { isRegistered } from './trunk'

const EVERY = 5_000
const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined)

/**
 * How the last registration went, in words, as the registering component reported it. Asked again while
 * the page can be seen, apart from the form, which is left alone.
 */
export function RegisterStatus({ carrier }: { carrier: VoipCarrierView }) {
  const view = viewOf(carrier.voip_carrier_sid)
  const { data } = useQuery({
    ...view,
    queryKey: ['register status', ...view.queryKey],
    initialData: carrier,
    refetchInterval: EVERY,
  })
  const { status, reason, callId } = data.register_status
  const started = text(status) !== undefined
  const tone = !started ? 'off' : isRegistered(data) ? 'ok' : 'bad'
  const word = !started ? 'Not Started' : isRegistered(data) ? 'Registered' : 'Unregistered'
  return (
    <Facts>
      <Fact name="Register status">
        <span role="status">
          <Status tone={tone}>{word}</Status>
        </span>
      </Fact>
      <Fact name="Reason">{text(reason) ?? 'Not Started'}</Fact>
      {text(callId) && (
        <Fact name="Call-ID">
          <code>{text(callId)}</code>
        </Fact>
      )}
    </Facts>
  )
}
