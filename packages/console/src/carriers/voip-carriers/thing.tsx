import { t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { Cable } from 'lucide-react'
import { query } from '../../lib/api'
import { carrierHealth } from '../../lib/endpoints'
import { INLINE } from '../../lib/inline'
import { StateAndWhy } from '../../lib/state/state-and-why'
import { adding, type Thing } from '../../lib/thing'
import { cardOf } from '../../lib/thing-card'
import { Active, none, Owner, skeleton } from '../../lib/thing-facts'
import { useCapabilities } from '../../lib/use-capabilities'
import { Fact } from '../../ui/facts'
import { mayAddCarrier } from './may'
import { viewOf } from './queries'

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

export const thing: Thing = {
  label: t('Carrier'),
  icon: Cable,
  words: t('trunks SIP trunks gateways providers'),
  add: () => adding(t('Add carrier'), '/internal/carriers/add', mayAddCarrier()),
  calls: ({ name }) => ({ trunk: name }),
  actions: null,
  Card: cardOf({
    kind: 'voip_carrier',
    useView: viewOf,
    name: (c) => c.name,
    facts: (c) => (
      <>
        <CarrierState of={c} />
        <Fact name={t('Available to')}>
          <Owner
            account_sid={c.account_sid}
            {...(!c.service_provider_sid && { text: t('No service provider') })}
          />
        </Fact>
      </>
    ),
    used: 'voip_carrier',
    calls: ({ name }) => ({ trunk: name }),
  }),
}
