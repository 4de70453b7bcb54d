import type { Call } from '@switchroom/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { atLeast } from '../../lib/access'
import { linkTo } from '../../lib/link-to'
import { AccountLink, ApplicationLink } from '../../lib/thing-link'
import { Sid } from '../../ui/sid'
import { ExactTime } from '../../ui/time'
import { durationText, isTraced } from '../call-text'
import { sipStatusText } from '../sip-status'
import { hasTracing } from './has-tracing'
import { CarrierLink, OwnNumber, ProviderName } from './own-links'
import type { PartProps } from './part'
import type { Search } from './search'

type Fact = [name: string, value: ReactNode]

const time = (at: string | null) => at && <ExactTime at={at} />
const code = (text: string | null) => text && <code>{text}</code>
const TabLink = ({ tab, children }: { tab: string; children: ReactNode }) => (
  <Link
    to="."
    search={((old: Search) => ({ ...old, tab })) as never}
    replace
    resetScroll={false}
    className="call-tab-link"
  >
    {children}
  </Link>
)

/** What is asked first about a call. Direction and outcome are in the sentence above. */
const mainFacts = (c: Call): Fact[] => [
  ['From', code(c.from)],
  ['To', c.to && <OwnNumber call={c} number={c.to} />],
  ['Attempted', time(c.attempted_at)],
  ['Answered at', time(c.answered_at)],
  ['Ended', time(c.terminated_at)],
  ['Duration', durationText(c.duration)],
  ['SIP status', c.sip_status !== null && sipStatusText(c.sip_status)],
  ['Termination reason', c.termination_reason],
  ['Carrier', c.trunk && <CarrierLink call={c} trunk={c.trunk} />],
  ['Application', c.application_sid && <ApplicationLink application_sid={c.application_sid} />],
  ['Account', c.account_sid && <AccountLink account_sid={c.account_sid} />],
]

/** What is needed to look further. */
const references = (c: Call): Fact[] => [
  ['Call SID', c.call_sid && <Sid sid={c.call_sid} />],
  [
    'SIP Call-ID',
    c.sip_callid && (
      <>
        <Sid sid={c.sip_callid} /> <TabLink tab="sip">Open SIP</TabLink>
      </>
    ),
  ],
  [
    'Parent Call-ID',
    c.sip_parent_callid && (
      <>
        <Sid sid={c.sip_parent_callid} />{' '}
        <Link to={linkTo(`/internal/recent-calls/${encodeURIComponent(c.sip_parent_callid)}`)}>
          Open call
        </Link>
      </>
    ),
  ],
  [
    'Trace',
    c.trace_id && isTraced(c) && (
      <>
        <Sid sid={c.trace_id} /> {hasTracing && <TabLink tab="tracing">Open trace</TabLink>}
      </>
    ),
  ],
  ['Host', code(c.host)],
  ['Remote host', code(c.remote_host)],
  [
    'Service provider',
    c.service_provider_sid && atLeast('service_provider') && (
      <ProviderName service_provider_sid={c.service_provider_sid} />
    ),
  ],
]

/** The known fields of a call record, by weight. The recording is in the player. */
export const Details = ({ call }: PartProps) => (
  <>
    <Facts facts={mainFacts(call)} />
    <Facts facts={references(call)} quiet />
  </>
)

const Facts = ({ facts, quiet }: { facts: Fact[]; quiet?: boolean }) => (
  <dl className={quiet ? 'call-facts call-references' : 'call-facts'}>
    {facts
      .filter(([, value]) => value)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)
