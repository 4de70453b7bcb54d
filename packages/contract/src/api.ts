import { alertDestinations } from './alerts/alert-destinations.ts'
import { accountAlerts, alerts, providerAlerts } from './alerts/alerts.ts'
import { carrierHealth } from './alerts/carrier-health.ts'
import { eventSubscriptions } from './alerts/event-subscriptions.ts'
import { events } from './alerts/events.ts'
import { failures } from './alerts/failures.ts'
import { accountIssues, providerIssues } from './alerts/issues.ts'
import { thingVerdicts } from './alerts/thing-verdicts.ts'
import { viewAlerts } from './alerts/view-alerts.ts'
import { webhookRequests } from './alerts/webhook-requests.ts'
import { appEnv } from './applications/app-env.ts'
import { applications } from './applications/applications.ts'
import { languageModel } from './applications/language-model.ts'
import { messages } from './applications/messages.ts'
import { audit } from './audit/audit.ts'
import { subscriptions } from './billing/subscriptions.ts'
import { callLogs } from './calls/call-logs.ts'
import { captures } from './calls/captures.ts'
import { customerReports } from './calls/customer-reports.ts'
import { liveCalls } from './calls/live-calls.ts'
import { queues } from './calls/queues.ts'
import { accountRecentCalls, providerRecentCalls, recentCalls } from './calls/recent-calls.ts'
import { recordings } from './calls/recordings.ts'
import { sharedReports } from './calls/shared-reports.ts'
import { traces } from './calls/traces.ts'
import { trunkReport } from './calls/trunk-report.ts'
import { gatewayProbes } from './carriers/gateway-probes.ts'
import { predefinedCarriers } from './carriers/predefined-carriers.ts'
import { signallingAddresses } from './carriers/signalling-addresses.ts'
import { sipGateways } from './carriers/sip-gateways.ts'
import { smppGateways } from './carriers/smpp-gateways.ts'
import { trunkReportLinks } from './carriers/trunk-report-links.ts'
import { voipCarriers } from './carriers/voip-carriers.ts'
import { conversations } from './conversations/conversations.ts'
import { accountModelFigures, providerModelFigures } from './conversations/model-figures.ts'
import { modelSessions } from './conversations/model-sessions.ts'
import { transcriptSettings } from './conversations/transcript-settings.ts'
import { transcriptions } from './conversations/transcriptions.ts'
import { accountVoice, providerVoice } from './conversations/voice.ts'
import { clients } from './devices/clients.ts'
import { msTeamsTenants } from './devices/ms-teams-tenants.ts'
import { registeredUsers } from './devices/registered-users.ts'
import { backups } from './health/backups.ts'
import { doctor } from './health/doctor.ts'
import { systemHealth } from './health/system-health.ts'
import { lcrCarrierSetEntries } from './routing/lcr-carrier-set-entries.ts'
import { lcrRoutes } from './routing/lcr-routes.ts'
import { lcrs } from './routing/lcrs.ts'
import { messaging } from './routing/messaging.ts'
import { phoneNumbers } from './routing/phone-numbers.ts'
import { routeSimulations } from './routing/route-simulations.ts'
import { callCases } from './runs/call-cases.ts'
import { runs } from './runs/runs.ts'
import { scoreCards } from './runs/score-cards.ts'
import { accountScores, providerScores } from './runs/scores.ts'
import { simulatedCallers } from './runs/simulated-callers.ts'
import { suites } from './runs/suites.ts'
import { testCases } from './runs/test-cases.ts'
import { passkeys } from './session/passkeys.ts'
import { programs } from './session/programs.ts'
import { registration } from './session/registration.ts'
import { secondFactor } from './session/second-factor.ts'
import { session } from './session/session.ts'
import { sessions } from './session/sessions.ts'
import { singleSignOn } from './session/single-sign-on.ts'
import { system } from './session/system.ts'
import { googleCustomVoices } from './speech/google-custom-voices.ts'
import { speechCatalogues } from './speech/speech-catalogues.ts'
import { accountSpeechCredentials, providerSpeechCredentials } from './speech/speech-credentials.ts'
import { accountSpeechTrials, providerSpeechTrials } from './speech/speech-trials.ts'
import { customers } from './system/customers.ts'
import { gettingStarted } from './system/getting-started.ts'
import { names } from './system/names.ts'
import { search } from './system/search.ts'
import { undo } from './system/undo.ts'
import { uses } from './system/uses.ts'
import { accounts } from './tenants/accounts.ts'
import { apiKeys } from './tenants/api-keys.ts'
import { brands } from './tenants/brands.ts'
import { limits } from './tenants/limits.ts'
import { serviceProviders } from './tenants/service-providers.ts'
import { settings } from './tenants/settings.ts'
import { webhooks } from './tenants/webhooks.ts'
import { directories } from './users/directories.ts'
import { preferences } from './users/preferences.ts'
import { savedViews } from './users/saved-views.ts'
import { users } from './users/users.ts'

/**
 * The whole API: one group per resource, in the order the sidebar shows them.
 * For the server and its tests. The console imports single groups, so that screens stay small.
 */
export const api = {
  system,
  session,
  sessions,
  programs,
  secondFactor,
  passkeys,
  singleSignOn,
  registration,
  users,
  directories,
  savedViews,
  preferences,
  settings,
  serviceProviders,
  brands,
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
  runs,
  testCases,
  simulatedCallers,
  scoreCards,
  languageModel,
  appEnv,
  webhooks,
  accountRecentCalls,
  providerRecentCalls,
  recentCalls,
  accountAlerts,
  providerAlerts,
  alerts,
  alertDestinations,
  events,
  eventSubscriptions,
  failures,
  accountIssues,
  providerIssues,
  thingVerdicts,
  viewAlerts,
  webhookRequests,
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
  carrierHealth,
  trunkReportLinks,
  trunkReport,
  customerReports,
  sharedReports,
  phoneNumbers,
  routeSimulations,
  traces,
  conversations,
  callCases,
  suites,
  transcriptSettings,
  modelSessions,
  accountVoice,
  providerVoice,
  accountModelFigures,
  providerModelFigures,
  accountScores,
  providerScores,
  callLogs,
  recordings,
  transcriptions,
  captures,
  audit,
  msTeamsTenants,
  lcrs,
  lcrRoutes,
  lcrCarrierSetEntries,
  backups,
  systemHealth,
  customers,
  doctor,
  undo,
  uses,
  names,
  search,
  gettingStarted,
}
