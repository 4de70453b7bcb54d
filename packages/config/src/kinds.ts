import { addressKind, DEFAULT_SIP_PORT, t } from '@switchroom/contract'

/**
 * The kinds of things that files of configuration hold, in the order in which they are made: what a thing refers to comes before
 * it. Names of endpoints and members are the contract's; `kinds.test.ts` compares the two.
 */
export type Kind = {
  /** The name of its file, as the command line calls its group. */
  file: string
  /** Name of the kind for people. */
  title: string
  /**
   * Groups of the endpoints that view, create, update and delete it. Providers use `providerGroup`, if they differ.
   */
  group: string
  providerGroup?: string
  /** The member with its sid; none for settings that an account has once. */
  id?: string
  /** True if files change it, but neither create nor delete it. */
  isGiven?: true
  /** The members that name it, within its account unless `isGlobal`. */
  named: readonly string[]
  isGlobal?: true
  /**
   * Endpoints that list what an account has, and a provider with its accounts. Undefined if it is listed in
   * another way.
   */
  lists?: { account: string; provider: string }
  /** True if a provider's list has only its own things: those of its accounts are listed one by one. */
  providerListsOwn?: true
  /** Kind of the things it belongs to: it is read and listed for each of them. */
  of?: { file: string; member: string; where?: Record<string, unknown> }
  /** True if a list does not show all members: each thing is viewed by itself. */
  isViewed?: true
  /** Members that the server makes, or that say the rest in another way. */
  out?: readonly string[]
  /** Members that cannot be changed. */
  fixed?: readonly string[]
  /** Members that are changed by `updateMany` alone, which selects by this; they cannot be taken away. */
  byMany?: { select: string; members: readonly string[] }
  /** Members that are only changed together. */
  together?: readonly string[]
  /** Defaults of the server for members that are left out, unless the contract has them. */
  defaults?: Record<string, unknown>
  /** Lists of rows: the member that tells one row from another, and what is left out of a row. */
  rows?: Record<string, Rows>
}
export type Rows = {
  by: string
  defaults?: (position: number, row: Record<string, unknown>) => Record<string, unknown>
  rows?: Record<string, Rows>
}

/** Members that hold the sid of a thing of another kind. */
export const REFERENCES: Record<string, string> = {
  account_sid: 'accounts',
  application_sid: 'applications',
  device_calling_application_sid: 'applications',
  siprec_hook_sid: 'applications',
  voip_carrier_sid: 'voip-carriers',
  default_carrier: 'voip-carriers',
  speech_credential_sid: 'speech-credentials',
}

const sipGateways: Rows = {
  by: 'ipv4',
  // without a port the platform looks a domain name up
  defaults: (_, { ipv4 }) => (addressKind(String(ipv4)) === 'ip' ? { port: DEFAULT_SIP_PORT } : {}),
}
const inOrder = (priority: number) => ({ priority })

export const KINDS: readonly Kind[] = [
  {
    file: 'service-providers',
    title: t('Service provider'),
    group: 'serviceProviders',
    isGiven: true,
    id: 'service_provider_sid',
    named: ['name'],
    isGlobal: true,
    isViewed: true,
  },
  {
    file: 'accounts',
    title: t('Accounts'),
    group: 'accounts',
    id: 'account_sid',
    named: ['name'],
    isGlobal: true,
    isViewed: true,
    lists: { account: '', provider: 'accounts.ofServiceProvider' },
    defaults: {
      ...{ record_all_calls: 0, record_format: 'mp3', enable_debug_log: 0, is_active: 1 },
      ...{ disable_cdrs: 0, device_to_call_ratio: 5 },
    },
  },
  {
    file: 'speech-credentials',
    title: t('Speech services'),
    group: 'accountSpeechCredentials',
    providerGroup: 'providerSpeechCredentials',
    id: 'speech_credential_sid',
    named: ['vendor', 'label'],
    lists: {
      account: 'accountSpeechCredentials.list',
      provider: 'providerSpeechCredentials.list',
    },
    out: ['mode'],
  },
  {
    file: 'google-custom-voices',
    title: t('Google custom voices'),
    group: 'googleCustomVoices',
    id: 'google_custom_voice_sid',
    named: ['name'],
    of: {
      ...{ file: 'speech-credentials', member: 'speech_credential_sid' },
      where: { vendor: 'google' },
    },
    lists: { account: 'googleCustomVoices.list', provider: 'googleCustomVoices.list' },
  },
  {
    file: 'applications',
    title: t('Applications'),
    group: 'applications',
    id: 'application_sid',
    named: ['name'],
    lists: { account: 'applications.ofAccount', provider: 'applications.ofServiceProvider' },
    defaults: {
      ...{ speech_synthesis_vendor: 'google', speech_synthesis_language: 'en-US' },
      ...{ speech_synthesis_voice: 'en-US-Standard-C', speech_recognizer_vendor: 'google' },
      ...{ speech_recognizer_language: 'en-US', use_for_fallback_speech: 0, record_all_calls: 0 },
    },
  },
  {
    file: 'simulated-callers',
    title: t('Simulated callers'),
    group: 'simulatedCallers',
    id: 'simulated_caller_sid',
    named: ['name'],
    of: { file: 'applications', member: 'application_sid' },
    lists: { account: 'simulatedCallers.list', provider: 'simulatedCallers.list' },
  },
  {
    file: 'test-cases',
    title: t('Test cases'),
    group: 'testCases',
    id: 'test_case_sid',
    named: ['name'],
    of: { file: 'applications', member: 'application_sid' },
    lists: { account: 'testCases.list', provider: 'testCases.list' },
  },
  {
    file: 'voip-carriers',
    title: t('Carriers'),
    group: 'voipCarriers',
    id: 'voip_carrier_sid',
    named: ['name'],
    isViewed: true,
    // with those that its provider shares
    lists: { account: 'voipCarriers.list', provider: 'voipCarriers.ofServiceProvider' },
    rows: { sip_gateways: sipGateways, smpp_gateways: { by: 'ipv4' } },
    defaults: {
      ...{ e164_leading_plus: 0, requires_register: 0, is_active: 1, dtmf_type: 'rfc2833' },
      ...{ register_public_ip_in_contact: 0, trunk_type: 'static_ip' },
      ...{ smpp_enquire_link_interval: 0, sip_gateways: [], smpp_gateways: [] },
    },
  },
  {
    file: 'lcrs',
    title: t('Outbound call routing'),
    group: 'lcrs',
    id: 'lcr_sid',
    named: ['name'],
    isViewed: true,
    providerListsOwn: true,
    lists: { account: 'lcrs.list', provider: 'lcrs.list' },
    // the entry of the default carrier
    out: ['default_carrier_set_entry_sid'],
    together: ['routes', 'default_carrier'],
    defaults: { is_active: 1, routes: [] },
    rows: {
      routes: {
        by: 'regex',
        defaults: inOrder,
        rows: {
          lcr_carrier_set_entries: {
            by: 'voip_carrier_sid',
            defaults: (priority) => ({ priority, workload: 1 }),
          },
        },
      },
    },
  },
  {
    file: 'phone-numbers',
    title: t('Phone numbers'),
    group: 'phoneNumbers',
    id: 'phone_number_sid',
    named: ['number'],
    isGlobal: true,
    lists: { account: 'phoneNumbers.list', provider: 'phoneNumbers.list' },
    byMany: { select: 'phone_number_sids', members: ['voip_carrier_sid'] },
  },
  {
    file: 'clients',
    title: t('SIP clients'),
    group: 'clients',
    id: 'client_sid',
    named: ['username'],
    lists: { account: 'clients.ofAccount', provider: 'clients.ofServiceProvider' },
  },
  {
    file: 'ms-teams-tenants',
    title: t('Microsoft Teams tenants'),
    group: 'msTeamsTenants',
    id: 'ms_teams_tenant_sid',
    named: ['tenant_fqdn'],
    isGlobal: true,
    lists: { account: 'msTeamsTenants.list', provider: 'msTeamsTenants.list' },
  },
  {
    file: 'alert-destinations',
    title: t('Alert destinations'),
    group: 'alertDestinations',
    id: 'alert_destination_sid',
    named: ['name'],
    fixed: ['kind'],
    lists: { account: 'alertDestinations.list', provider: 'alertDestinations.list' },
  },
  {
    file: 'transcript-settings',
    title: t('Transcript settings'),
    group: 'transcriptSettings',
    named: [],
    of: { file: 'accounts', member: 'account_sid' },
    isViewed: true,
    defaults: { words: 'keep' },
  },
]

/** Parts of a kind that have endpoints of their own as well. */
export const PARTS: Record<string, string> = {
  sipGateways: 'voip-carriers',
  smppGateways: 'voip-carriers',
  lcrRoutes: 'lcrs',
  lcrCarrierSetEntries: 'lcrs',
  limits: 'accounts',
}

/** Resources that can be created or set but are in no file, with the reason. */
export const EXCUSES: Record<string, { title: string; why: string }> = {
  users: {
    title: t('Users'),
    why: t(
      'people are added by invitation, a directory or single sign-on; a file would hold passwords',
    ),
  },
  programs: {
    title: t('Programs'),
    why: t('of the server, not of an owner'),
  },
  directories: {
    title: t('Directories'),
    why: t('their token is shown once, to whoever makes them'),
  },
  savedViews: {
    title: t('Saved views'),
    why: t('of the person who saved them'),
  },
  settings: {
    title: t('Server settings'),
    why: t('of the server, not of an owner'),
  },
  singleSignOn: {
    title: t('Single sign-on'),
    why: t('of the server, not of an owner'),
  },
  signallingAddresses: {
    title: t('Signalling addresses'),
    why: t('of the server; its components announce themselves'),
  },
  subscriptions: {
    title: t('Subscriptions'),
    why: t('a purchase'),
  },
  apiKeys: {
    title: t('API keys'),
    why: t('their token is shown once, to whoever makes them'),
  },
  modelSessions: {
    title: t('Model sessions'),
    why: t('their secret is shown once, to whoever makes it'),
  },
  languageModel: {
    title: t('Language model'),
    why: t('an address and the key for it, which belong together'),
  },
  scoreCards: {
    title: t('Score card'),
    why: t('a budget for the language model of an account'),
  },
  eventSubscriptions: {
    title: t('Event webhooks'),
    why: t('their secret is shown once, to whoever makes them'),
  },
  customers: {
    title: t('Customers'),
    why: t('an account with its parts, each of which has a file'),
  },
  trunkReportLinks: {
    title: t('Links to trunk reports'),
    why: t('their token is shown once, to whoever makes them, and they end by themselves'),
  },
  customerReports: {
    title: t('Customers’ reports'),
    why: t('links and addresses of people, which are given and taken one by one'),
  },
  webhooks: {
    title: t('Webhooks'),
    why: t('parts of accounts, applications and providers'),
  },
  predefinedCarriers: {
    title: t('Carrier templates'),
    why: t('a template, of which a carrier is made'),
  },
  failures: {
    title: t('Failures'),
    why: t('what went wrong, which somebody marks'),
  },
  brands: {
    title: t('Brand'),
    why: t('logos are pictures'),
  },
}

export const kindOf = (file: string) => KINDS.find((kind) => kind.file === file)
