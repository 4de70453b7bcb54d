import { t, type UserView } from '@switchroom/contract'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { LastChanges } from '../audit/last-changes'
import { providers } from '../lib/current-provider'
import { requireClaims } from '../lib/session'
import { OverviewHead } from '../lib/thing-head'
import { AccountLink } from '../lib/thing-link'
import { Block, Blocks } from '../ui/block'
import { Fact, Facts } from '../ui/facts'
import { rich } from '../ui/rich'
import { Sid } from '../ui/sid'
import { Status } from '../ui/status'
import { logsInWith } from './logs-in-with'
import { mayManageUser } from './may-manage'
import { viewOf } from './queries'

const route = getRouteApi('/internal/users/$user_sid')

export function UserOverview() {
  const { user_sid: sid } = route.useParams()
  const { data: user } = useSuspenseQuery(viewOf(sid))
  return (
    <>
      <OverviewHead
        kind="user"
        what={t('User')}
        sid={sid}
        name={user.name}
        owner={user}
        // one's own password may always be changed
        mayEdit={mayManageUser(sid) || sid === requireClaims().user_sid}
      />
      <Block title={t('Details')}>
        <Facts inline>
          <Fact name={t('Status')}>
            <Status tone={user.is_active ? 'ok' : 'off'}>
              {user.is_active ? t('Active') : t('Inactive')}
            </Status>
          </Fact>
          <Fact name={t('Email')}>{user.email}</Fact>
          <Fact name={t('Scope')}>
            <Scope user={user} />
          </Fact>
          <Fact name={t('Permissions')}>{permissionsOf(user)}</Fact>
          <Fact name={t('Logs in with')}>{logsInWith(user.provider)}</Fact>
          <Fact name={t('User SID')}>
            <Sid sid={sid} />
          </Fact>
        </Facts>
      </Block>
      <Blocks>
        <LastChanges sid={sid} />
      </Blocks>
    </>
  )
}

function permissionsOf({ is_view_only, manages_users, account_sid }: UserView) {
  if (is_view_only) return t('View only')
  return account_sid && manages_users === false
    ? t('View and change, but not the users of the account')
    : t('View and change')
}

function Scope({ user: { account_sid, service_provider_sid } }: { user: UserView }) {
  const known = useQuery(providers()).data?.data
  if (account_sid)
    return <>{rich('Account {account}', { account: <AccountLink account_sid={account_sid} /> })}</>
  if (!service_provider_sid) return t('Admin')
  const provider = known?.find((p) => p.service_provider_sid === service_provider_sid)
  return provider ? t('Service provider {name}', { name: provider.name }) : t('Service provider')
}
