import { redirect } from '@tanstack/react-router'
import { query, queryClient } from '../../lib/api'
import { messageOf, statusOf } from '../../lib/failure'
import { setNotice } from '../../lib/notice'
import { currentSpeechApi, type SpeechApi } from './speech-api'

export const viewOf = ({ credentials, owner }: SpeechApi, speech_credential_sid: string) =>
  query(credentials.view, { params: { ...owner, speech_credential_sid } })

/** Loads a credential for its screens. A missing one leads to the list, with a notice. */
export async function load({ speech_credential_sid }: { speech_credential_sid: string }) {
  const view = viewOf(await currentSpeechApi(), speech_credential_sid)
  await queryClient.ensureQueryData(view).catch((error: unknown) => {
    if (statusOf(error) !== 404) throw error
    setNotice(messageOf(error))
    throw redirect({ to: '/internal/speech-services', replace: true })
  })
}
