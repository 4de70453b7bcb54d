import { t } from '@switchroom/contract'
import { AppWindow, Play } from 'lucide-react'
import { mayWrite } from '../lib/access'
import { isSwitchroom } from '../lib/config'
import { adding, type Thing } from '../lib/thing'
import { cardOf } from '../lib/thing-card'
import { none, Owner, VerdictFact } from '../lib/thing-facts'
import { thingHref } from '../lib/thing-href'
import { Fact } from '../ui/facts'
import { viewOf } from './queries'

export const thing: Thing = {
  label: t('Application'),
  icon: AppWindow,
  words: t('webhooks apps bots voice agents'),
  add: () => adding(t('Add application'), '/internal/applications/add'),
  calls: ({ sid }) => ({ application_sid: sid }),
  actions: (sid, name) =>
    isSwitchroom() && mayWrite()
      ? [
          {
            id: 'try',
            label: t('Try {name}', { name }),
            icon: Play,
            words: t('test run simulate'),
            href: `${thingHref('application', sid)}/try`,
          },
        ]
      : [],
  Card: cardOf({
    kind: 'application',
    useView: viewOf,
    name: (a) => a.name,
    facts: (a) => (
      <>
        <VerdictFact kind="application" sid={a.application_sid} />
        <Fact name={t('Account')}>
          <Owner account_sid={a.account_sid} text={t('None')} />
        </Fact>
        <Fact name={t('Calling webhook')}>
          {a.call_hook?.url ? <code>{a.call_hook.url}</code> : none()}
        </Fact>
      </>
    ),
    used: 'application',
    calls: ({ application_sid }) => ({ application_sid }),
  }),
}
