import light from 'virtual:endpoints'
import type * as contract from '@switchroom/contract'
import type { ENDPOINT_MEMBERS } from './endpoint-members'

/** An endpoint of the contract without its schemas. */
type Light<E extends contract.Endpoint> = Pick<
  E,
  Extract<keyof E, (typeof ENDPOINT_MEMBERS)[number]>
> & {
  /** Creates one thing, so that it can be sent again by its key. */
  creates: boolean
  /** Loads the endpoint with its schemas. */
  withSchemas: () => Promise<E>
  /** Loads the schemas if there is a body, and resolves to the request as they make it. Throws as `parseRequest`. */
  parse: <S extends object>(sent: S) => Promise<S>
}
export type Endpoint = Light<contract.Endpoint>

type Full<E extends Endpoint> = Awaited<ReturnType<E['withSchemas']>>
export type Sent<E extends Endpoint> = contract.Sent<Full<E>>
export type Received<E extends Endpoint> = contract.Received<Full<E>>
export type Reply<E extends Endpoint> = contract.Reply<Full<E>>

type Api = typeof contract.api
type LightApi = {
  [G in keyof Api]: { [N in keyof Api[G]]: Light<Extract<Api[G][N], contract.Endpoint>> }
}

/**
 * The API's endpoints, as the build takes them from the contract (endpoints-plugin.ts). The console imports them
 * from here: a list then loads no schema. The build takes the groups that are named here, and no others, and has each
 * imported from a module of its own.
 */
export const {
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
  applications,
  runs,
  testCases,
  simulatedCallers,
  scoreCards,
  accountModelFigures,
  providerModelFigures,
  accountScores,
  providerScores,
  languageModel,
  appEnv,
  accountRecentCalls,
  providerRecentCalls,
  recentCalls,
  accountAlerts,
  providerAlerts,
  alerts,
  alertDestinations,
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
} = light as unknown as LightApi
