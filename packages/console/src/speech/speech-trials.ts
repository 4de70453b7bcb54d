import { urlOf } from '@switchroom/contract'
import { send } from '../lib/api'
import {
  accountSpeechTrials,
  type Endpoint,
  providerSpeechTrials,
  type Sent,
} from '../lib/endpoints'
import { readApiError } from '../lib/read-api-error'
import { requestRaw } from '../lib/transport'

/** The owner in the path of a trial: an account may also use its provider's credentials. */
export type SpeechOwner = { account_sid: string } | { service_provider_sid: string }

type Sentence = Sent<typeof accountSpeechTrials.speak>['body']
type Recording = Sent<typeof accountSpeechTrials.recognise>['body']

const post = (e: Endpoint, params: object, body: object) =>
  requestRaw(e.method, urlOf(e, { params }), new Blob([JSON.stringify(body)]), {
    accept: 'audio/*, application/json',
    'content-type': 'application/json',
  })

/** Text-to-speech of a sentence. Throws `ApiError` with the vendor's reason, and `Unreachable`. */
export async function speak(owner: SpeechOwner, speech_credential_sid: string, body: Sentence) {
  const e = 'account_sid' in owner ? accountSpeechTrials.speak : providerSpeechTrials.speak
  const response = await post(e, { ...owner, speech_credential_sid }, body)
  if (!response.ok) throw await readApiError(response)
  return response.blob()
}

/** Speech-to-text of a recording. Throws as `speak` does. */
export const recognise = (owner: SpeechOwner, speech_credential_sid: string, body: Recording) =>
  'account_sid' in owner
    ? send(accountSpeechTrials.recognise, { params: { ...owner, speech_credential_sid }, body })
    : send(providerSpeechTrials.recognise, { params: { ...owner, speech_credential_sid }, body })
