import { isKeyOf } from '../wire/records.ts'

type AlertType = { name: string; meaning: string }

/** The alerts that platform components report, by the type in the record. */
export const ALERT_TYPES = {
  'webhook-failure': {
    name: 'Webhook failed',
    meaning: 'The application’s webhook returned an error.',
  },
  'webhook-connection-failure': {
    name: 'Webhook unreachable',
    meaning: 'Could not connect to the application’s webhook.',
  },
  'webhook-auth-failure': {
    name: 'Webhook authentication failed',
    meaning: 'The webhook rejected the username and password.',
  },
  'webhook-url-notfound': {
    name: 'Webhook not found',
    meaning: 'The webhook’s URL returned 404.',
  },
  'invalid-app-payload': {
    name: 'Invalid application response',
    meaning: 'The webhook did not return a valid list of verbs.',
  },
  'no-tts': {
    name: 'No text-to-speech',
    meaning: 'No speech service for the text-to-speech vendor.',
  },
  'no-stt': {
    name: 'No speech-to-text',
    meaning: 'No speech service for the speech-to-text vendor.',
  },
  'no-llm': {
    name: 'No language model',
    meaning: 'No credential for the language model vendor.',
  },
  'tts-failure': {
    name: 'Text-to-speech failed',
    meaning: 'The text-to-speech vendor returned an error or did not answer.',
  },
  'stt-failure': {
    name: 'Speech-to-text failed',
    meaning: 'The speech-to-text vendor returned an error or did not answer.',
  },
  'llm-failure': {
    name: 'Language model failed',
    meaning: 'The language model vendor returned an error or did not answer.',
  },
  'tts-streaming-connection-failure': {
    name: 'Streaming text-to-speech unreachable',
    meaning: 'Could not connect for streaming text-to-speech.',
  },
  'no-carrier': {
    name: 'No carrier',
    meaning: 'An outbound call failed because no carrier was available.',
  },
  'account-call-limit': {
    name: 'Account call limit',
    meaning: 'Concurrent call limit exceeded',
  },
  'account-device-limit': {
    name: 'Account device limit',
    meaning: 'Registered device limit exceeded',
  },
  'account-api-limit': {
    name: 'Account API limit',
    meaning: 'API rate limit exceeded',
  },
  'service-provider-call-limit': {
    name: 'Provider call limit',
    meaning: 'Concurrent call limit exceeded',
  },
  'service-provider-device-limit': {
    name: 'Provider device limit',
    meaning: 'Registered device limit exceeded',
  },
  'service-provider-api-limit': {
    name: 'Provider API limit',
    meaning: 'API rate limit exceeded',
  },
  'account is inactive or suspended': {
    name: 'Account inactive',
    meaning: 'A call was rejected because the account is inactive or suspended.',
  },
  'play-url-notfound': {
    name: 'Audio file not found',
    meaning: 'No audio file at the URL to play.',
  },
  'bot-action-delay-giveup': {
    name: 'Application timeout',
    meaning: 'A call ended because the application took too long to answer.',
  },
  'error-updating-call': {
    name: 'Call update failed',
    meaning: 'Updating a call in progress failed.',
  },
  'alert-from-application': {
    name: 'Application alert',
    meaning: 'Sent by the application itself.',
  },
  'no-krisp': {
    name: 'Noise isolation unavailable',
    meaning: 'Noise isolation was requested but is not set up.',
  },
  'wallet-low-balance': { name: 'Low balance', meaning: 'The account’s balance is low.' },
  'wallet-depleted': { name: 'Balance used up', meaning: 'The account’s balance is used up.' },
  'wallet-recharge-failed': {
    name: 'Recharge failed',
    meaning: 'The account’s balance could not be recharged.',
  },
  'eval-post-failure': {
    name: 'Evaluation not delivered',
    meaning: 'Could not deliver the evaluation of a call.',
  },
  // our own, for alerts that components write without a type
  untyped: {
    name: 'Carrier notice',
    meaning: 'A carrier failed to register or to answer pings, or was deactivated for it.',
  },
} as const satisfies Record<string, AlertType>
export type KnownAlertType = keyof typeof ALERT_TYPES

/** Stands for alerts without a type, in filters and subscriptions. */
export const UNTYPED = 'untyped'
export const alertTypeOf = ({ alert_type }: { alert_type: string | null }) => alert_type ?? UNTYPED

/** The label of an alert type. An unknown type is its own label. */
export const alertTypeText = (type: string): AlertType =>
  isKeyOf(ALERT_TYPES, type)
    ? ALERT_TYPES[type]
    : { name: type, meaning: 'Reported by the platform. Switchroom does not know this type yet.' }
