import { GENERIC_ERROR, ImportProgress, type ImportVerdict, urlOf } from '@switchroom/contract'
import { queryClient } from './api'
import type { Endpoint } from './endpoints'
import { readApiError } from './read-api-error'
import { requestRaw } from './transport'

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
