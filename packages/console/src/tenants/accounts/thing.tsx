import { t } from '@switchroom/contract'
import { Building2, FileChartColumn, KeyRound, Plus, RefreshCw } from 'lucide-react'
import { atLeast, mayWrite } from '../../lib/access'
import { isSwitchroom } from '../../lib/config'
import { showSection } from '../../lib/show-section'
import { adding, type Item, type Thing } from '../../lib/thing'
import { cardOf } from '../../lib/thing-card'
import { none, VerdictFact } from '../../lib/thing-facts'
import { editHref, thingHref } from '../../lib/thing-href'
import { Fact } from '../../ui/facts'
import { Status } from '../../ui/status'
import { viewOf } from './queries'

/** The keys of an account. */
export const apiKeysOf = (sid: string): Pick<Item, 'href' | 'run'> => ({
  href: editHref('account', sid),
  run: () => showSection(t('Account API keys')),
})

export const thing: Thing = {
  label: t('Account'),
  icon: Building2,
  words: t('customers tenants subaccounts'),
  add: () => [
    ...adding(t('Add account'), '/internal/accounts/add', atLeast('service_provider')),
    ...(isSwitchroom() && atLeast('service_provider') && mayWrite()
      ? [
          {
            id: 'new customer',
            label: t('New customer'),
            words: t('add create account tenant'),
            icon: Plus,
            href: '/internal/accounts#new-customer',
          },
        ]
      : []),
  ],
  calls: ({ sid }) => ({ account_sid: sid }),
  actions: (sid, name) => [
    ...(mayWrite()
      ? [
          {
            id: 'secret',
            label: t('Rotate webhook secret of {name}', { name }),
            icon: RefreshCw,
            words: t('regenerate new signing'),
            href: editHref('account', sid),
            run: () => showSection(t('Webhook secret')),
          },
        ]
      : []),
    {
      id: 'keys',
      label: t('API keys of {name}', { name }),
      icon: KeyRound,
      words: t('tokens access new create rotate'),
      ...apiKeysOf(sid),
    },
    ...(isSwitchroom()
      ? [
          {
            id: 'report',
            label: t('Report of {name}', { name }),
            icon: FileChartColumn,
            words: t('customer monthly statistics print mail link'),
            href: `${thingHref('account', sid)}/report`,
          },
        ]
      : []),
  ],
  Card: cardOf({
    kind: 'account',
    useView: viewOf,
    name: (a) => a.name,
    facts: (a) => (
      <>
        <VerdictFact kind="account" sid={a.account_sid}>
          {a.is_active === 0 && (
            <Fact name={t('Status')}>
              <Status tone="bad">{t('Inactive')}</Status>
            </Fact>
          )}
        </VerdictFact>
        <Fact name={t('SIP realm')}>{a.sip_realm ? <code>{a.sip_realm}</code> : none()}</Fact>
      </>
    ),
    used: 'account',
    calls: () => ({}),
  }),
}
