import type { VoipCarrierView } from '@switchroom/contract'
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
import { HealthPanel } from './health-panel'
import { mayChangeCarrier } from './may'
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
        what="Carrier"
        sid={sid}
        name={carrier.name}
        owner={carrier}
        mayEdit={mayChangeCarrier(carrier)}
      />
      {mayChangeCarrier(carrier) && <Next carrier={carrier} />}
      <HealthPanel carrier={carrier} />
      <Block title="Details">
        <Details carrier={carrier} />
      </Block>
      <Blocks side={<UsesBlock kind="voip_carrier" sid={sid} empty="Nothing uses this carrier." />}>
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
      <Fact name="Active">{carrier.is_active ? 'Yes' : 'No'}</Fact>
      <Fact name="Available to">
        {account_sid ? (
          <AccountLink account_sid={account_sid} />
        ) : isOwnerless(carrier) ? (
          'No service provider'
        ) : (
          'All accounts'
        )}
      </Fact>
      <Fact name="Trunk type">{trunkLabel(carrier.trunk_type)}</Fact>
      {carrier.requires_register === 1 && (
        <Fact name="Registration">
          <Registration carrier={carrier} />
        </Fact>
      )}
      <Fact name="SIP gateways">
        {sip_gateways.length === 0 ? (
          <span className="none">None</span>
        ) : (
          `${inbound} inbound, ${outbound} outbound`
        )}
      </Fact>
      {smpp_gateways.length > 0 && <Fact name="SMPP gateways">{smpp_gateways.length}</Fact>}
      <Fact name="Default application">
        {application_sid ? (
          <ApplicationLink application_sid={application_sid} />
        ) : (
          <span className="none">None</span>
        )}
      </Fact>
      {carrier.description && <Fact name="Description">{carrier.description}</Fact>}
      <Fact name="Created">
        <Time at={carrier.created_at} none="Unknown" />
      </Fact>
      <Fact name="Carrier SID">
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
          text: 'This carrier has no gateways, so no calls go through it.',
          action: 'Add a gateway',
          href: `${editHref('voip_carrier', sid)}?tab=sip`,
        },
        carrier.is_active === 0 && {
          text: 'This carrier is inactive, so no calls go through it.',
          action: 'Activate it',
          href: editHref('voip_carrier', sid),
        },
        mayWrite() &&
          uses?.length === 0 && {
            text: 'No phone number and no outbound route uses this carrier yet.',
            action: 'Add a phone number',
            href: '/internal/phone-numbers/add',
          },
      ]}
    />
  )
}
