import { t } from '@switchroom/contract'
import { UserRound } from 'lucide-react'
import { config } from '../lib/config'
import { adding, type Thing } from '../lib/thing'
import { cardOf } from '../lib/thing-card'
import { Active, Owner } from '../lib/thing-facts'
import { Fact } from '../ui/facts'
import { viewOf } from './queries'

export const thing: Thing = {
  label: t('User'),
  icon: UserRound,
  words: t('people team members'),
  add: () => adding(t('Add user'), '/internal/users/add', !config.ENABLE_HOSTED_SYSTEM),
  calls: null,
  actions: null,
  Card: cardOf({
    kind: 'user',
    useView: viewOf,
    name: (u) => u.name,
    facts: (u) => (
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
    ),
  }),
}
