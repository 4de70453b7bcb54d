import type { Call } from '@switchroom/contract'
import type { ReactNode } from 'react'
import { atLeast } from '../../lib/access'
import { usePhoneFormat } from '../../lib/phone-format'
import { Sid } from '../../ui/sid'
import { ExactTime } from '../../ui/time'
import { durationText, isTraced, outcome } from '../call-text'
import { AccountLink, ApplicationLink } from '../owner-links'
import type { PartProps } from './part'

const time = (at: string | null) => at && <ExactTime at={at} />
const sid = (text: string | null) => text && <Sid sid={text} />
const code = (text: string | null) => text && <code>{text}</code>

/** Every field of a call record, the most useful first; null means unknown. The recording is in the player. */
const facts = (
  c: Call,
): Record<Exclude<keyof Call, 'recording_url'>, [name: string, value: ReactNode]> => ({
  attempted_at: ['Attempted', time(c.attempted_at)],
  answered_at: ['Answered at', c.answered === false ? 'Not answered' : time(c.answered_at)],
  terminated_at: ['Ended', time(c.terminated_at)],
  duration: ['Duration', durationText(c.duration)],
  answered: ['Answered', c.answered === null ? null : c.answered ? 'Yes' : 'No'],
  sip_status: ['SIP status', c.sip_status === null ? null : String(c.sip_status)],
  termination_reason: ['Termination reason', c.termination_reason],
  direction: ['Direction', c.direction],
  from: ['From', code(c.from)],
  to: ['To', code(c.to)],
  trunk: ['Carrier', c.trunk],
  application_sid: [
    'Application',
    c.application_sid && <ApplicationLink application_sid={c.application_sid} />,
  ],
  account_sid: ['Account', c.account_sid && <AccountLink account_sid={c.account_sid} />],
  service_provider_sid: ['Service provider', sid(c.service_provider_sid)],
  call_sid: ['Call SID', sid(c.call_sid)],
  sip_callid: ['SIP Call-ID', code(c.sip_callid)],
  sip_parent_callid: ['Parent Call-ID', code(c.sip_parent_callid)],
  trace_id: ['Trace', c.trace_id !== null && !isTraced(c) ? 'Not traced' : sid(c.trace_id)],
  host: ['Host', code(c.host)],
  remote_host: ['Remote host', code(c.remote_host)],
})

/** A call in one sentence, without what is missing from its record. */
function useSentence(call: Call): string {
  const format = usePhoneFormat([call.from, call.to].filter((n) => n !== null))
  const numberText = (n: string | null) => (n ? format(n) : 'an unknown number')
  const way =
    call.direction === 'inbound'
      ? 'Inbound'
      : call.direction === 'outbound'
        ? 'Outbound'
        : 'Call of unknown direction'
  const lasted = durationText(call.duration)
  const waited = call.answered_at && Date.parse(call.answered_at) - Date.parse(call.attempted_at)
  const { word } = outcome(call)
  return [
    `${way} from ${numberText(call.from)} to ${numberText(call.to)}`,
    call.answered && typeof waited === 'number' && waited >= 0
      ? `answered after ${(waited / 1_000).toFixed(1)} s`
      : (call.answered === null ? 'outcome ' : '') + word.charAt(0).toLowerCase() + word.slice(1),
    ...(call.answered && lasted ? [`ended after ${lasted}`] : []),
  ].join(', ')
}

export function Details({ call }: PartProps) {
  const sentence = useSentence(call)
  const visible = Object.entries(facts(call)).filter(
    ([name]) => name !== 'service_provider_sid' || atLeast('service_provider'),
  )
  return (
    <>
      <p className="call-sentence">{sentence}.</p>
      <dl className="call-facts">
        {visible.map(([name, [words, value]]) => (
          <div key={name}>
            <dt>{words}</dt>
            <dd>{value || <span className="none">Unknown</span>}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
