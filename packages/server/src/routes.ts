import type { api } from '@switchroom/contract'
import { alertDestinationRoutes } from './alerts/alert-destinations/routes.ts'
import { carrierHealthRoutes } from './alerts/carrier-health/routes.ts'
import { failureRoutes } from './alerts/failures/routes.ts'
import { accountIssueRoutes, providerIssueRoutes } from './alerts/issues/routes.ts'
import { accountAlertRoutes, alertRoutes, providerAlertRoutes } from './alerts/routes.ts'
import { viewAlertRoutes } from './alerts/view-alerts/routes.ts'
import { webhookRequestRoutes } from './alerts/webhook-requests/routes.ts'
import { appEnvRoutes } from './applications/app-env.ts'
import { messageRoutes } from './applications/messages.ts'
import { applicationRoutes } from './applications/routes.ts'
import { runRoutes } from './applications/runs/routes.ts'
import { testCaseRoutes } from './applications/test-cases/routes.ts'
import { auditRoutes } from './audit/routes.ts'
import { subscriptionRoutes } from './billing/subscriptions.ts'
import { callLogRoutes } from './calls/call-logs.ts'
import { captureRoutes } from './calls/captures/routes.ts'
import { conversationRoutes } from './calls/conversations/routes.ts'
import { liveCallRoutes } from './calls/live-calls/routes.ts'
import { queueRoutes } from './calls/queues.ts'
import {
  accountRecentCallRoutes,
  providerRecentCallRoutes,
  recentCallRoutes,
} from './calls/recent-calls/routes.ts'
import { recordingRoutes } from './calls/recordings/routes.ts'
import { traceRoutes } from './calls/traces.ts'
import { transcriptSettingRoutes } from './calls/transcript-settings/routes.ts'
import { transcriptionRoutes } from './calls/transcriptions/routes.ts'
import { trunkReportRoutes } from './calls/trunk-report/routes.ts'
import { accountVoiceRoutes, providerVoiceRoutes } from './calls/voice/routes.ts'
import { gatewayProbeRoutes } from './carriers/gateway-probes/routes.ts'
import { predefinedCarrierRoutes } from './carriers/predefined-carriers/routes.ts'
import { signallingAddressRoutes } from './carriers/signalling-addresses/routes.ts'
import { sipGatewayRoutes } from './carriers/sip-gateways/routes.ts'
import { smppGatewayRoutes } from './carriers/smpp-gateways/routes.ts'
import { trunkReportLinkRoutes } from './carriers/trunk-report-links/routes.ts'
import { voipCarrierRoutes } from './carriers/voip-carriers/routes.ts'
import { clientRoutes } from './devices/clients/routes.ts'
import { msTeamsTenantRoutes } from './devices/ms-teams-tenants/routes.ts'
import { registeredUserRoutes } from './devices/registered-users/routes.ts'
import type { Handlers } from './http/serve.ts'
import { lcrCarrierSetEntryRoutes } from './routing/lcrs/lcr-carrier-set-entries.ts'
import { lcrRouteRoutes } from './routing/lcrs/lcr-routes.ts'
import { lcrTableRoutes } from './routing/lcrs/routes.ts'
import { messagingRoutes } from './routing/messaging/routes.ts'
import { phoneNumberRoutes } from './routing/phone-numbers/routes.ts'
import { routeSimulationRoutes } from './routing/route-simulations/routes.ts'
import { passkeyRoutes } from './session/passkeys/routes.ts'
import { registrationRoutes } from './session/registration/routes.ts'
import { sessionRoutes } from './session/routes.ts'
import { secondFactorRoutes } from './session/second-factor/routes.ts'
import { sessionListRoutes } from './session/sessions/routes.ts'
import { singleSignOnRoutes } from './session/single-sign-on/routes.ts'
import { systemRoutes } from './session/system.ts'
import { googleCustomVoiceRoutes } from './speech/google-custom-voices/routes.ts'
import { speechCatalogueRoutes } from './speech/speech-catalogues/routes.ts'
import {
  accountSpeechCredentialRoutes,
  providerSpeechCredentialRoutes,
} from './speech/speech-credentials/routes.ts'
import {
  accountSpeechTrialRoutes,
  providerSpeechTrialRoutes,
} from './speech/speech-trials/routes.ts'
import { backupRoutes } from './system/backups/routes.ts'
import { doctorRoutes } from './system/doctor/routes.ts'
import { gettingStartedRoutes } from './system/getting-started/routes.ts'
import { nameRoutes } from './system/names/routes.ts'
import { searchRoutes } from './system/search/routes.ts'
import { systemHealthRoutes } from './system/system-health/routes.ts'
import { undoRoutes } from './system/undo/routes.ts'
import { useRoutes } from './system/uses/routes.ts'
import { accountRoutes } from './tenants/accounts/routes.ts'
import { apiKeyRoutes } from './tenants/api-keys/routes.ts'
import { brandRoutes } from './tenants/brands/routes.ts'
import { limitRoutes } from './tenants/limits/routes.ts'
import { serviceProviderRoutes } from './tenants/service-providers/routes.ts'
import { settingRoutes } from './tenants/settings/routes.ts'
import { webhookRoutes } from './tenants/webhooks/routes.ts'
import { directoryRoutes } from './users/directories/routes.ts'
import { preferenceRoutes } from './users/preferences/routes.ts'
import { userRoutes } from './users/routes.ts'
import { savedViewRoutes } from './users/saved-views/routes.ts'

/** Who answers for each group of the contract. A group without its line does not compile. */
export const routes: { [G in keyof typeof api]: Handlers<(typeof api)[G]> } = {
  system: systemRoutes,
  session: sessionRoutes,
  sessions: sessionListRoutes,
  secondFactor: secondFactorRoutes,
  passkeys: passkeyRoutes,
  singleSignOn: singleSignOnRoutes,
  registration: registrationRoutes,
  users: userRoutes,
  directories: directoryRoutes,
  savedViews: savedViewRoutes,
  preferences: preferenceRoutes,
  settings: settingRoutes,
  serviceProviders: serviceProviderRoutes,
  brands: brandRoutes,
  accounts: accountRoutes,
  subscriptions: subscriptionRoutes,
  limits: limitRoutes,
  apiKeys: apiKeyRoutes,
  clients: clientRoutes,
  liveCalls: liveCallRoutes,
  queues: queueRoutes,
  registeredUsers: registeredUserRoutes,
  messages: messageRoutes,
  messaging: messagingRoutes,
  applications: applicationRoutes,
  runs: runRoutes,
  testCases: testCaseRoutes,
  appEnv: appEnvRoutes,
  webhooks: webhookRoutes,
  accountRecentCalls: accountRecentCallRoutes,
  providerRecentCalls: providerRecentCallRoutes,
  recentCalls: recentCallRoutes,
  accountAlerts: accountAlertRoutes,
  providerAlerts: providerAlertRoutes,
  alerts: alertRoutes,
  alertDestinations: alertDestinationRoutes,
  failures: failureRoutes,
  accountIssues: accountIssueRoutes,
  providerIssues: providerIssueRoutes,
  viewAlerts: viewAlertRoutes,
  webhookRequests: webhookRequestRoutes,
  accountSpeechCredentials: accountSpeechCredentialRoutes,
  providerSpeechCredentials: providerSpeechCredentialRoutes,
  googleCustomVoices: googleCustomVoiceRoutes,
  speechCatalogues: speechCatalogueRoutes,
  accountSpeechTrials: accountSpeechTrialRoutes,
  providerSpeechTrials: providerSpeechTrialRoutes,
  voipCarriers: voipCarrierRoutes,
  predefinedCarriers: predefinedCarrierRoutes,
  sipGateways: sipGatewayRoutes,
  smppGateways: smppGatewayRoutes,
  signallingAddresses: signallingAddressRoutes,
  gatewayProbes: gatewayProbeRoutes,
  carrierHealth: carrierHealthRoutes,
  trunkReportLinks: trunkReportLinkRoutes,
  trunkReport: trunkReportRoutes,
  phoneNumbers: phoneNumberRoutes,
  routeSimulations: routeSimulationRoutes,
  traces: traceRoutes,
  conversations: conversationRoutes,
  transcriptSettings: transcriptSettingRoutes,
  accountVoice: accountVoiceRoutes,
  providerVoice: providerVoiceRoutes,
  callLogs: callLogRoutes,
  recordings: recordingRoutes,
  transcriptions: transcriptionRoutes,
  captures: captureRoutes,
  audit: auditRoutes,
  msTeamsTenants: msTeamsTenantRoutes,
  lcrs: lcrTableRoutes,
  lcrRoutes: lcrRouteRoutes,
  lcrCarrierSetEntries: lcrCarrierSetEntryRoutes,
  backups: backupRoutes,
  systemHealth: systemHealthRoutes,
  doctor: doctorRoutes,
  undo: undoRoutes,
  uses: useRoutes,
  names: nameRoutes,
  search: searchRoutes,
  gettingStarted: gettingStartedRoutes,
}
