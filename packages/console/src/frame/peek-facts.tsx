import { fromServer, type JudgedKind, numberText, t, type UsedKind } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { CallFacts } from '../calls/call-facts'
import { query } from '../lib/api'
import { INLINE } from '../lib/block-query'
import {
  accounts,
  alertDestinations,
  applications,
  carrierHealth,
  clients,
  lcrs,
  msTeamsTenants,
  phoneNumbers,
  users,
  voipCarriers,
} from '../lib/endpoints'
import { PhoneText } from '../lib/phone-text'
import { PlainLink } from '../lib/plain-link'
import { StateAndWhy } from '../lib/state/state-and-why'
import { useVerdict } from '../lib/state/use-verdict'
import type { ThingKind } from '../lib/thing-href'
import { AccountLink, ApplicationLink, CarrierLink } from '../lib/thing-link'
import { useCapabilities } from '../lib/use-capabilities'
import { usedListHref } from '../lib/used-list'
import { useUses } from '../lib/uses-block'
import { Fact } from '../ui/facts'
import { Skeleton } from '../ui/states'
import { Status } from '../ui/status'
import { Time } from '../ui/time'
import { PeekLoading, PeekOf } from './peek-of'

const none = (text = t('None')) => <span className="none">{text}</span>

const Owner = ({
  account_sid,
  text = t('All accounts'),
}: {
  account_sid: string | null
  text?: string
}) => (account_sid ? <AccountLink account_sid={account_sid} /> : text)

const Active = ({ of: { is_active } }: { of: { is_active: number | boolean } }) => (
  <Status tone={is_active ? 'ok' : 'off'}>{is_active ? t('Active') : t('Inactive')}</Status>
)

/** Number of phone numbers of a resource. */
function Numbers({ kind, sid }: { kind: UsedKind; sid: string }) {
  const ours = useCapabilities()
  const { data, error } = useUses(kind, sid)
  if (!ours) return null
  const numbers = data?.find((use) => use.of === 'phone_number')
  const list = usedListHref(kind, sid, 'phone_number')
  return (
    <Fact name={t('Phone numbers')}>
      {numbers && list ? (
        <PlainLink href={list}>{numberText(numbers.total)}</PlainLink>
      ) : data ? (
        none()
      ) : error ? (
        none(t('Unknown'))
      ) : (
        skeleton
      )}
    </Fact>
  )
}
const skeleton = <Skeleton width={96} />

function CarrierState({ of: carrier }: { of: { voip_carrier_sid: string; is_active: number } }) {
  const ours = useCapabilities()
  const { data, error } = useQuery({
    ...query(carrierHealth.list, { query: { voip_carrier_sids: carrier.voip_carrier_sid } }),
    ...INLINE,
    enabled: !!ours,
  })
  if (!ours)
    return (
      <Fact name={t('Active')}>
        <Active of={carrier} />
      </Fact>
    )
  const [health] = data ?? []
  return (
    <Fact name={t('State')}>
      {health ? <StateAndWhy of={health} /> : data || error ? none(t('Unknown')) : skeleton}
    </Fact>
  )
}

/** `children`: what is known of it on other servers. */
function VerdictOf({
  kind,
  sid,
  children,
}: {
  kind: JudgedKind
  sid: string
  children?: ReactNode
}) {
  const { isOurs, verdict } = useVerdict(kind, sid)
  if (!isOurs) return children
  return (
    <Fact name={t('State')}>
      {verdict ? <StateAndWhy of={verdict} /> : verdict === null ? none(t('Unknown')) : skeleton}
    </Fact>
  )
}

const Account = ({ sid }: { sid: string }) => (
  <PeekOf
    kind="account"
    sid={sid}
    asked={useQuery({ ...query(accounts.view, { params: { account_sid: sid } }), ...INLINE })}
    name={(a) => a.name}
  >
    {(a) => (
      <>
        <VerdictOf kind="account" sid={sid}>
          {a.is_active === 0 && (
            <Fact name={t('Status')}>
              <Status tone="bad">{t('Inactive')}</Status>
            </Fact>
          )}
        </VerdictOf>
        <Fact name={t('SIP realm')}>{a.sip_realm ? <code>{a.sip_realm}</code> : none()}</Fact>
        <Numbers kind="account" sid={sid} />
        <CallFacts owner={a} />
      </>
    )}
  </PeekOf>
)

const Application = ({ sid }: { sid: string }) => (
  <PeekOf
    kind="application"
    sid={sid}
    asked={useQuery({
      ...query(applications.view, { params: { application_sid: sid } }),
      ...INLINE,
    })}
    name={(a) => a.name}
  >
    {(a) => (
      <>
        <VerdictOf kind="application" sid={sid} />
        <Fact name={t('Account')}>
          <Owner account_sid={a.account_sid} text={t('None')} />
        </Fact>
        <Fact name={t('Calling webhook')}>
          {a.call_hook?.url ? <code>{a.call_hook.url}</code> : none()}
        </Fact>
        <Numbers kind="application" sid={sid} />
        <CallFacts owner={a} of={{ application_sid: sid }} />
      </>
    )}
  </PeekOf>
)

const Carrier = ({ sid }: { sid: string }) => (
  <PeekOf
    kind="voip_carrier"
    sid={sid}
    asked={useQuery({
      ...query(voipCarriers.view, { params: { voip_carrier_sid: sid } }),
      ...INLINE,
    })}
    name={(c) => c.name}
  >
    {(c) => (
      <>
        <CarrierState of={c} />
        <Fact name={t('Available to')}>
          <Owner
            account_sid={c.account_sid}
            {...(!c.service_provider_sid && { text: t('No service provider') })}
          />
        </Fact>
        <Numbers kind="voip_carrier" sid={sid} />
        <CallFacts owner={c} of={{ trunk: c.name }} />
      </>
    )}
  </PeekOf>
)

const PhoneNumber = ({ sid }: { sid: string }) => (
  <PeekOf
    kind="phone_number"
    sid={sid}
    asked={useQuery({
      ...query(phoneNumbers.view, { params: { phone_number_sid: sid } }),
      ...INLINE,
    })}
    name={({ number }) => <PhoneText number={number} />}
  >
    {(n) => (
      <>
        <VerdictOf kind="phone_number" sid={sid} />
        <Fact name={t('Account')}>
          <Owner account_sid={n.account_sid} text={t('Unassigned')} />
        </Fact>
        <Fact name={t('Application')}>
          {n.application_sid ? <ApplicationLink application_sid={n.application_sid} /> : none()}
        </Fact>
        <Fact name={t('Carrier')}>
          {n.voip_carrier_sid ? <CarrierLink voip_carrier_sid={n.voip_carrier_sid} /> : none()}
        </Fact>
        <CallFacts owner={n} of={{ filter: n.number.replace(/^\+/, '') }} />
      </>
    )}
  </PeekOf>
)

function Realm({ account_sid }: { account_sid: string }) {
  const { data, error } = useQuery({
    ...query(accounts.view, { params: { account_sid } }),
    ...INLINE,
  })
  if (!data) return error ? none(t('Unknown')) : skeleton
  return data.sip_realm ? <code>{data.sip_realm}</code> : none()
}

const Client = ({ sid }: { sid: string }) => (
  <PeekOf
    kind="client"
    sid={sid}
    asked={useQuery({ ...query(clients.view, { params: { client_sid: sid } }), ...INLINE })}
    name={(c) => c.username}
  >
    {(c) => (
      <>
        <Fact name={t('Status')}>
          <Active of={c} />
        </Fact>
        <Fact name={t('Account')}>
          <AccountLink account_sid={c.account_sid} />
        </Fact>
        <Fact name={t('SIP realm')}>
          <Realm account_sid={c.account_sid} />
        </Fact>
      </>
    )}
  </PeekOf>
)

const Lcr = ({ sid }: { sid: string }) => (
  <PeekOf
    kind="lcr"
    sid={sid}
    asked={useQuery({ ...query(lcrs.view, { params: { lcr_sid: sid } }), ...INLINE })}
    name={(l) => l.name || t('Unnamed routing table')}
  >
    {(l) => (
      <>
        <Fact name={t('Status')}>
          <Active of={l} />
        </Fact>
        <Fact name={t('Used by')}>
          <Owner account_sid={l.account_sid} />
        </Fact>
        <Fact name={t('Routes')}>{numberText(l.routes.length)}</Fact>
        <Fact name={t('Default carrier')}>
          {l.default_carrier ? <CarrierLink voip_carrier_sid={l.default_carrier} /> : none()}
        </Fact>
      </>
    )}
  </PeekOf>
)

const User = ({ sid }: { sid: string }) => (
  <PeekOf
    kind="user"
    sid={sid}
    asked={useQuery({ ...query(users.view, { params: { user_sid: sid } }), ...INLINE })}
    name={(u) => u.name}
  >
    {(u) => (
      <>
        <Fact name={t('Status')}>
          <Active of={u} />
        </Fact>
        <Fact name={t('Email')}>{u.email}</Fact>
        <Fact name={t('Scope')}>
          <Owner
            account_sid={u.account_sid}
            text={u.service_provider_sid ? t('Service provider') : t('Admin')}
          />
        </Fact>
        <Fact name={t('Permissions')}>
          {u.is_view_only ? t('View only') : t('View and change')}
        </Fact>
      </>
    )}
  </PeekOf>
)

const AlertDestination = ({ sid }: { sid: string }) => (
  <PeekOf
    kind="alert_destination"
    sid={sid}
    asked={useQuery({
      ...query(alertDestinations.view, { params: { alert_destination_sid: sid } }),
      ...INLINE,
    })}
    name={(d) => d.name}
  >
    {(d) => (
      <>
        <Fact name={t('Status')}>
          <Active of={d} />
        </Fact>
        <Fact name={t('Scope')}>
          <Owner account_sid={d.account_sid} />
        </Fact>
        <Fact name={t('Last attempt')}>
          <Time at={d.last_tried_at} none={t('Nothing sent yet')} />
        </Fact>
        {d.last_error && <Fact name={t('Last error')}>{fromServer(d.last_error)}</Fact>}
      </>
    )}
  </PeekOf>
)

const MsTeamsTenant = ({ sid }: { sid: string }) => (
  <PeekOf
    kind="ms_teams_tenant"
    sid={sid}
    asked={useQuery({
      ...query(msTeamsTenants.view, { params: { ms_teams_tenant_sid: sid } }),
      ...INLINE,
    })}
    name={(tenant) => tenant.tenant_fqdn}
  >
    {(tenant) => (
      <>
        <Fact name={t('Account')}>
          <Owner account_sid={tenant.account_sid} text={t('None')} />
        </Fact>
        <Fact name={t('Application')}>
          {tenant.application_sid ? (
            <ApplicationLink application_sid={tenant.application_sid} />
          ) : (
            none()
          )}
        </Fact>
      </>
    )}
  </PeekOf>
)

// the names of vendors come with it
const LateSpeech = lazy(async () => ({ default: (await import('./peek-speech')).PeekSpeech }))
const SpeechService = ({ sid }: { sid: string }) => (
  <Suspense fallback={<PeekLoading />}>
    <LateSpeech sid={sid} />
  </Suspense>
)

export const peeks: Record<ThingKind, ComponentType<{ sid: string }>> = {
  account: Account,
  alert_destination: AlertDestination,
  application: Application,
  client: Client,
  lcr: Lcr,
  ms_teams_tenant: MsTeamsTenant,
  phone_number: PhoneNumber,
  speech_credential: SpeechService,
  user: User,
  voip_carrier: Carrier,
}
