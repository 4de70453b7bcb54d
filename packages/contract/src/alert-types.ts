type AlertType = { name: string; meaning: string }

/** What the platform's components report, by the type that stands in the record. */
export const ALERT_TYPES = {
  'webhook-failure': {
    name: 'Webhook failed',
    meaning: 'The application’s webhook answered with an error.',
  },
  'webhook-connection-failure': {
    name: 'Webhook unreachable',
    meaning: 'No connection to the application’s webhook could be made.',
  },
  'webhook-auth-failure': {
    name: 'Webhook refused the log-in',
    meaning: 'The webhook did not accept the user name and password.',
  },
  'webhook-url-notfound': {
    name: 'Webhook not found',
    meaning: 'There is nothing at the webhook’s URL.',
  },
  'invalid-app-payload': {
    name: 'Application not understood',
    meaning: 'The webhook answered something that is no valid list of verbs.',
  },
  'no-tts': {
    name: 'No text-to-speech',
    meaning: 'There is no credential for the vendor that is to speak.',
  },
  'no-stt': {
    name: 'No speech-to-text',
    meaning: 'There is no credential for the vendor that is to listen.',
  },
  'no-llm': {
    name: 'No language model',
    meaning: 'There is no credential for the language model’s vendor.',
  },
  'tts-failure': {
    name: 'Text-to-speech failed',
    meaning: 'The vendor that is to speak refused, or did not answer.',
  },
  'stt-failure': {
    name: 'Speech-to-text failed',
    meaning: 'The vendor that is to listen refused, or did not answer.',
  },
  'llm-failure': {
    name: 'Language model failed',
    meaning: 'The language model’s vendor refused, or did not answer.',
  },
  'tts-streaming-connection-failure': {
    name: 'Streaming speech unreachable',
    meaning: 'No connection for streaming text-to-speech could be made.',
  },
  'no-carrier': {
    name: 'No carrier',
    meaning: 'An outbound call failed because no carrier could take it.',
  },
  'account-call-limit': {
    name: 'Account’s call limit',
    meaning: 'The account had more calls at once than it may have.',
  },
  'account-device-limit': {
    name: 'Account’s device limit',
    meaning: 'The account had more devices registered than it may have.',
  },
  'account-api-limit': {
    name: 'Account’s API limit',
    meaning: 'The account called the API more often than it may.',
  },
  'service-provider-call-limit': {
    name: 'Provider’s call limit',
    meaning: 'The service provider had more calls at once than it may have.',
  },
  'service-provider-device-limit': {
    name: 'Provider’s device limit',
    meaning: 'The service provider had more devices registered than it may have.',
  },
  'service-provider-api-limit': {
    name: 'Provider’s API limit',
    meaning: 'The service provider called the API more often than it may.',
  },
  'account is inactive or suspended': {
    name: 'Account inactive',
    meaning: 'A call was refused because the account is inactive or suspended.',
  },
  'play-url-notfound': {
    name: 'Audio file not found',
    meaning: 'There is no audio file at the URL that was to be played.',
  },
  'bot-action-delay-giveup': {
    name: 'Application too slow',
    meaning: 'A call was ended because the application took too long to answer.',
  },
  'error-updating-call': {
    name: 'Call not changed',
    meaning: 'A change of a call that was under way failed.',
  },
  'alert-from-application': {
    name: 'From the application',
    meaning: 'The application sent this alert itself.',
  },
  'no-krisp': {
    name: 'No noise isolation',
    meaning: 'Noise isolation was asked for and is not set up.',
  },
  'wallet-low-balance': { name: 'Low balance', meaning: 'The account’s balance is low.' },
  'wallet-depleted': { name: 'Balance used up', meaning: 'The account’s balance is used up.' },
  'wallet-recharge-failed': {
    name: 'Recharge failed',
    meaning: 'The account’s balance could not be recharged.',
  },
  'eval-post-failure': {
    name: 'Evaluation not delivered',
    meaning: 'The evaluation of a call could not be handed over.',
  },
  // ours, for those of which the components name no type
  untyped: {
    name: 'Carrier notice',
    meaning: 'A carrier could not be registered or pinged, or was switched off for that.',
  },
} as const satisfies Record<string, AlertType>
export type KnownAlertType = keyof typeof ALERT_TYPES

/** The type of an alert that has none, as it is filtered by and chosen. */
export const UNTYPED = 'untyped'
export const alertTypeOf = ({ alert_type }: { alert_type: string | null }) => alert_type ?? UNTYPED

/** The type in words. One that a newer component writes is itself. */
export const alertTypeWords = (type: string): AlertType =>
  Object.hasOwn(ALERT_TYPES, type)
    ? ALERT_TYPES[type as KnownAlertType]
    : { name: type, meaning: 'The platform reports this; Switchroom does not know it yet.' }
