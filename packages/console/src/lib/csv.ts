import { fileName, urlOf } from '@switchroom/contract'
import type { Endpoint, Sent } from './endpoints'
import { readApiError } from './read-api-error'
import { saveFile } from './save-file'
import { requestRaw } from './transport'

/** Downloads the response of an endpoint as a file. */
export async function download<E extends Endpoint & { file: string }>(e: E, sent: Sent<E>) {
  const body =
    'body' in sent ? new Blob([JSON.stringify(sent.body)], { type: 'application/json' }) : undefined
  const response = await requestRaw(e.method, urlOf(e, sent), body)
  if (!response.ok) throw await readApiError(response)
  const name = fileName(e, 'query' in sent ? sent.query : undefined) ?? e.file
  saveFile(await response.blob(), name)
}
