import {
  ApiError,
  jsonLines,
  PROGRESS_TYPE,
  type Progress,
  ProgressLine,
  t,
  UNDO_HEADER,
  urlOf,
} from '@switchroom/contract'
import { capabilities } from './capabilities'
import type { Endpoint, Reply, Sent } from './endpoints'
import { readApiError } from './read-api-error'
import { type Changed, sendChange, undoIn } from './send-change'
import { requestRaw, Unreachable } from './transport'

const CUT = t('The connection was lost before the result came. Reload to see what was changed.')

/** Calls an endpoint that tells its progress if it takes long. Throws as `send`, also when it fails half-way. */
export async function sendWithProgress<E extends Endpoint & { tellsProgress: true }>(
  e: E,
  sent: Sent<E>,
  onProgress: (progress: Progress) => void,
): Promise<Changed<E>> {
  if (!(await capabilities())) return sendChange(e, sent)
  const request: { body?: unknown } = await e.parse(sent)
  const body = new Blob([JSON.stringify(request.body)], { type: 'application/json' })
  const response = await requestRaw(e.method, urlOf(e, request), body, {
    accept: `${PROGRESS_TYPE}, application/json`,
  })
  if (!response.ok || !response.body) throw await readApiError(response)
  if (!response.headers.get('content-type')?.startsWith(PROGRESS_TYPE))
    return {
      reply: (await response.json()) as Reply<E>,
      undo: undoIn(response.headers.get(UNDO_HEADER)),
    }
  try {
    for await (const json of jsonLines(response.body)) {
      const line = ProgressLine.parse(json)
      if ('done' in line) onProgress(line)
      else if ('error' in line) throw new ApiError(line.status, line.error)
      // the server checks it by its schema before sending
      else return { reply: line.result as Reply<E>, undo: undoIn(line[UNDO_HEADER]) }
    }
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new Unreachable(CUT, { cause: error })
  }
  throw new Unreachable(CUT)
}
