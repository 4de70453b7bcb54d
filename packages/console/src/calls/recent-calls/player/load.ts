import { urlOf } from '@switchroom/contract'
import { recordings, type Sent } from '../../../lib/endpoints'
import { readApiError } from '../../../lib/read-api-error'
import { requestRaw } from '../../../lib/transport'

/**
 * Downloads a recording, with the token in a header and never in a URL, and reports progress. Stops early, with
 * an incomplete blob, when it is no longer wanted.
 * Throws `ApiError`, `Unreachable`, and network errors midway.
 */
export async function load(
  params: Sent<typeof recordings.ofAccount>['params'],
  onProgress: (share: number) => void,
  isWanted: () => boolean,
): Promise<Blob> {
  const { method } = recordings.ofAccount
  const response = await requestRaw(method, urlOf(recordings.ofAccount, { params }), undefined, {
    accept: 'audio/*, application/json',
  })
  if (!response.ok) throw await readApiError(response)
  const size = Number(response.headers.get('content-length'))
  const reader = response.body!.getReader()
  const parts: Uint8Array<ArrayBuffer>[] = []
  let received = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (!isWanted()) {
      await reader.cancel()
      break
    }
    parts.push(next.value)
    received += next.value.length
    if (size > 0) onProgress(received / size)
  }
  return new Blob(parts, { type: response.headers.get('content-type') ?? '' })
}

/** File name, as in the platform's own console. */
export const nameOf = (call_sid: string, { type }: Pick<Blob, 'type'>) =>
  `callid-${call_sid}.${type === 'audio/wav' ? 'wav' : 'mp3'}`
