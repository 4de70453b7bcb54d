import { t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { Phone } from 'lucide-react'
import { query } from '../../lib/api'
import { accounts } from '../../lib/endpoints'
import { INLINE } from '../../lib/inline'
import { adding, type Thing } from '../../lib/thing'
import { cardOf } from '../../lib/thing-card'
import { Active, none, skeleton } from '../../lib/thing-facts'
import { AccountLink } from '../../lib/thing-link'
import { Fact } from '../../ui/facts'
import { viewOf } from './queries'

function Realm({ account_sid }: { account_sid: string }) {
  const { data, error } = useQuery({
    ...query(accounts.view, { params: { account_sid } }),
    ...INLINE,
  })
  if (!data) return error ? none(t('Unknown')) : skeleton
  return data.sip_realm ? <code>{data.sip_realm}</code> : none()
}

export const thing: Thing = {
  label: t('SIP client'),
  icon: Phone,
  words: t('devices phones extensions registrations'),
  add: () => adding(t('Add SIP client'), '/internal/clients/add'),
  calls: null,
  actions: null,
  Card: cardOf({
    kind: 'client',
    useView: viewOf,
    name: (c) => c.username,
    facts: (c) => (
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
    ),
  }),
}
