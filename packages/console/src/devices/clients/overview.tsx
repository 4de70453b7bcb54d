import type { ClientView } from '@switchroom/contract'
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
        what="SIP client"
        sid={sid}
        name={client.username}
        owner={client}
        mayEdit={mayWrite()}
      />
      {mayWrite() && (
        <NextStep
          steps={[
            realm === null && {
              text: 'Its account has no SIP realm, so it cannot register.',
              action: 'Set a SIP realm',
              href: editHref('account', client.account_sid),
            },
            client.is_active === 0 && {
              text: 'This client is inactive, so it cannot register.',
              action: 'Activate it',
              href: editHref('client', sid),
            },
          ]}
        />
      )}
      <Block title="Details">
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
    client.allow_direct_app_calling && 'Applications',
    client.allow_direct_queue_calling && 'Queues',
    client.allow_direct_user_calling && 'Other users',
  ].filter((what) => what)
  return (
    <Facts inline>
      <Fact name="Status">
        <Status tone={client.is_active ? 'ok' : 'off'}>
          {client.is_active ? 'Active' : 'Inactive'}
        </Status>
      </Fact>
      <Fact name="Account">
        <AccountLink account_sid={client.account_sid} />
      </Fact>
      <Fact name="SIP realm">
        {realm ? <code>{realm}</code> : <span className="none">{realm === null && 'None'}</span>}
      </Fact>
      <Fact name="May call directly">
        {mayCall.join(', ') || <span className="none">Nobody</span>}
      </Fact>
      <Fact name="SIP client SID">
        <Sid sid={client.client_sid} />
      </Fact>
    </Facts>
  )
}
