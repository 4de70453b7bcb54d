import { fromServer, t } from '@switchroom/contract'
import { Bell } from 'lucide-react'
import type { Thing } from '../../lib/thing'
import { cardOf } from '../../lib/thing-card'
import { Active, Owner } from '../../lib/thing-facts'
import { Fact } from '../../ui/facts'
import { Time } from '../../ui/time'
import { viewOf } from './queries'

export const thing: Thing = {
  label: t('Alert destination'),
  icon: Bell,
  words: '',
  add: null,
  calls: null,
  actions: null,
  Card: cardOf({
    kind: 'alert_destination',
    useView: viewOf,
    name: (d) => d.name,
    facts: (d) => (
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
    ),
  }),
}
