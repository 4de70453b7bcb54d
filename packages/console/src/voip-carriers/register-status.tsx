import type { VoipCarrierView } from '@switchroom/contract'
import { Fact, Facts } from '../ui/form-shell'
import { Status } from '../ui/status'
import { isRegistered } from './trunk'

const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined)

/** How the last registration went, in words, as the registering component reported it. */
export function RegisterStatus({ carrier }: { carrier: VoipCarrierView }) {
  const { status, reason, callId } = carrier.register_status
  const started = text(status) !== undefined
  const tone = !started ? 'off' : isRegistered(carrier) ? 'ok' : 'bad'
  const word = !started ? 'Not Started' : isRegistered(carrier) ? 'Registered' : 'Unregistered'
  return (
    <Facts>
      <Fact name="Register status">
        <Status tone={tone}>{word}</Status>
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
