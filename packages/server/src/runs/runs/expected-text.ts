import { createContext, Script } from 'node:vm'
import { errorCode } from '../../errors/members.ts'

/** For all patterns of a run, so that none of them holds up the server. */
const PATIENCE_MS = 100
const NEAREST_CHARS = 500

type Wanted = { text: string; is_pattern?: boolean | undefined }
export type TextMatch = {
  /** True if a text contains a part, or matches a pattern. */
  has: (text: string, wanted: Wanted) => boolean
  /** True once a pattern took too long. Those after it match nothing either. */
  isSlow: () => boolean
}

/** Processor time of this process, in milliseconds. */
const busyMs = () => process.cpuUsage().user / 1_000

const script = new Script("new RegExp(pattern, 'i').test(text)")

/** Compares texts with parts or patterns, which are valid. */
export function textMatch(): TextMatch {
  let left = PATIENCE_MS
  const place: { pattern?: string; text?: string } = Object.create(null)
  const context = createContext(place)
  return {
    has(text, { text: pattern, is_pattern }) {
      if (!is_pattern) return hasPart(text, pattern)
      if (left < 1) return false
      Object.assign(place, { pattern, text: withoutTags(text) })
      for (;;) {
        const began = busyMs()
        try {
          return script.runInContext(context, { timeout: Math.ceil(left) }) === true
        } catch (e) {
          if (errorCode(e) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw e
          // on a busy machine, time passes without this process
          if (busyMs() - began >= left / 2) left = 0
          if (left < 1) return false
        } finally {
          left -= busyMs() - began
        }
      }
    },
    isSlow: () => left < 1,
  }
}

export const hasPart = (whole: string, part: string) => plainText(whole).includes(plainText(part))

const withoutTags = (text: string) =>
  text
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
/** A text for comparison: without the tags of SSML, in lower case. */
const plainText = (text: string) => withoutTags(text).toLowerCase()

const wordsIn = (text: string) => plainText(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** The text that shares most words with another; null if none shares any. */
export function nearestText(texts: readonly string[], wanted: string): string | null {
  const words = new Set(wordsIn(wanted))
  let [best, most] = [null as string | null, 0]
  for (const text of texts) {
    const shared = new Set(wordsIn(text).filter((word) => words.has(word))).size
    if (shared > most) [best, most] = [text, shared]
  }
  return best && withoutTags(best).slice(0, NEAREST_CHARS)
}
