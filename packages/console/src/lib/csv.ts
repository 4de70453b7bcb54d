import { type FileOptions, fileName, membersOf, wantsJsonLines } from '@switchroom/contract'
import { timeZone } from '../ui/time-zone'
import type { Endpoint, Sent } from './endpoints'
import { filePreferences } from './file-preferences'
import { saveFile } from './save-file'

type InQuery<E extends Endpoint> = Extract<keyof Sent<E>, 'query'>
/** Parameters of a file export; its format comes from the preferences. */
export type FileSent<E extends Endpoint> = Omit<Sent<E>, 'query'> &
  Partial<Pick<Sent<E>, InQuery<E>>>

/** How this person wants exported files, as a request asks for it. */
function fileOptions(): FileOptions {
  const { file_separator, file_times } = filePreferences()
  return {
    ...(file_separator && { separator: file_separator }),
    ...(file_times === 'own' && { time_zone: timeZone() }),
  }
}

/** Downloads the response of an endpoint as a file, written as its person prefers. */
export async function download<E extends Endpoint & { file: string }>(e: E, sent: FileSent<E>) {
  const query = membersOf('query' in sent ? sent.query : undefined)
  const written = wantsJsonLines(query) ? query : { ...query, ...fileOptions() }
  const { file } = await import('./answers')
  saveFile(await file(e, { ...sent, query: written }), fileName(e, query) ?? e.file)
}
