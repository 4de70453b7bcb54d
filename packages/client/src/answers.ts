import {
  ApiError,
  errorBody,
  GENERIC_ERROR,
  type ImportProgress,
  type ImportVerdict,
  jsonLines,
  PROGRESS_TYPE,
  type Progress,
  type ProgressLine,
  UNDO_HEADER,
} from '@switchroom/contract'
import type { Outgoing } from './connection.ts'
import { type Loaded, RemoteFile } from './file.ts'
import { retryAfterIn } from './retry.ts'
import type { Importing, Upload } from './types.ts'

/**
 * Answers that are more than one piece of JSON: files, and work that tells how far it is. The console reads them with these
 * too too, over its own transport. All throw the contract's `ApiError`, and what the transport throws.
 */

export type { Importing, Loaded }

/** Sends a request to one endpoint. */
export type Send = (outgoing: Pick<Outgoing, 'body' | 'headers'>) => Promise<Response>

/** Thrown when an answer ended before its result: it is unknown if anything was changed. */
export class CutOff extends Error {
  override name = 'CutOff'
}

const JSON_TYPE = 'application/json'
const ACCEPT = { accept: JSON_TYPE }

export const jsonBody = (body: unknown): Pick<Outgoing, 'body' | 'headers'> =>
  body === undefined
    ? { body: undefined, headers: ACCEPT }
    : { body: JSON.stringify(body), headers: { ...ACCEPT, 'content-type': JSON_TYPE } }

/** Reads the error in a response. */
export const refusalIn = async (response: Response) =>
  new ApiError(
    response.status,
    errorBody(await response.json().catch(() => undefined)),
    retryAfterIn(response),
  )

async function successOf(response: Response) {
  if (!response.ok) throw await refusalIn(response)
  return response
}

/** Downloads a file. `onProgress` is called with the bytes received. */
export async function downloaded(
  send: Send,
  body?: unknown,
  onProgress?: (loaded: Loaded) => void,
): Promise<RemoteFile> {
  const { headers, ...json } = jsonBody(body)
  const response = await successOf(await send({ ...json, headers: { ...headers, accept: '*/*' } }))
  return new RemoteFile(response, onProgress)
}

/** Uploads a file as multipart field `file`. */
export async function uploaded(send: Send, body: Upload): Promise<void> {
  const form = new FormData()
  const bytes = await new Response(body).blob()
  form.append('file', bytes, body instanceof File ? body.name : 'file')
  await successOf(await send({ body: form, headers: ACCEPT }))
}

/** Reads lines as they arrive. */
async function* linesOf(response: Response) {
  try {
    if (response.body) yield* jsonLines(response.body)
  } catch (cause) {
    throw new CutOff('Cut off', { cause })
  }
}

/** Uploads a CSV file. Throws `CutOff` without a verdict. */
export async function imported(
  send: Send,
  { body, charset }: { body: Upload; charset?: string | undefined },
  { onRead, onProgress }: Importing,
): Promise<ImportVerdict> {
  const type = `text/csv${charset ? `; charset=${charset}` : ''}`
  const response = await successOf(await send({ body, headers: { 'content-type': type } }))
  // the server checks lines by their schema before sending
  for await (const json of linesOf(response)) {
    const line = json as ImportProgress
    if ('file' in line) onRead?.(line.file)
    else if ('done' in line) onProgress?.(line)
    else if ('verdict' in line) return line.verdict
    else throw new ApiError(500, { ...errorBody(undefined), msg: line.msg ?? GENERIC_ERROR })
  }
  throw new CutOff('No result')
}

/** Reads a result that takes long, with the server's way to undo it. Throws `CutOff` without a result. */
export async function reported(
  send: Send,
  body: unknown,
  onProgress: (progress: Progress) => void,
): Promise<{ result: unknown; undo: string | null | undefined }> {
  const { headers, ...json } = jsonBody(body)
  const accept = `${PROGRESS_TYPE}, ${JSON_TYPE}`
  const response = await successOf(await send({ ...json, headers: { ...headers, accept } }))
  if (!response.headers.get('content-type')?.startsWith(PROGRESS_TYPE))
    return { result: await response.json(), undo: response.headers.get(UNDO_HEADER) }
  for await (const json of linesOf(response)) {
    const line = json as ProgressLine
    if ('done' in line) onProgress(line)
    else if ('error' in line) throw new ApiError(line.status, line.error)
    else return { result: line.result, undo: line[UNDO_HEADER] }
  }
  throw new CutOff('No result')
}
