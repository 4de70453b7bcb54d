import { addressKind, DEFAULT_SIP_PORT, t } from '@switchroom/contract'

/**
 * Kinds of resources a configuration can contain, in creation order: a resource comes after those
 * it refers to. Names of endpoints and members are the contract's; `kinds.test.ts` compares the two.
 */
export type Kind = {
  /** Name of its file, and of its group on the command line. */
  file: string
  /** Name of the kind for people. */
  title: string
  /**
   * Groups of the endpoints that view, create, update and delete it. Providers use `providerGroup`, if
   * they differ.
   */
  group: string
  providerGroup?: string
  /** The member with its sid; undefined for settings that an account has once. */
  id?: string
  /** True if a file can change it but neither create nor delete it. */
  isUpdateOnly?: true
  /** Members that make up its name, which is unique within an account unless `isNameGlobal`. */
  nameMembers: readonly string[]
  isNameGlobal?: true
  /**
   * Endpoints that list the resources of an account, and of a provider with its accounts. Undefined
   * for what is only viewed.
   */
  listEndpoints?: { account: string; provider: string }
  /** True if a provider's list omits its accounts' resources, which are then listed per account. */
  providerListsOwn?: true
  /** Kind of the resources it belongs to: it is listed and viewed for each of them. */
  parent?: { file: string; member: string; where?: Record<string, unknown> }
  /** True if lists omit members, so that each resource has to be viewed. */
  needsView?: true
  /** Members the server sets, or that repeat other members. */
  omitted?: readonly string[]
  /** Members that cannot be changed. */
  immutable?: readonly string[]
  /**
   * Members that only `updateMany` changes; `select` is its list of sids. They cannot be cleared.
   */
  bulkUpdate?: { select: string; members: readonly string[] }
  /** Members that are only changed together. */
  updatedTogether?: readonly string[]
  /** Values that the server sets for omitted members and the contract does not contain. */
  defaults?: Record<string, unknown>
  /** Members that are lists of rows. */
  lists?: Record<string, Rows>
}
/**
 * A list of rows: the member that identifies a row, defaults for omitted members, and lists within a
 * row.
 */
export type Rows = {
  rowKey: string
  defaults?: (position: number, row: Record<string, unknown>) => Record<string, unknown>
  lists?: Record<string, Rows>
}

/** Members that hold the sid of a resource of another kind. */
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
  rowKey: 'ipv4',
  // without a port the platform looks a domain name up
  defaults: (_, { ipv4 }) => (addressKind(String(ipv4)) === 'ip' ? { port: DEFAULT_SIP_PORT } : {}),
}
const positionAsPriority = (priority: number) => ({ priority })

export const KINDS: readonly Kind[] = [
  {
    file: 'service-providers',
    title: t('Service provider'),
    group: 'serviceProviders',
    isUpdateOnly: true,
    id: 'service_provider_sid',
    nameMembers: ['name'],
    isNameGlobal: true,
    needsView: true,
  },
  {
    file: 'accounts',
    title: t('Accounts'),
    group: 'accounts',
    id: 'account_sid',
    nameMembers: ['name'],
    isNameGlobal: true,
    needsView: true,
    listEndpoints: { account: '', provider: 'accounts.ofServiceProvider' },
    defaults: {
      record_all_calls: 0,
      record_format: 'mp3',
      enable_debug_log: 0,
      is_active: 1,
      disable_cdrs: 0,
      device_to_call_ratio: 5,
    },
  },
  {
    file: 'speech-credentials',
    title: t('Speech services'),
    group: 'accountSpeechCredentials',
    providerGroup: 'providerSpeechCredentials',
    id: 'speech_credential_sid',
    nameMembers: ['vendor', 'label'],
    listEndpoints: {
      account: 'accountSpeechCredentials.list',
      provider: 'providerSpeechCredentials.list',
    },
    omitted: ['mode'],
  },
  {
    file: 'google-custom-voices',
    title: t('Google custom voices'),
    group: 'googleCustomVoices',
    id: 'google_custom_voice_sid',
    nameMembers: ['name'],
    parent: {
      file: 'speech-credentials',
      member: 'speech_credential_sid',
      where: { vendor: 'google' },
    },
    listEndpoints: { account: 'googleCustomVoices.list', provider: 'googleCustomVoices.list' },
  },
  {
    file: 'applications',
    title: t('Applications'),
    group: 'applications',
    id: 'application_sid',
    nameMembers: ['name'],
    listEndpoints: {
      account: 'applications.ofAccount',
      provider: 'applications.ofServiceProvider',
    },
    defaults: {
      speech_synthesis_vendor: 'google',
      speech_synthesis_language: 'en-US',
      speech_synthesis_voice: 'en-US-Standard-C',
      speech_recognizer_vendor: 'google',
      speech_recognizer_language: 'en-US',
      use_for_fallback_speech: 0,
      record_all_calls: 0,
    },
  },
  {
    file: 'simulated-callers',
    title: t('Simulated callers'),
    group: 'simulatedCallers',
    id: 'simulated_caller_sid',
    nameMembers: ['name'],
    parent: { file: 'applications', member: 'application_sid' },
    listEndpoints: { account: 'simulatedCallers.list', provider: 'simulatedCallers.list' },
  },
  {
    file: 'test-cases',
    title: t('Test cases'),
    group: 'testCases',
    id: 'test_case_sid',
    nameMembers: ['name'],
    parent: { file: 'applications', member: 'application_sid' },
    listEndpoints: { account: 'testCases.list', provider: 'testCases.list' },
  },
  {
    file: 'voip-carriers',
    title: t('Carriers'),
    group: 'voipCarriers',
    id: 'voip_carrier_sid',
    nameMembers: ['name'],
    needsView: true,
    // with those that its provider shares
    listEndpoints: { account: 'voipCarriers.list', provider: 'voipCarriers.ofServiceProvider' },
    lists: { sip_gateways: sipGateways, smpp_gateways: { rowKey: 'ipv4' } },
    defaults: {
      e164_leading_plus: 0,
      requires_register: 0,
      is_active: 1,
      dtmf_type: 'rfc2833',
      register_public_ip_in_contact: 0,
      trunk_type: 'static_ip',
      smpp_enquire_link_interval: 0,
      sip_gateways: [],
      smpp_gateways: [],
    },
  },
  {
    file: 'lcrs',
    title: t('Outbound call routing'),
    group: 'lcrs',
    id: 'lcr_sid',
    nameMembers: ['name'],
    needsView: true,
    providerListsOwn: true,
    listEndpoints: { account: 'lcrs.list', provider: 'lcrs.list' },
    // the entry of the default carrier
    omitted: ['default_carrier_set_entry_sid'],
    updatedTogether: ['routes', 'default_carrier'],
    defaults: { is_active: 1, routes: [] },
    lists: {
      routes: {
        rowKey: 'regex',
        defaults: positionAsPriority,
        lists: {
          lcr_carrier_set_entries: {
            rowKey: 'voip_carrier_sid',
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
    nameMembers: ['number'],
    isNameGlobal: true,
    listEndpoints: { account: 'phoneNumbers.list', provider: 'phoneNumbers.list' },
    bulkUpdate: { select: 'phone_number_sids', members: ['voip_carrier_sid'] },
  },
  {
    file: 'clients',
    title: t('SIP clients'),
    group: 'clients',
    id: 'client_sid',
    nameMembers: ['username'],
    listEndpoints: { account: 'clients.ofAccount', provider: 'clients.ofServiceProvider' },
  },
  {
    file: 'ms-teams-tenants',
    title: t('Microsoft Teams tenants'),
    group: 'msTeamsTenants',
    id: 'ms_teams_tenant_sid',
    nameMembers: ['tenant_fqdn'],
    isNameGlobal: true,
    listEndpoints: { account: 'msTeamsTenants.list', provider: 'msTeamsTenants.list' },
  },
  {
    file: 'alert-destinations',
    title: t('Alert destinations'),
    group: 'alertDestinations',
    id: 'alert_destination_sid',
    nameMembers: ['name'],
    immutable: ['kind'],
    listEndpoints: { account: 'alertDestinations.list', provider: 'alertDestinations.list' },
  },
  {
    file: 'transcript-settings',
    title: t('Transcript settings'),
    group: 'transcriptSettings',
    nameMembers: [],
    parent: { file: 'accounts', member: 'account_sid' },
    needsView: true,
    defaults: { words: 'keep' },
  },
]

export const kindOf = (file: string) => KINDS.find((kind) => kind.file === file)
