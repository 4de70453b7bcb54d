import { t } from '../wire/text.ts'

/** The types of subjects in the audit log, with their labels. */
export const AUDIT_KINDS = {
  account: t('Account'),
  alert_destination: t('Alert destination'),
  alert_matter: t('Issue'),
  api_key: t('API key'),
  application: t('Application'),
  backup: t('Backup'),
  brand: t('Brand'),
  call: t('Live call'),
  client: t('SIP client'),
  directory: t('Directory'),
  event_subscription: t('Event webhook'),
  failure: t('Failure'),
  google_custom_voice: t('Custom voice'),
  invite_code: t('Invite codes'),
  language_model: t('Language model'),
  lcr: t('Outbound call routing'),
  limit: t('Limit'),
  mcp_tool: t('Agent tool'),
  model_sessions: t('Model sessions'),
  ms_teams_tenant: t('Microsoft Teams tenant'),
  password_settings: t('Password settings'),
  phone_number: t('Phone number'),
  program: t('Program'),
  recording: t('Recording'),
  saved_view: t('Saved view'),
  sbc_address: t('Platform SIP address'),
  score_card: t('Score card'),
  second_factor: t('Second factor'),
  second_factor_policy: t('Second factor policy'),
  service_provider: t('Service provider'),
  session: t('Session'),
  simulated_caller: t('Simulated caller'),
  single_sign_on: t('Single sign-on'),
  sip_gateway: t('SIP gateway'),
  smpp_address: t('Platform SMPP address'),
  smpp_gateway: t('SMPP gateway'),
  speech_credential: t('Speech service'),
  subscription: t('Subscription'),
  system_information: t('System information'),
  test_case: t('Test case'),
  transcription: t('Transcription'),
  transcript_settings: t('Transcripts'),
  customer_report_link: t('Report link'),
  customer_report_mail: t('Monthly report'),
  trunk_report_link: t('Trunk report link'),
  tts_cache: t('TTS cache'),
  user: t('User'),
  view_alert: t('Saved view alert'),
  voip_carrier: t('Carrier'),
  webhook: t('Webhook'),
} as const
export type AuditKind = keyof typeof AUDIT_KINDS

/** Actions in the audit log. Revealing a secret is logged as well. */
export const AUDIT_ACTIONS = {
  create: t('Added'),
  update: t('Changed'),
  delete: t('Deleted'),
  reveal: t('Secret revealed'),
  clear: t('Cleared'),
  send: t('Request sent'),
  call: t('Tool called'),
} as const
export type AuditAction = keyof typeof AUDIT_ACTIONS

/** Name of an entry's action, with “undo” if it undid another entry. */
export const actionText = ({ action, undoes }: { action: AuditAction; undoes: number | null }) =>
  undoes === null ? AUDIT_ACTIONS[action] : t('{action} (undo)', { action: AUDIT_ACTIONS[action] })
