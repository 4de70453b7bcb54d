import {
  type Call,
  durationText,
  PARTIES,
  type Party,
  recordedSide,
  sipStatusText,
  t,
} from '@switchroom/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { atLeast } from '../../lib/access'
import { linkTo } from '../../lib/link-to'
import { AccountLink, ApplicationLink } from '../../lib/thing-link'
import { Sid } from '../../ui/sid'
import { ExactTime } from '../../ui/time'
import { isTraced } from '../call-text'
import { hasTracing } from '../has-tracing'
import type { Search } from '../search'
import { CarrierLink, OwnNumber, ProviderName } from './own-links'
import type { PartProps } from './part'
import { useHungUpBy } from './use-hung-up'

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

/** The first facts about a call. The sentence above has its direction and outcome. */
const mainFacts = (c: Call, party: Party | undefined): Fact[] => [
  [t('From'), code(c.from)],
  [t('To'), c.to && <OwnNumber call={c} number={c.to} />],
  [t('Attempted'), time(c.attempted_at)],
  [t('Answered at'), time(c.answered_at)],
  [t('Ended'), time(c.terminated_at)],
  [t('Duration'), durationText(c.duration)],
  [t('SIP status'), c.sip_status !== null && sipStatusText(c.sip_status)],
  [t('Ended by'), party && PARTIES[party]],
  // who hung up is told already
  [t('Termination reason'), party && recordedSide(c) ? null : c.termination_reason],
  [t('Carrier'), c.trunk && <CarrierLink call={c} trunk={c.trunk} />],
  [t('Application'), c.application_sid && <ApplicationLink application_sid={c.application_sid} />],
  [t('Account'), c.account_sid && <AccountLink account_sid={c.account_sid} />],
]

/** Identifiers for looking further into the call. */
const references = (c: Call): Fact[] => [
  [t('Call SID'), c.call_sid && <Sid sid={c.call_sid} />],
  [
    'SIP Call-ID',
    c.sip_callid && (
      <>
        <Sid sid={c.sip_callid} /> <TabLink tab="sip">{t('Open SIP')}</TabLink>
      </>
    ),
  ],
  [
    t('Parent Call-ID'),
    c.sip_parent_callid && (
      <>
        <Sid sid={c.sip_parent_callid} />{' '}
        <Link {...linkTo(`/internal/recent-calls/${encodeURIComponent(c.sip_parent_callid)}`)}>
          {t('Open call')}
        </Link>
      </>
    ),
  ],
  [
    t('Trace'),
    c.trace_id && isTraced(c) && (
      <>
        <Sid sid={c.trace_id} /> {hasTracing && <TabLink tab="tracing">{t('Open trace')}</TabLink>}
      </>
    ),
  ],
  [t('Host'), code(c.host)],
  [t('Remote host'), code(c.remote_host)],
  [
    t('Service provider'),
    c.service_provider_sid && atLeast('service_provider') && (
      <ProviderName service_provider_sid={c.service_provider_sid} />
    ),
  ],
]

/** The known fields of a call record, by weight. The recording is in the player. */
export const Details = ({ call }: PartProps) => (
  <>
    <Facts facts={mainFacts(call, useHungUpBy(call))} />
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
