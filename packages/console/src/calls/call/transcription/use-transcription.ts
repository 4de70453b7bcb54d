import type { Call, Transcription } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { mayWrite } from '../../../lib/access'
import { query, queryClient } from '../../../lib/api'
import { apiBase, config } from '../../../lib/config'
import { conversations, transcriptions } from '../../../lib/endpoints'
import { statusOf } from '../../../lib/failure'
import { useCapabilities } from '../../../lib/use-capabilities'
import { addressOf } from '../player/address'

const POLL_MS = 2_000

/** True if the server can read the recording, and so send it to a speech service. */
function isRecordedHere({ account_sid, call_sid, recording_url }: Call) {
  if (config.DISABLE_CALL_RECORDING || !account_sid || !call_sid || !recording_url) return false
  const address = addressOf(recording_url, apiBase)
  return address !== undefined && 'params' in address
}

export const paramsOf = ({ account_sid, call_sid }: Call) => ({
  account_sid: account_sid ?? '',
  call_sid: call_sid ?? '',
})

/** Transcription of a call's recording. Polled while the speech service works. */
export function useTranscription(call: Call) {
  const ours = useCapabilities()
  const isRecorded = isRecordedHere(call)
  const { data, error, isLoading } = useQuery({
    ...query(transcriptions.view, { params: paramsOf(call) }),
    enabled: isRecorded && !!ours,
    refetchInterval: ({ state }) =>
      state.data?.state === 'running' && statusOf(state.error) !== 404 && POLL_MS,
    meta: { background: true },
  })
  // once deleted, the last answer remains beside the error
  const transcription = statusOf(error) === 404 ? undefined : data
  return {
    transcription,
    /** True while it is unknown if there is a transcription. */
    isAwaited: isRecorded && (ours === null || isLoading),
    /** True if there is no transcription and the user may request one. */
    isOffered: isRecorded && !!ours && mayWrite() && statusOf(error) === 404,
  }
}

/** Asks for the conversation again whenever the service has heard more of it. */
export function useRefreshedConversation(transcription: Transcription | undefined) {
  const { state, parts } = transcription ?? {}
  const heard = state && `${state} ${parts?.filter(({ text }) => text !== null).length}`
  const last = useRef(heard)
  useEffect(() => {
    if (last.current !== undefined && heard !== undefined && last.current !== heard)
      void queryClient.invalidateQueries({ queryKey: [conversations.ofAccount.path] })
    last.current = heard
  }, [heard])
}
