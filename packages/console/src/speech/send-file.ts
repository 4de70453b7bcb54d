import { type Endpoint, type Sent, urlOf } from '@switchroom/contract'
import { queryClient } from '../lib/api'
import { refused } from '../lib/refused'
import { requestRaw } from '../lib/transport'

/** Sends a file as the field `file` of a form. Throws `ApiError`, `Unreachable`. */
export async function sendFile<E extends Endpoint & { takesFile: number }>(
  e: E,
  sent: Pick<Sent<E>, 'params' & keyof Sent<E>>,
  file: File,
): Promise<void> {
  const form = new FormData()
  form.append('file', file)
  // the parameters of an endpoint are an object
  const url = urlOf(e, sent as { params?: object })
  const response = await requestRaw(e.method, url, form)
  if (!response.ok) throw await refused(response)
  await queryClient.invalidateQueries()
}
