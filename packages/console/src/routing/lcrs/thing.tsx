import { numberText, t } from '@switchroom/contract'
import { Waypoints } from 'lucide-react'
import type { Thing } from '../../lib/thing'
import { cardOf } from '../../lib/thing-card'
import { Active, none, Owner } from '../../lib/thing-facts'
import { CarrierLink } from '../../lib/thing-link'
import { Fact } from '../../ui/facts'
import { viewOf } from './queries'

export const thing: Thing = {
  label: t('Routing table'),
  icon: Waypoints,
  words: t('LCR routes least cost routing'),
  add: null,
  calls: null,
  actions: null,
  Card: cardOf({
    kind: 'lcr',
    useView: viewOf,
    name: (l) => l.name || t('Unnamed routing table'),
    facts: (l) => (
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
    ),
  }),
}
