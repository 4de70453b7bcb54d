import { t } from '@switchroom/contract'

/** What came back for a message, over HTTP or a WebSocket. */
export type Received = {
  /** `status`: an HTTP status that the platform takes for an error. */
  outcome: 'ok' | 'status' | 'failed'
  status: number | null
  /** As it came. */
  text: string
  /** The JSON in it; undefined without. */
  body: unknown
  attempts: number
  /** Why it is an error to the platform; `reason` is how the platform words it, where that is known. */
  problem?: { text: string; reason?: string | undefined }
  /** What the platform makes of it without a word. */
  note?: string
}

export const TOO_DEEP = t('The JSON is nested too deeply, so it is not read.')

/** Deeper JSON is nothing that an application means. */
const MAX_DEPTH = 100

/** Whether JSON is nested so deeply that what walks it would run out of stack. */
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
