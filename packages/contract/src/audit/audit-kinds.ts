/** The types of subjects in the audit log, with their labels. */
export const AUDIT_KINDS = {
  account: 'Account',
  alert_destination: 'Alert destination',
  api_key: 'API key',
  application: 'Application',
  backup: 'Backup',
  call: 'Live call',
  client: 'SIP client',
  directory: 'Directory',
  google_custom_voice: 'Custom voice',
  invite_code: 'Invite codes',
  lcr: 'Outbound call routing',
  limit: 'Limit',
  ms_teams_tenant: 'Microsoft Teams tenant',
  password_settings: 'Password settings',
  phone_number: 'Phone number',
  recording: 'Recording',
  saved_view: 'Saved view',
  sbc_address: 'Platform SIP address',
  second_factor: 'Second factor',
  second_factor_policy: 'Second factor policy',
  service_provider: 'Service provider',
  session: 'Session',
  single_sign_on: 'Single sign-on',
  sip_gateway: 'SIP gateway',
  smpp_address: 'Platform SMPP address',
  smpp_gateway: 'SMPP gateway',
  speech_credential: 'Speech service',
  subscription: 'Subscription',
  system_information: 'System information',
  tts_cache: 'TTS cache',
  user: 'User',
  voip_carrier: 'Carrier',
  webhook: 'Webhook',
} as const
export type AuditKind = keyof typeof AUDIT_KINDS

/** What was done. Revealing a secret is logged as well. */
export const AUDIT_ACTIONS = {
  create: 'Added',
  update: 'Changed',
  delete: 'Deleted',
  reveal: 'Secret revealed',
  clear: 'Cleared',
} as const
export type AuditAction = keyof typeof AUDIT_ACTIONS

/** What an entry's change did. */
export const actionText = ({ action, undoes }: { action: AuditAction; undoes: number | null }) =>
  undoes === null ? AUDIT_ACTIONS[action] : `${AUDIT_ACTIONS[action]} (undo)`
