import { query, queryClient } from '../../lib/api'
import { currentSpeechApi, type SpeechApi } from './speech-api'

export const viewOf = ({ credentials, owner }: SpeechApi, speech_credential_sid: string) =>
  query(credentials.view, { params: { ...owner, speech_credential_sid } })

/** Loads a credential for its screens. */
export const load = async ({ speech_credential_sid }: { speech_credential_sid: string }) =>
  queryClient.ensureQueryData(viewOf(await currentSpeechApi(), speech_credential_sid))
