import {
  ApiError as ContractError,
  callUnchecked,
  IDEMPOTENCY_HEADER,
  membersOf,
  type Progress,
  urlOf,
} from '@switchroom/contract'
import {
  CutOff,
  downloaded,
  imported,
  jsonBody,
  refusalIn,
  reported,
  type Send,
  uploaded,
} from './answers.ts'
import type { Command } from './commands.ts'
import type { Connection, Repeatable } from './connection.ts'
import { NotFound, NotSupported, refusal, Unreachable } from './errors.ts'
import { newKey } from './key.ts'
import type { Importing, Loading, Options, Upload } from './types.ts'

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
    const thrown = asOwn(error)
    if (!(thrown instanceof NotFound)) throw thrown
    // what no route answers looks like a missing thing
    const name = `${called.group}.${called.name}`
    const support = await connection.support().catch(() => undefined)
    throw support?.lacks.includes(name) ? new NotSupported(name) : thrown
  }
}

const CUT =
  'The connection was lost before the result came. Read what was changed before you repeat it.'

function asOwn(error: unknown) {
  if (error instanceof ContractError) return refusal(error.status, error.body, error.retryAfter)
  return error instanceof CutOff ? new Unreachable(CUT, { cause: error.cause }) : error
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
  const { body, charset } = request
  // an endpoint's type says what it takes and tells (types.ts)
  const { onProgress } = options
  if (command.takesCsv)
    return imported(send, { body: body as Upload, charset }, options as Importing)
  if (command.takesFile) return uploaded(send, body as Upload)
  if (isFile(command)) return downloaded(send, body, onProgress as Loading['onProgress'])
  if (command.tellsProgress && onProgress)
    return reported(send, body, onProgress as (progress: Progress) => void).then(
      ({ result }) => result,
    )
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

function repeatableOf(
  { method, creates, idempotent, mutatesWhen }: Command,
  query: unknown,
): Repeatable {
  if (creates) return 'keyed'
  return idempotent || (method === 'GET' && !(mutatesWhen && membersOf(query)[mutatesWhen]))
}
