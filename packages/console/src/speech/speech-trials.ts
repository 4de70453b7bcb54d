import {
  accountSpeechTrials,
  type Endpoint,
  providerSpeechTrials,
  type Sent,
  urlOf,
} from '@switchroom/contract'
import { send } from '../lib/api'
import { refused } from '../lib/refused'
import { requestRaw } from '../lib/transport'

/** Below whom a credential is tried: an account may use its provider's too. */
export type SpeechOwner = { account_sid: string } | { service_provider_sid: string }

type Sentence = Sent<typeof accountSpeechTrials.speak>['body']
type Recording = Sent<typeof accountSpeechTrials.recognise>['body']

const post = (e: Endpoint, params: object, body: object) =>
  requestRaw(e.method, urlOf(e, { params }), new Blob([JSON.stringify(body)]), {
    accept: 'audio/*, application/json',
    'content-type': 'application/json',
  })

/** The sentence as sound. Throws `ApiError` with the vendor's reason, `Unreachable`. */
export async function speak(owner: SpeechOwner, speech_credential_sid: string, body: Sentence) {
  const e = 'account_sid' in owner ? accountSpeechTrials.speak : providerSpeechTrials.speak
  const response = await post(e, { ...owner, speech_credential_sid }, body)
  if (!response.ok) throw await refused(response)
  return response.blob()
}

/** What the vendor understands of a recording. Throws as `speak` does. */
export const recognise = (owner: SpeechOwner, speech_credential_sid: string, body: Recording) =>
  'account_sid' in owner
    ? send(accountSpeechTrials.recognise, { params: { ...owner, speech_credential_sid }, body })
    : send(providerSpeechTrials.recognise, { params: { ...owner, speech_credential_sid }, body })
