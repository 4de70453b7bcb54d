import { t, type VoipCarrierView } from '@switchroom/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { LastChanges } from '../../audit/last-changes'
import { mayWrite } from '../../lib/access'
import type { ThingOwner } from '../../lib/follow-provider'
import { NextStep } from '../../lib/next-step'
import { OverviewHead } from '../../lib/thing-head'
import { editHref } from '../../lib/thing-href'
import { AccountLink, ApplicationLink } from '../../lib/thing-link'
import { UsesBlock, useUses } from '../../lib/uses-block'
import { Block, Blocks } from '../../ui/block'
import { Fact, Facts } from '../../ui/facts'
import { Sid } from '../../ui/sid'
import { Time } from '../../ui/time'
import { TrunkReportButton } from '../trunk-report-links/button'
import { HealthPanel } from './health-panel'
import { mayChangeCarrier, maySeeTrunkReports } from './may'
import { isOwnerless } from './owner'
import { viewOf } from './queries'
import { Registration } from './registration'
import { trunkLabel } from './trunk-types'

const route = getRouteApi('/internal/carriers/$voip_carrier_sid')

type Slots = {
  /** Calls are above carriers. */
  Calls: ComponentType<{ owner: ThingOwner; of: { trunk: string } }>
}

export function VoipCarrierOverview({ Calls }: Slots) {
  const { voip_carrier_sid: sid } = route.useParams()
  const { data: carrier } = useSuspenseQuery(viewOf(sid))
  return (
    <>
      <OverviewHead
        kind="voip_carrier"
        what={t('Carrier')}
        sid={sid}
        name={carrier.name}
        owner={carrier}
        mayEdit={mayChangeCarrier(carrier)}
      >
        {maySeeTrunkReports(carrier) && <TrunkReportButton carrier={carrier} />}
      </OverviewHead>
      {mayChangeCarrier(carrier) && <Next carrier={carrier} />}
      <HealthPanel carrier={carrier} />
      <Block title={t('Details')}>
        <Details carrier={carrier} />
      </Block>
      <Blocks
        side={<UsesBlock kind="voip_carrier" sid={sid} empty={t('Nothing uses this carrier.')} />}
      >
        <Calls key={sid} owner={carrier} of={{ trunk: carrier.name }} />
        <LastChanges sid={sid} />
      </Blocks>
    </>
  )
}

function Details({ carrier }: { carrier: VoipCarrierView }) {
  const { account_sid, application_sid, sip_gateways, smpp_gateways } = carrier
  const inbound = sip_gateways.filter((g) => g.inbound).length
  const outbound = sip_gateways.filter((g) => g.outbound).length
  return (
    <Facts inline>
      {/* a setting, which says nothing about whether calls get through */}
      <Fact name={t('Active')}>{carrier.is_active ? t('Yes') : t('No')}</Fact>
      <Fact name={t('Available to')}>
        {account_sid ? (
          <AccountLink account_sid={account_sid} />
        ) : isOwnerless(carrier) ? (
          t('No service provider')
        ) : (
          t('All accounts')
        )}
      </Fact>
      <Fact name={t('Trunk type')}>{trunkLabel(carrier.trunk_type)}</Fact>
      {carrier.requires_register === 1 && (
        <Fact name={t('Registration')}>
          <Registration carrier={carrier} />
        </Fact>
      )}
      <Fact name={t('SIP gateways')}>
        {sip_gateways.length === 0 ? (
          <span className="none">{t('None')}</span>
        ) : (
          t('{inbound} inbound, {outbound} outbound', { inbound, outbound })
        )}
      </Fact>
      {smpp_gateways.length > 0 && <Fact name={t('SMPP gateways')}>{smpp_gateways.length}</Fact>}
      <Fact name={t('Default application')}>
        {application_sid ? (
          <ApplicationLink application_sid={application_sid} />
        ) : (
          <span className="none">{t('None')}</span>
        )}
      </Fact>
      {carrier.description && <Fact name={t('Description')}>{carrier.description}</Fact>}
      <Fact name={t('Created')}>
        <Time at={carrier.created_at} none={t('Unknown')} />
      </Fact>
      <Fact name={t('Carrier SID')}>
        <Sid sid={carrier.voip_carrier_sid} />
      </Fact>
    </Facts>
  )
}

function Next({ carrier }: { carrier: VoipCarrierView }) {
  const sid = carrier.voip_carrier_sid
  const uses = useUses('voip_carrier', sid).data
  const lacksGateways = carrier.sip_gateways.length + carrier.smpp_gateways.length === 0
  return (
    <NextStep
      steps={[
        lacksGateways && {
          text: t('This carrier has no gateways, so no calls go through it.'),
          action: t('Add a gateway'),
          href: `${editHref('voip_carrier', sid)}?tab=sip`,
        },
        carrier.is_active === 0 && {
          text: t('This carrier is inactive, so no calls go through it.'),
          action: t('Activate it'),
          href: editHref('voip_carrier', sid),
        },
        mayWrite() &&
          uses?.length === 0 && {
            text: t('No phone number and no outbound route uses this carrier yet.'),
            action: t('Add a phone number'),
            href: '/internal/phone-numbers/add',
          },
      ]}
    />
  )
}
