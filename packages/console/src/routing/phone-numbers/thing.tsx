import { t } from '@switchroom/contract'
import { Hash } from 'lucide-react'
import { PhoneText } from '../../lib/phone-text'
import { adding, type Thing } from '../../lib/thing'
import { cardOf } from '../../lib/thing-card'
import { none, Owner, VerdictFact } from '../../lib/thing-facts'
import { ApplicationLink, CarrierLink } from '../../lib/thing-link'
import { Fact } from '../../ui/facts'
import { mayAddAndDelete } from './may'
import { viewOf } from './queries'

export const thing: Thing = {
  label: t('Phone number'),
  icon: Hash,
  words: t('DIDs DDIs lines'),
  add: () => adding(t('Add phone number'), '/internal/phone-numbers/add', mayAddAndDelete()),
  calls: ({ name }) => ({ filter: name }),
  actions: null,
  Card: cardOf({
    kind: 'phone_number',
    useView: viewOf,
    name: ({ number }) => <PhoneText number={number} />,
    facts: (n) => (
      <>
        <VerdictFact kind="phone_number" sid={n.phone_number_sid} />
        <Fact name={t('Account')}>
          <Owner account_sid={n.account_sid} text={t('Unassigned')} />
        </Fact>
        <Fact name={t('Application')}>
          {n.application_sid ? <ApplicationLink application_sid={n.application_sid} /> : none()}
        </Fact>
        <Fact name={t('Carrier')}>
          {n.voip_carrier_sid ? <CarrierLink voip_carrier_sid={n.voip_carrier_sid} /> : none()}
        </Fact>
      </>
    ),
    calls: ({ number }) => ({ filter: number.replace(/^\+/, '') }),
  }),
}
