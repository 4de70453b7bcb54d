import type { Importing, Loaded } from '@switchroom/client/answers'
import * as client from '@switchroom/client/answers'
import { type ImportVerdict, type Progress, t, urlOf } from '@switchroom/contract'
import { queryClient } from './api'
import { capabilities } from './capabilities'
import type { Endpoint, Reply, Sent } from './endpoints'
import { type Changed, sendChange, undoIn } from './send-change'
import { requestRaw, Unreachable } from './transport'

// what the client for programs reads, over the transport of whoever is signed in; loaded when it is needed

const CUT = t('The connection was lost before the result came. Reload to see what was changed.')

const sender =
  (e: Endpoint, sent: object, signal?: AbortSignal): client.Send =>
  ({ body, headers }) =>
    requestRaw(e.method, urlOf(e, sent), body, headers, signal)

async function orUnreachable<T>(answer: Promise<T>) {
  try {
    return await answer
  } catch (error) {
    throw error instanceof client.CutOff ? new Unreachable(CUT, { cause: error }) : error
  }
}

type FileRequest = { params?: object; query?: object; body?: unknown }
type Heard = { onProgress?: (loaded: Loaded) => void; signal?: AbortSignal }

/** The file that an endpoint answers with. Throws as `send`, and network errors midway. */
export async function file(e: Endpoint, sent: FileRequest, { onProgress, signal }: Heard = {}) {
  const answer = await client.downloaded(sender(e, sent, signal), sent.body, onProgress)
  return answer.blob()
}

/** Uploads a file as multipart field `file`. Throws as `send`. */
export async function upload<E extends Endpoint & { takesFile: number }>(
  e: E,
  sent: Pick<Sent<E>, 'params' & keyof Sent<E>>,
  content: File,
) {
  await client.uploaded(sender(e, sent), content)
  await queryClient.invalidateQueries()
}

/** Uploads a CSV file. Throws if the import did not finish: aborted, it keeps nothing. */
export async function importFile<E extends Endpoint & { takesCsv: number }>(
  e: E,
  sent: { params?: object | undefined; query: object },
  { blob, charset }: { blob: Blob; charset?: string | undefined },
  { signal, ...told }: Required<Importing> & { signal: AbortSignal },
): Promise<ImportVerdict> {
  const verdict = await orUnreachable(
    client.imported(sender(e, sent, signal), { body: blob, charset }, told),
  )
  if (verdict.added > 0) await queryClient.invalidateQueries()
  return verdict
}

/** Calls an endpoint that tells its progress if it takes long. Throws as `send`, also when it fails half-way. */
export async function sendWithProgress<E extends Endpoint & { tellsProgress: true }>(
  e: E,
  sent: Sent<E>,
  onProgress: (progress: Progress) => void,
): Promise<Changed<E>> {
  if (!(await capabilities())) return sendChange(e, sent)
  const request: { body?: unknown } = await e.parse(sent)
  const { result, undo } = await orUnreachable(
    client.reported(sender(e, request), request.body, onProgress),
  )
  // the server checks it by its schema before sending
  return { reply: result as Reply<E>, undo: undoIn(undo) }
}
