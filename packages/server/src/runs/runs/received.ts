import { t } from '@switchroom/contract'

/** The response to a message, over HTTP or a WebSocket. */
export type Received = {
  /** `status`: an HTTP status that the platform takes for an error. */
  outcome: 'ok' | 'status' | 'failed'
  status: number | null
  /** JSON of the text; undefined if it is none. */
  text: string
  /** The JSON in it; undefined without. */
  body: unknown
  attempts: number
  /** Why it is an error to the platform; `reason` is how the platform words it, where that is known. */
  problem?: { text: string; reason?: string | undefined }
  /** A note on how the platform takes it, where it reports nothing itself. */
  note?: string
}

export const TOO_DEEP = t('The JSON is nested too deeply, so it is not read.')

/** Deeper JSON is nothing that an application means. */
const MAX_DEPTH = 100

/** True if JSON is nested so deeply that walking it would overflow the stack. */
export function isTooDeep(json: string) {
  let depth = 0
  let isText = false
  for (let i = 0; i < json.length; i += 1) {
    const char = json[i]
    if (isText) {
      if (char === '\\') i += 1
      else if (char === '"') isText = false
    } else if (char === '"') isText = true
    else if (char === '[' || char === '{') {
      depth += 1
      if (depth > MAX_DEPTH) return true
    } else if (char === ']' || char === '}') depth -= 1
  }
  return false
}
