import * as alertDestinations from './alerts/alert-destinations/queries'
import * as failures from './alerts/failures/search'
import * as inbox from './alerts/inbox/search'
import * as alerts from './alerts/search'
import * as webhookRequests from './alerts/webhook-requests/queries'
import * as applications from './applications/queries'
import * as call from './calls/call/queries'
import * as dashboard from './calls/dashboard/queries'
import * as recentCalls from './calls/search'
import * as voipCarriers from './carriers/voip-carriers/queries'
import * as voice from './conversations/voice/queries'
import * as clients from './devices/clients/queries'
import * as msTeamsTenants from './devices/ms-teams-tenants/queries'
import { atLeast, ownAccount } from './lib/access'
import { parseAddress } from './lib/address'
import { queryClient } from './lib/api'
import { isSwitchroom } from './lib/config'
import { providers } from './lib/current-provider'
import { accountSearch, listSearch, type Raw } from './lib/list-search'
import { claims, mustChangePassword, mustSetUpSecondFactor } from './lib/session'
import type { router } from './routes'
import * as lcrs from './routing/lcrs/queries'
import * as phoneNumbers from './routing/phone-numbers/queries'
import * as speechCredentials from './speech/speech-credentials/queries'
import * as accounts from './tenants/accounts/queries'
import * as users from './users/queries'

// This runs before all other scripts: it asks for what the screen shows while React, the router and the screen load. The
// screen's loader then finds the request in the query client. The log-in form has the same script, and asks nothing.

type Path = keyof (typeof router)['routesByPath']
type Params<P extends string> = P extends `${string}$${infer Name}/${infer Rest}`
  ? Record<Name, string> & Params<Rest>
  : P extends `${string}$${infer Name}`
    ? Record<Name, string>
    : object

/** Asks if the address is of this path. For the path of a form also at the thing's overview, which shows the same. */
function at<P extends Path>(path: P, ask: (params: Params<P>) => unknown) {
  const pattern = new RegExp(
    `^${path.replace(/\$(\w+)/g, '(?<$1>[\\w-]{36})').replace(/\/edit$/, '(?:/edit)?')}$`,
  )
  const found = pattern.exec(location.pathname)
  // the groups have the names of the path's parameters
  if (found) ask((found.groups ?? {}) as Params<P>)
}

const members = parseAddress(location.search)

type Loaded<S extends object> = { searchOf: (raw: Raw) => S; load: (search: S) => Promise<void> }
function screen<S extends object>(path: Path, { searchOf, load }: Loaded<S>) {
  // the router keeps members that a screen does not know. The screen's loader meets the same failure, and shows it
  at(path, () => load({ ...members, ...searchOf(members) }).catch(() => undefined))
}

function ask() {
  void queryClient.prefetchQuery(providers())
  if (atLeast('service_provider'))
    screen('/internal/accounts', { ...accounts, searchOf: listSearch })
  if (atLeast('admin')) screen('/internal/least-cost-routing', { ...lcrs, searchOf: accountSearch })
  screen('/internal/users', users)
  screen('/internal/applications', applications)
  screen('/internal/carriers', voipCarriers)
  screen('/internal/phone-numbers', phoneNumbers)
  screen('/internal/clients', clients)
  screen('/internal/speech-services', { ...speechCredentials, searchOf: accountSearch })
  screen('/internal/recent-calls', recentCalls)
  screen('/internal/inbox', inbox)
  screen('/internal/alerts', alerts)
  screen('/internal/failures', failures)
  screen('/internal/alerts/destinations', { ...alertDestinations, searchOf: accountSearch })
  screen('/internal/webhook-log', webhookRequests)
  screen('/internal/dashboard', dashboard)
  screen('/internal/voice', voice)

  at('/internal/recent-calls/$call_sid', (p) => queryClient.prefetchQuery(call.viewOf(p.call_sid)))
  at('/internal/accounts/$account_sid/edit', ({ account_sid }) => {
    if ((ownAccount() ?? account_sid) === account_sid)
      void queryClient.prefetchQuery(accounts.viewOf(account_sid))
  })
  at('/internal/users/$user_sid/edit', (p) => queryClient.prefetchQuery(users.viewOf(p.user_sid)))
  at('/internal/applications/$application_sid/edit', (p) =>
    queryClient.prefetchQuery(applications.viewOf(p.application_sid)),
  )
  at('/internal/carriers/$voip_carrier_sid/edit', (p) =>
    queryClient.prefetchQuery(voipCarriers.viewOf(p.voip_carrier_sid)),
  )
  at('/internal/phone-numbers/$phone_number_sid/edit', (p) =>
    queryClient.prefetchQuery(phoneNumbers.viewOf(p.phone_number_sid)),
  )
  at('/internal/clients/$client_sid/edit', (p) =>
    queryClient.prefetchQuery(clients.viewOf(p.client_sid)),
  )
  at('/internal/least-cost-routing/$lcr_sid/edit', (p) =>
    queryClient.prefetchQuery(lcrs.viewOf(p.lcr_sid)),
  )
  at('/internal/ms-teams-tenants/$ms_teams_tenant_sid/edit', (p) =>
    queryClient.prefetchQuery(msTeamsTenants.viewOf(p.ms_teams_tenant_sid)),
  )
  at('/internal/alerts/destinations/$alert_destination_sid/edit', (p) =>
    queryClient.prefetchQuery(alertDestinations.viewOf(p.alert_destination_sid)),
  )
}

// an API server elsewhere must be asked first what it is
const isInside = location.pathname.startsWith('/internal')
if (isInside && isSwitchroom() && claims() && !mustChangePassword() && !mustSetUpSecondFactor())
  ask()
