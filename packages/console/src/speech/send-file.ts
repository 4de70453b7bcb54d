import { urlOf } from '@switchroom/contract'
import { queryClient } from '../lib/api'
import type { Endpoint, Sent } from '../lib/endpoints'
import { readApiError } from '../lib/read-api-error'
import { requestRaw } from '../lib/transport'

/** Uploads a file as multipart field `file`. Throws `ApiError`, `Unreachable`. */
export async function sendFile<E extends Endpoint & { takesFile: number }>(
  e: E,
  sent: Pick<Sent<E>, 'params' & keyof Sent<E>>,
  file: File,
): Promise<void> {
  const form = new FormData()
  form.append('file', file)
  // path parameters are always an object
  const url = urlOf(e, sent as { params?: object })
  const response = await requestRaw(e.method, url, form)
  if (!response.ok) throw await readApiError(response)
  await queryClient.invalidateQueries()
}
