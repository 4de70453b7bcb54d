import { type ClientView, t } from '@switchroom/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { LastChanges } from '../../audit/last-changes'
import { mayWrite } from '../../lib/access'
import { NextStep } from '../../lib/next-step'
import { OverviewHead } from '../../lib/thing-head'
import { editHref } from '../../lib/thing-href'
import { AccountLink } from '../../lib/thing-link'
import { Block, Blocks } from '../../ui/block'
import { Fact, Facts } from '../../ui/facts'
import { Sid } from '../../ui/sid'
import { Status } from '../../ui/status'
import { viewOf } from './queries'
import { useSipRealm } from './realm'

const route = getRouteApi('/internal/clients/$client_sid')

export function ClientOverview() {
  const { client_sid: sid } = route.useParams()
  const { data: client } = useSuspenseQuery(viewOf(sid))
  const realm = useSipRealm(client.account_sid)
  return (
    <>
      <OverviewHead
        kind="client"
        what={t('SIP client')}
        sid={sid}
        name={client.username}
        owner={client}
        mayEdit={mayWrite()}
      />
      {mayWrite() && (
        <NextStep
          steps={[
            realm === null && {
              text: t('Its account has no SIP realm, so it cannot register.'),
              action: t('Set a SIP realm'),
              href: editHref('account', client.account_sid),
            },
            client.is_active === 0 && {
              text: t('This client is inactive, so it cannot register.'),
              action: t('Activate it'),
              href: editHref('client', sid),
            },
          ]}
        />
      )}
      <Block title={t('Details')}>
        <Details client={client} realm={realm} />
      </Block>
      <Blocks>
        <LastChanges sid={sid} />
      </Blocks>
    </>
  )
}

function Details({ client, realm }: { client: ClientView; realm: string | null | undefined }) {
  const mayCall = [
    client.allow_direct_app_calling && t('Applications'),
    client.allow_direct_queue_calling && t('Queues'),
    client.allow_direct_user_calling && t('Other users'),
  ].filter((what) => what)
  return (
    <Facts inline>
      <Fact name={t('Status')}>
        <Status tone={client.is_active ? 'ok' : 'off'}>
          {client.is_active ? t('Active') : t('Inactive')}
        </Status>
      </Fact>
      <Fact name={t('Account')}>
        <AccountLink account_sid={client.account_sid} />
      </Fact>
      <Fact name={t('SIP realm')}>
        {realm ? <code>{realm}</code> : <span className="none">{realm === null && t('None')}</span>}
      </Fact>
      <Fact name={t('May call directly')}>
        {mayCall.join(', ') || <span className="none">{t('Nobody')}</span>}
      </Fact>
      <Fact name={t('SIP client SID')}>
        <Sid sid={client.client_sid} />
      </Fact>
    </Facts>
  )
}
