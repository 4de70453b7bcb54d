import {
  type Endpoint,
  fileName,
  GENERIC_ERROR,
  ImportProgress,
  type ImportVerdict,
  type Sent,
  urlOf,
} from '@switchroom/contract'
import { queryClient } from './api'
import { readApiError } from './read-api-error'
import { saveFile } from './save-file'
import { requestRaw } from './transport'

/** Downloads the response of an endpoint as a file. */
export async function download<E extends Endpoint & { file: string }>(e: E, sent: Sent<E>) {
  const response = await requestRaw(e.method, urlOf(e, sent))
  if (!response.ok) throw await readApiError(response)
  const name = fileName(e, 'query' in sent ? sent.query : undefined) ?? e.file
  saveFile(await response.blob(), name)
}

type Importing = Endpoint & { takesCsv: number }
type Done = { done: number; rows: number }

/** Uploads a CSV file and reports progress. Throws if the import did not finish. */
export async function importFile<E extends Importing>(
  e: E,
  sent: { query: object },
  file: Blob,
  onProgress: (progress: Done) => void,
): Promise<ImportVerdict> {
  const response = await requestRaw(e.method, urlOf(e, sent), file, { 'content-type': 'text/csv' })
  if (!response.ok || !response.body) throw await readApiError(response)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  let end: Exclude<ImportProgress, Done> | undefined
  while (true) {
    const { done, value } = await reader.read()
    if (done) break
    const lines = (rest + value).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      const progress = ImportProgress.parse(JSON.parse(line))
      if ('done' in progress) onProgress(progress)
      else end = progress
    }
  }
  if (end && 'verdict' in end) {
    if (end.verdict.added > 0) await queryClient.invalidateQueries()
    return end.verdict
  }
  throw new Error(end?.msg ?? GENERIC_ERROR)
}
