import type { api } from '@switchroom/contract'
import type { HandlersLater } from './http/serve.ts'

/** Handlers for each group of the contract. A group without its line does not compile. */
export const routes: { [G in keyof typeof api]: HandlersLater<(typeof api)[G]> } = {
  system: async () => (await import('./session/system.ts')).systemRoutes,
  session: async () => (await import('./session/routes.ts')).sessionRoutes,
  sessions: async () => (await import('./session/sessions/routes.ts')).sessionListRoutes,
  programs: async () => (await import('./session/programs/routes.ts')).programRoutes,
  secondFactor: async () => (await import('./session/second-factor/routes.ts')).secondFactorRoutes,
  passkeys: async () => (await import('./session/passkeys/routes.ts')).passkeyRoutes,
  singleSignOn: async () => (await import('./session/single-sign-on/routes.ts')).singleSignOnRoutes,
  registration: async () => (await import('./session/registration/routes.ts')).registrationRoutes,
  users: async () => (await import('./users/routes.ts')).userRoutes,
  directories: async () => (await import('./users/directories/routes.ts')).directoryRoutes,
  savedViews: async () => (await import('./users/saved-views/routes.ts')).savedViewRoutes,
  preferences: async () => (await import('./users/preferences/routes.ts')).preferenceRoutes,
  settings: async () => (await import('./tenants/settings/routes.ts')).settingRoutes,
  serviceProviders: async () =>
    (await import('./tenants/service-providers/routes.ts')).serviceProviderRoutes,
  brands: async () => (await import('./tenants/brands/routes.ts')).brandRoutes,
  accounts: async () => (await import('./tenants/accounts/routes.ts')).accountRoutes,
  subscriptions: async () => (await import('./billing/subscriptions.ts')).subscriptionRoutes,
  limits: async () => (await import('./tenants/limits/routes.ts')).limitRoutes,
  apiKeys: async () => (await import('./tenants/api-keys/routes.ts')).apiKeyRoutes,
  clients: async () => (await import('./devices/clients/routes.ts')).clientRoutes,
  liveCalls: async () => (await import('./calls/live-calls/routes.ts')).liveCallRoutes,
  queues: async () => (await import('./calls/queues.ts')).queueRoutes,
  registeredUsers: async () =>
    (await import('./devices/registered-users/routes.ts')).registeredUserRoutes,
  messages: async () => (await import('./applications/messages.ts')).messageRoutes,
  messaging: async () => (await import('./routing/messaging/routes.ts')).messagingRoutes,
  applications: async () => (await import('./applications/routes.ts')).applicationRoutes,
  runs: async () => (await import('./runs/runs/routes.ts')).runRoutes,
  testCases: async () => (await import('./runs/test-cases/routes.ts')).testCaseRoutes,
  simulatedCallers: async () =>
    (await import('./runs/simulated-callers/routes.ts')).simulatedCallerRoutes,
  scoreCards: async () => (await import('./runs/score-cards/routes.ts')).scoreCardRoutes,
  languageModel: async () =>
    (await import('./applications/language-model/routes.ts')).languageModelRoutes,
  appEnv: async () => (await import('./applications/app-env.ts')).appEnvRoutes,
  webhooks: async () => (await import('./tenants/webhooks/routes.ts')).webhookRoutes,
  accountRecentCalls: async () =>
    (await import('./calls/recent-calls/routes.ts')).accountRecentCallRoutes,
  providerRecentCalls: async () =>
    (await import('./calls/recent-calls/routes.ts')).providerRecentCallRoutes,
  recentCalls: async () => (await import('./calls/recent-calls/routes.ts')).recentCallRoutes,
  accountAlerts: async () => (await import('./alerts/routes.ts')).accountAlertRoutes,
  providerAlerts: async () => (await import('./alerts/routes.ts')).providerAlertRoutes,
  alerts: async () => (await import('./alerts/routes.ts')).alertRoutes,
  alertDestinations: async () =>
    (await import('./alerts/alert-destinations/routes.ts')).alertDestinationRoutes,
  events: async () => (await import('./alerts/events/routes.ts')).eventRoutes,
  eventSubscriptions: async () =>
    (await import('./alerts/event-subscriptions/routes.ts')).eventSubscriptionRoutes,
  failures: async () => (await import('./alerts/failures/routes.ts')).failureRoutes,
  accountIssues: async () => (await import('./alerts/issues/routes.ts')).accountIssueRoutes,
  providerIssues: async () => (await import('./alerts/issues/routes.ts')).providerIssueRoutes,
  thingVerdicts: async () => (await import('./alerts/thing-verdicts/routes.ts')).thingVerdictRoutes,
  viewAlerts: async () => (await import('./alerts/view-alerts/routes.ts')).viewAlertRoutes,
  webhookRequests: async () =>
    (await import('./alerts/webhook-requests/routes.ts')).webhookRequestRoutes,
  accountSpeechCredentials: async () =>
    (await import('./speech/speech-credentials/routes.ts')).accountSpeechCredentialRoutes,
  providerSpeechCredentials: async () =>
    (await import('./speech/speech-credentials/routes.ts')).providerSpeechCredentialRoutes,
  googleCustomVoices: async () =>
    (await import('./speech/google-custom-voices/routes.ts')).googleCustomVoiceRoutes,
  speechCatalogues: async () =>
    (await import('./speech/speech-catalogues/routes.ts')).speechCatalogueRoutes,
  accountSpeechTrials: async () =>
    (await import('./speech/speech-trials/routes.ts')).accountSpeechTrialRoutes,
  providerSpeechTrials: async () =>
    (await import('./speech/speech-trials/routes.ts')).providerSpeechTrialRoutes,
  voipCarriers: async () => (await import('./carriers/voip-carriers/routes.ts')).voipCarrierRoutes,
  predefinedCarriers: async () =>
    (await import('./carriers/predefined-carriers/routes.ts')).predefinedCarrierRoutes,
  sipGateways: async () => (await import('./carriers/sip-gateways/routes.ts')).sipGatewayRoutes,
  smppGateways: async () => (await import('./carriers/smpp-gateways/routes.ts')).smppGatewayRoutes,
  signallingAddresses: async () =>
    (await import('./carriers/signalling-addresses/routes.ts')).signallingAddressRoutes,
  gatewayProbes: async () =>
    (await import('./carriers/gateway-probes/routes.ts')).gatewayProbeRoutes,
  carrierHealth: async () =>
    (await import('./alerts/carrier-health/routes.ts')).carrierHealthRoutes,
  trunkReportLinks: async () =>
    (await import('./carriers/trunk-report-links/routes.ts')).trunkReportLinkRoutes,
  trunkReport: async () => (await import('./calls/trunk-report/routes.ts')).trunkReportRoutes,
  customerReports: async () =>
    (await import('./calls/customer-reports/routes.ts')).customerReportRoutes,
  sharedReports: async () => (await import('./calls/shared-reports/routes.ts')).sharedReportRoutes,
  phoneNumbers: async () => (await import('./routing/phone-numbers/routes.ts')).phoneNumberRoutes,
  routeSimulations: async () =>
    (await import('./routing/route-simulations/routes.ts')).routeSimulationRoutes,
  traces: async () => (await import('./calls/traces.ts')).traceRoutes,
  suites: async () => (await import('./runs/suites/routes.ts')).suiteRoutes,
  callCases: async () => (await import('./runs/call-cases/routes.ts')).callCaseRoutes,
  conversations: async () =>
    (await import('./conversations/conversations/routes.ts')).conversationRoutes,
  transcriptSettings: async () =>
    (await import('./conversations/transcript-settings/routes.ts')).transcriptSettingRoutes,
  modelSessions: async () =>
    (await import('./conversations/model-sessions/routes.ts')).modelSessionRoutes,
  accountVoice: async () => (await import('./conversations/voice/routes.ts')).accountVoiceRoutes,
  providerVoice: async () => (await import('./conversations/voice/routes.ts')).providerVoiceRoutes,
  accountModelFigures: async () =>
    (await import('./conversations/model-figures/routes.ts')).accountModelRoutes,
  providerModelFigures: async () =>
    (await import('./conversations/model-figures/routes.ts')).providerModelRoutes,
  accountScores: async () => (await import('./runs/scores/routes.ts')).accountScoreRoutes,
  providerScores: async () => (await import('./runs/scores/routes.ts')).providerScoreRoutes,
  callLogs: async () => (await import('./calls/call-logs.ts')).callLogRoutes,
  recordings: async () => (await import('./calls/recordings/routes.ts')).recordingRoutes,
  transcriptions: async () =>
    (await import('./conversations/transcriptions/routes.ts')).transcriptionRoutes,
  captures: async () => (await import('./calls/captures/routes.ts')).captureRoutes,
  audit: async () => (await import('./audit/routes.ts')).auditRoutes,
  msTeamsTenants: async () =>
    (await import('./devices/ms-teams-tenants/routes.ts')).msTeamsTenantRoutes,
  lcrs: async () => (await import('./routing/lcrs/routes.ts')).lcrTableRoutes,
  lcrRoutes: async () => (await import('./routing/lcrs/lcr-routes.ts')).lcrRouteRoutes,
  lcrCarrierSetEntries: async () =>
    (await import('./routing/lcrs/lcr-carrier-set-entries.ts')).lcrCarrierSetEntryRoutes,
  customers: async () => (await import('./system/customers/routes.ts')).customerRoutes,
  backups: async () => (await import('./health/backups/routes.ts')).backupRoutes,
  systemHealth: async () => (await import('./health/system-health/routes.ts')).systemHealthRoutes,
  doctor: async () => (await import('./health/doctor/routes.ts')).doctorRoutes,
  undo: async () => (await import('./system/undo/routes.ts')).undoRoutes,
  uses: async () => (await import('./system/uses/routes.ts')).useRoutes,
  names: async () => (await import('./system/names/routes.ts')).nameRoutes,
  search: async () => (await import('./system/search/routes.ts')).searchRoutes,
  gettingStarted: async () =>
    (await import('./system/getting-started/routes.ts')).gettingStartedRoutes,
}
