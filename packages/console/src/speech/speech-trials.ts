import { file } from '../lib/answers'
import { send } from '../lib/api'
import { accountSpeechTrials, providerSpeechTrials, type Sent } from '../lib/endpoints'

/** The owner in the path of a trial: an account may also use its provider's credentials. */
export type SpeechOwner = { account_sid: string } | { service_provider_sid: string }

type Sentence = Sent<typeof accountSpeechTrials.speak>['body']
type Recording = Sent<typeof accountSpeechTrials.recognize>['body']

/** Text-to-speech of a sentence. Throws `ApiError` with the vendor's reason, and `Unreachable`. */
export const speak = (owner: SpeechOwner, speech_credential_sid: string, body: Sentence) =>
  file('account_sid' in owner ? accountSpeechTrials.speak : providerSpeechTrials.speak, {
    params: { ...owner, speech_credential_sid },
    body,
  })

/** Speech-to-text of a recording. Throws as `speak` does. */
export const recognize = (owner: SpeechOwner, speech_credential_sid: string, body: Recording) =>
  'account_sid' in owner
    ? send(accountSpeechTrials.recognize, { params: { ...owner, speech_credential_sid }, body })
    : send(providerSpeechTrials.recognize, { params: { ...owner, speech_credential_sid }, body })
