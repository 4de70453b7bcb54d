import { isKeyOf } from '../wire/records.ts'
import { t } from '../wire/text.ts'

type AlertType = { name: string; meaning: string }

/** The alerts that platform components report, by the type in the record. */
export const ALERT_TYPES = {
  'webhook-failure': {
    name: t('Webhook failed'),
    meaning: t('The application’s webhook returned an error.'),
  },
  'webhook-connection-failure': {
    name: t('Webhook unreachable'),
    meaning: t('Could not connect to the application’s webhook.'),
  },
  'webhook-auth-failure': {
    name: t('Webhook authentication failed'),
    meaning: t('The webhook rejected the username and password.'),
  },
  'webhook-url-notfound': {
    name: t('Webhook not found'),
    meaning: t('The webhook’s URL returned 404.'),
  },
  'invalid-app-payload': {
    name: t('Invalid application response'),
    meaning: t('The webhook did not return a valid list of verbs.'),
  },
  'no-tts': {
    name: t('No text-to-speech'),
    meaning: t('No speech service for the text-to-speech vendor.'),
  },
  'no-stt': {
    name: t('No speech-to-text'),
    meaning: t('No speech service for the speech-to-text vendor.'),
  },
  'no-llm': {
    name: t('No language model'),
    meaning: t('No credential for the language model vendor.'),
  },
  'tts-failure': {
    name: t('Text-to-speech failed'),
    meaning: t('The text-to-speech vendor returned an error or did not answer.'),
  },
  'stt-failure': {
    name: t('Speech-to-text failed'),
    meaning: t('The speech-to-text vendor returned an error or did not answer.'),
  },
  'llm-failure': {
    name: t('Language model failed'),
    meaning: t('The language model vendor returned an error or did not answer.'),
  },
  'tts-streaming-connection-failure': {
    name: t('Streaming text-to-speech unreachable'),
    meaning: t('Could not connect for streaming text-to-speech.'),
  },
  'no-carrier': {
    name: t('No carrier'),
    meaning: t('An outbound call failed because no carrier was available.'),
  },
  'account-call-limit': {
    name: t('Account call limit'),
    meaning: t('Concurrent call limit exceeded'),
  },
  'account-device-limit': {
    name: t('Account device limit'),
    meaning: t('Registered device limit exceeded'),
  },
  'account-api-limit': {
    name: t('Account API limit'),
    meaning: t('API rate limit exceeded'),
  },
  'service-provider-call-limit': {
    name: t('Provider call limit'),
    meaning: t('Concurrent call limit exceeded'),
  },
  'service-provider-device-limit': {
    name: t('Provider device limit'),
    meaning: t('Registered device limit exceeded'),
  },
  'service-provider-api-limit': {
    name: t('Provider API limit'),
    meaning: t('API rate limit exceeded'),
  },
  'account is inactive or suspended': {
    name: t('Account inactive'),
    meaning: t('A call was rejected because the account is inactive or suspended.'),
  },
  'play-url-notfound': {
    name: t('Audio file not found'),
    meaning: t('No audio file at the URL to play.'),
  },
  'bot-action-delay-giveup': {
    name: t('Application timeout'),
    meaning: t('A call ended because the application took too long to answer.'),
  },
  'error-updating-call': {
    name: t('Call update failed'),
    meaning: t('Updating a call in progress failed.'),
  },
  'alert-from-application': {
    name: t('Application alert'),
    meaning: t('Sent by the application itself.'),
  },
  'no-krisp': {
    name: t('Noise isolation unavailable'),
    meaning: t('Noise isolation was requested but is not set up.'),
  },
  'wallet-low-balance': { name: t('Low balance'), meaning: t('The account’s balance is low.') },
  'wallet-depleted': {
    name: t('Balance used up'),
    meaning: t('The account’s balance is used up.'),
  },
  'wallet-recharge-failed': {
    name: t('Recharge failed'),
    meaning: t('The account’s balance could not be recharged.'),
  },
  'eval-post-failure': {
    name: t('Evaluation not delivered'),
    meaning: t('Could not deliver the evaluation of a call.'),
  },
  // our own
  'event-webhook-disabled': {
    name: t('Event webhook disabled'),
    meaning: t('No event could be delivered for three days.'),
  },
  // our own, for alerts that components write without a type
  untyped: {
    name: t('Carrier notice'),
    meaning: t('A carrier failed to register or to answer pings, or was deactivated for it.'),
  },
} as const satisfies Record<string, AlertType>

/** Notices beside alerts that a destination can receive. Sent only to destinations that select them. */
export const OWN_NOTICES = {
  failure: {
    name: t('New or returned failures'),
    meaning: t(
      'Calls fail for a new cause, or again after it was resolved. Sent only if selected.',
    ),
  },
} as const satisfies Record<string, AlertType>

export const VIEW_ALERT = 'view-alert'

/** Our own, which go to the destinations that their view names, and to no other. */
export const VIEW_ALERT_TYPES = {
  [VIEW_ALERT]: {
    name: t('Saved view alert'),
    meaning: t('A saved view has more or fewer rows than its alert expects.'),
  },
} as const satisfies Record<string, AlertType>

/** Types that a destination can be limited to. */
export const DESTINATION_TYPES = { ...ALERT_TYPES, ...OWN_NOTICES }
export type DestinationType = keyof typeof DESTINATION_TYPES

const NAMED_TYPES = { ...DESTINATION_TYPES, ...VIEW_ALERT_TYPES }

/** Stands for alerts without a type, in filters and subscriptions. */
export const UNTYPED = 'untyped'
export const alertTypeOf = ({ alert_type }: { alert_type: string | null }) => alert_type ?? UNTYPED

/** The label of an alert type. An unknown type is its own label. */
export const alertTypeText = (type: string): AlertType =>
  isKeyOf(NAMED_TYPES, type)
    ? NAMED_TYPES[type]
    : {
        name: type,
        meaning: t('Reported by the platform. Switchroom does not know this type yet.'),
      }

/** The call that an alert names in its text, as some components do; undefined if it names none. */
export const alertCallSid = (alert: { message: string | null; detail: string | null }) =>
  /\bcall_?sid\b["'\s:=]*([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\b/i.exec(
    `${alert.message ?? ''} ${alert.detail ?? ''}`,
  )?.[1]
