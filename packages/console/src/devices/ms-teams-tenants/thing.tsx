import { t } from '@switchroom/contract'
import { MessagesSquare } from 'lucide-react'
import { adding, type Thing } from '../../lib/thing'
import { cardOf } from '../../lib/thing-card'
import { none, Owner } from '../../lib/thing-facts'
import { ApplicationLink } from '../../lib/thing-link'
import { Fact } from '../../ui/facts'
import { viewOf } from './queries'

export const thing: Thing = {
  label: t('Microsoft Teams tenant'),
  icon: MessagesSquare,
  words: '',
  add: (provider) =>
    adding(
      t('Add Microsoft Teams tenant'),
      '/internal/ms-teams-tenants/add',
      !!provider?.ms_teams_fqdn,
    ),
  calls: null,
  actions: null,
  Card: cardOf({
    kind: 'ms_teams_tenant',
    useView: viewOf,
    name: (tenant) => tenant.tenant_fqdn,
    facts: (tenant) => (
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
    ),
  }),
}
