import { accounts } from './accounts.ts'
import { alertDestinations } from './alert-destinations.ts'
import { accountAlerts, alerts, providerAlerts } from './alerts.ts'
import { apiKeys } from './api-keys.ts'
import { appEnv } from './app-env.ts'
import { applications } from './applications.ts'
import { audit } from './audit.ts'
import { callLogs } from './call-logs.ts'
import { captures } from './captures.ts'
import { clients } from './clients.ts'
import { gatewayProbes } from './gateway-probes.ts'
import { googleCustomVoices } from './google-custom-voices.ts'
import { lcrCarrierSetEntries } from './lcr-carrier-set-entries.ts'
import { lcrRoutes } from './lcr-routes.ts'
import { lcrs } from './lcrs.ts'
import { limits } from './limits.ts'
import { liveCalls } from './live-calls.ts'
import { messages } from './messages.ts'
import { messaging } from './messaging.ts'
import { msTeamsTenants } from './ms-teams-tenants.ts'
import { phoneNumbers } from './phone-numbers.ts'
import { predefinedCarriers } from './predefined-carriers.ts'
import { queues } from './queues.ts'
import { accountRecentCalls, providerRecentCalls, recentCalls } from './recent-calls.ts'
import { recordings } from './recordings.ts'
import { registeredUsers } from './registered-users.ts'
import { registration } from './registration.ts'
import { routeSimulations } from './route-simulations.ts'
import { serviceProviders } from './service-providers.ts'
import { session } from './session.ts'
import { settings } from './settings.ts'
import { signallingAddresses } from './signalling-addresses.ts'
import { sipGateways } from './sip-gateways.ts'
import { smppGateways } from './smpp-gateways.ts'
import { speechCatalogues } from './speech-catalogues.ts'
import { accountSpeechCredentials, providerSpeechCredentials } from './speech-credentials.ts'
import { accountSpeechTrials, providerSpeechTrials } from './speech-trials.ts'
import { subscriptions } from './subscriptions.ts'
import { system } from './system.ts'
import { traces } from './traces.ts'
import { users } from './users.ts'
import { voipCarriers } from './voip-carriers.ts'
import { webhooks } from './webhooks.ts'

/**
 * The whole API: one group per resource, in the order the sidebar shows them.
 * For the server and its tests. The console imports the group it needs, so that a screen loads no more.
 */
export const api = {
  system,
  session,
  registration,
  users,
  settings,
  serviceProviders,
  accounts,
  subscriptions,
  limits,
  apiKeys,
  clients,
  liveCalls,
  queues,
  registeredUsers,
  messages,
  messaging,
  applications,
  appEnv,
  webhooks,
  accountRecentCalls,
  providerRecentCalls,
  recentCalls,
  accountAlerts,
  providerAlerts,
  alerts,
  alertDestinations,
  accountSpeechCredentials,
  providerSpeechCredentials,
  googleCustomVoices,
  speechCatalogues,
  accountSpeechTrials,
  providerSpeechTrials,
  voipCarriers,
  predefinedCarriers,
  sipGateways,
  smppGateways,
  signallingAddresses,
  gatewayProbes,
  phoneNumbers,
  routeSimulations,
  traces,
  callLogs,
  recordings,
  captures,
  audit,
  msTeamsTenants,
  lcrs,
  lcrRoutes,
  lcrCarrierSetEntries,
}
