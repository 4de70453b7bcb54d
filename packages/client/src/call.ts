import {
  ApiError as ContractError,
  callUnchecked,
  errorBody,
  GENERIC_ERROR,
  IDEMPOTENCY_HEADER,
  type ImportProgress,
  jsonLines,
  membersOf,
  PROGRESS_TYPE,
  type ProgressLine,
  urlOf,
} from '@switchroom/contract'
import type { Command } from './commands.ts'
import type { Connection, Outgoing, Repeatable } from './connection.ts'
import { NotFound, NotSupported, refusal, Unreachable } from './errors.ts'
import { type Loaded, RemoteFile } from './file.ts'
import { newKey } from './key.ts'
import { retryAfterIn } from './retry.ts'
import type { Options, Upload } from './types.ts'

export type AnyRequest = {
  params?: object
  query?: object
  body?: unknown
  version?: string | undefined
  charset?: string | undefined
}
export type AnyOptions = Options & {
  onProgress?: (progress: never) => void
  onRead?: (file: never) => void
}
export type Named = { group: string; name: string; command: Command }

/** Calls an endpoint. Throws a `SwitchroomError`. */
export async function callEndpoint(
  connection: Connection,
  called: Named,
  request: AnyRequest,
  options: AnyOptions,
): Promise<unknown> {
  try {
    return await answerOf(connection, called, await checked(called, request, options), options)
  } catch (error) {
    const thrown = error instanceof ContractError ? refusal(error.status, error.body) : error
    if (!(thrown instanceof NotFound)) throw thrown
    // what no route answers looks like a missing thing
    const name = `${called.group}.${called.name}`
    const support = await connection.support().catch(() => undefined)
    throw support?.lacks.includes(name) ? new NotSupported(name) : thrown
  }
}

async function checked({ group, name, command }: Named, request: AnyRequest, options: AnyOptions) {
  if (!options.check || !command.takesBody || isUpload(command)) return request
  const { parsed } = await import('./schemas.ts')
  return parsed(group, name, request)
}

const isUpload = ({ takesCsv, takesFile }: Command) => takesCsv || takesFile
const isFile = ({ file, stream, download, sound, picture }: Command) =>
  file || stream || download || sound || picture

function answerOf(
  connection: Connection,
  { command }: Named,
  request: AnyRequest,
  options: AnyOptions,
): Promise<unknown> {
  const { method } = command
  const send: Send = (outgoing) =>
    connection.send(
      { method, path: urlOf(command, request), signal: options.signal, ...outgoing },
      repeatableOf(command, request.query),
    )
  if (command.takesCsv) return imported(send, request, options)
  if (command.takesFile) return uploaded(send, request)
  if (isFile(command)) return downloaded(send, request, options)
  if (command.tellsProgress && options.onProgress) return reported(send, request, options)
  return callUnchecked(
    async (_method, _path, body, version) => {
      const { headers, ...json } = jsonBody(body)
      const key = command.creates && { [IDEMPOTENCY_HEADER]: options.idempotencyKey ?? newKey() }
      const response = await send({ ...json, headers: { ...headers, ...version, ...key } })
      if (response.status >= 400) throw await refusalIn(response)
      return { status: response.status, json: () => response.json() }
    },
    command,
    request,
  )
}

type Send = (outgoing: Omit<Outgoing, 'signal' | 'method' | 'path'>) => Promise<Response>

function repeatableOf(
  { method, creates, idempotent, mutatesWhen }: Command,
  query: unknown,
): Repeatable {
  if (creates) return 'keyed'
  return idempotent || (method === 'GET' && !(mutatesWhen && membersOf(query)[mutatesWhen]))
}

const JSON_TYPE = 'application/json'
const ACCEPT = { accept: JSON_TYPE }

const jsonBody = (body: unknown): Pick<Outgoing, 'body' | 'headers'> =>
  body === undefined
    ? { body: undefined, headers: ACCEPT }
    : { body: JSON.stringify(body), headers: { ...ACCEPT, 'content-type': JSON_TYPE } }

const refusalIn = async (response: Response) =>
  refusal(
    response.status,
    errorBody(await response.json().catch(() => undefined)),
    retryAfterIn(response),
  )

async function successOf(response: Response) {
  if (!response.ok) throw await refusalIn(response)
  return response
}

async function downloaded(send: Send, { body }: AnyRequest, { onProgress }: AnyOptions) {
  const { headers, ...json } = jsonBody(body)
  const response = await successOf(await send({ ...json, headers: { ...headers, accept: '*/*' } }))
  return new RemoteFile(response, onProgress as ((loaded: Loaded) => void) | undefined)
}

async function uploaded(send: Send, { body }: AnyRequest) {
  const form = new FormData()
  const bytes = await new Response(body as Upload).blob()
  form.append('file', bytes, body instanceof File ? body.name : 'file')
  await successOf(await send({ body: form, headers: ACCEPT }))
}

const CUT =
  'The connection was lost before the result came. Read what was changed before you repeat it.'

/** Lines as they come; what ends early throws. */
async function* linesOf(response: Response) {
  try {
    if (response.body) yield* jsonLines(response.body)
  } catch (cause) {
    throw new Unreachable(CUT, { cause })
  }
}

async function imported(send: Send, { body, charset }: AnyRequest, options: AnyOptions) {
  const type = `text/csv${charset ? `; charset=${charset}` : ''}`
  const response = await successOf(
    await send({ body: body as Upload, headers: { 'content-type': type } }),
  )
  for await (const json of linesOf(response)) {
    const line = json as ImportProgress
    if ('file' in line) options.onRead?.(line.file as never)
    else if ('done' in line) options.onProgress?.(line as never)
    else if ('verdict' in line) return line.verdict
    else throw refusal(500, { ...errorBody(undefined), msg: line.msg ?? GENERIC_ERROR })
  }
  throw new Unreachable(CUT)
}

async function reported(send: Send, { body }: AnyRequest, options: AnyOptions) {
  const { headers, ...json } = jsonBody(body)
  const accept = `${PROGRESS_TYPE}, application/json`
  const response = await successOf(await send({ ...json, headers: { ...headers, accept } }))
  if (!response.headers.get('content-type')?.startsWith(PROGRESS_TYPE)) return response.json()
  for await (const json of linesOf(response)) {
    const line = json as ProgressLine
    if ('done' in line) options.onProgress?.(line as never)
    else if ('error' in line) throw refusal(line.status, line.error)
    else return line.result
  }
  throw new Unreachable(CUT)
}
