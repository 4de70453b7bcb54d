import { type Call, t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { query } from '../../../lib/api'
import { captures } from '../../../lib/endpoints'
import { statusOf } from '../../../lib/failure'
import { LoadError } from '../../../lib/load-error'
import { PcapButton } from '../../../lib/pcap-button'
import { useCapabilities } from '../../../lib/use-capabilities'
import { EmptyState, LoadingState } from '../../../ui/states'
import type { PartProps } from '../part'
import { usePlayingStatus } from '../player/playback-store'
import { align } from '../timeline/align'
import { useTrace } from '../use-trace'
import { Capture } from './capture'

const NOT_CAPTURED = t(
  'SIP capture is not set up. Send HEP to this server (SWITCHROOM_INGEST_HEP), or connect a Homer (HOMER_BASE_URL).',
)
const NO_CAPTURE = t('No SIP capture of this call. It has expired, or no capture agent saw it.')

/** The SIP messages of a call. */
export function Sip({ call, account_sid }: PartProps) {
  const ours = useCapabilities()
  const { sip_callid } = call
  if (sip_callid === null || account_sid === null)
    return <EmptyState text={t('The record of this call has no SIP Call-ID.')} />
  if (ours === null) return <LoadingState text={t('Loading the capture')} />
  const of = { account_sid, call_id: sip_callid }
  if (ours === undefined)
    return (
      <EmptyState text={t('This server offers SIP captures only as a pcap file.')}>
        <Pcap {...of} />
      </EmptyState>
    )
  return <SipMessages call={call} {...of} without={ours.captures ? NO_CAPTURE : NOT_CAPTURED} />
}

type CallRef = { account_sid: string; call_id: string }

const Pcap = ({ account_sid, call_id }: CallRef) => (
  <PcapButton owner={{ account_sid }} call_id={call_id} method="invite" />
)

function SipMessages({ call, without, ...of }: CallRef & { call: Call; without: string }) {
  const { data, error, refetch } = useQuery(query(captures.sipOfAccount, { params: of }))
  const isPlayed = usePlayingStatus() === 'ready'
  // it shows when the recording began
  const { tree } = useTrace(call, isPlayed)
  const recording = useMemo(
    () => (isPlayed && data ? (align(call, data, tree).recording ?? null) : null),
    [isPlayed, call, data, tree],
  )
  if (error && statusOf(error) === 404) return <EmptyState text={without} />
  if (error) return <LoadError error={error} retry={refetch} />
  return data ? (
    <Capture ladder={data} file={<Pcap {...of} />} recording={recording} />
  ) : (
    <LoadingState text={t('Loading the capture')} />
  )
}
