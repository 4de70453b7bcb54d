import type { VoipCarrierView } from '@switchroom/contract'
import { Status } from '../../ui/status'
import { registration } from './trunk'

export function Registration({ carrier }: { carrier: Pick<VoipCarrierView, 'register_status'> }) {
  const { tone, word } = registration(carrier)
  return <Status tone={tone}>{word}</Status>
}
