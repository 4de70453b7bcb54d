import {
  type FileRead,
  GENERIC_ERROR,
  ImportProgress,
  type ImportVerdict,
  jsonLines,
  type Progress,
  urlOf,
} from '@switchroom/contract'
import { queryClient } from './api'
import type { Endpoint } from './endpoints'
import { readApiError } from './read-api-error'
import { requestRaw } from './transport'

type Importing = Endpoint & { takesCsv: number }

type Listening = {
  onRead: (file: FileRead) => void
  onProgress: (progress: Progress) => void
  signal: AbortSignal
}

/** Uploads a CSV file and reports progress. Throws if the import did not finish: aborted, it keeps nothing. */
export async function importFile<E extends Importing>(
  e: E,
  sent: { params?: object | undefined; query: object },
  file: { blob: Blob; charset?: string | undefined },
  { onRead, onProgress, signal }: Listening,
): Promise<ImportVerdict> {
  const type = { 'content-type': `text/csv${file.charset ? `; charset=${file.charset}` : ''}` }
  const response = await requestRaw(e.method, urlOf(e, sent), file.blob, type, signal)
  if (!response.ok || !response.body) throw await readApiError(response)
  let end: Exclude<ImportProgress, Progress | { file: FileRead }> | undefined
  for await (const line of jsonLines(response.body)) {
    const progress = ImportProgress.parse(line)
    if ('file' in progress) onRead(progress.file)
    else if ('done' in progress) onProgress(progress)
    else end = progress
  }
  if (end && 'verdict' in end) {
    if (end.verdict.added > 0) await queryClient.invalidateQueries()
    return end.verdict
  }
  throw new Error(end?.msg ?? GENERIC_ERROR)
}
