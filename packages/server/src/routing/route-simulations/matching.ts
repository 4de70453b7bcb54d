import { setImmediate } from 'node:timers/promises'
import { createContext, Script } from 'node:vm'
import { byPriority, PatternTooSlow, type Route } from '@switchroom/contract'
import { errorCode } from '../../errors/members.ts'

/** For some numbers. If they need more, fewer are tried, down to one, which has longer in case the machine is busy. */
const PATIENCE_MS = 100
const ALONE_MS = 300
const NUMBERS_AT_ONCE = 500
const SLICE_MS = 10
/** Such a pattern matches only numbers with this first digit. */
const FIRST_DIGIT = /^\^(\d)(?![*?{])[^|]*$/

/**
 * Matches numbers against patterns. The loop is inside the script, so that its time limit covers all of them. An
 * invalid pattern (V8 finds some too large only when it uses them) ends the search for numbers that do not begin with
 * its text; a route without carriers is skipped.
 */
const compile = new Script(`
  const compiled = routes.map(({ regex, digit, isUsed }) => {
    let pattern
    try { pattern = new RegExp(regex) } catch {}
    return { regex, digit, isUsed, pattern, first: regex.charCodeAt(0) }
  })
  let at = 0
  const find = (number) => {
    const first = number.charCodeAt(0)
    for (at = 0; at < compiled.length; at++) {
      const { regex, digit, isUsed, pattern, first: text } = compiled[at]
      const isText = text === first && number.startsWith(regex)
      if (!isText && !pattern) return -1
      if (!isUsed && isText) continue
      if (isText) return at
      if (digit && digit !== first) continue
      try {
        if (pattern.test(number) && isUsed) return at
      } catch {
        return -1
      }
    }
    return -1
  }
`)
const run = new Script('numbers.map(find)')
const current = new Script('at')

/** Time for the whole of a replay. Lets other work run in between. Throws `PatternTooSlow` at its end. */
export class MatchingTime {
  #end: number
  #sliceEnd = performance.now() + SLICE_MS
  /** The pattern that took too long. */
  pattern: string | null = null

  constructor(ms: number) {
    this.#end = performance.now() + ms
  }

  async pause() {
    const now = performance.now()
    if (now < this.#sliceEnd) return
    if (now > this.#end) throw new PatternTooSlow()
    await setImmediate()
    this.#sliceEnd = performance.now() + SLICE_MS
  }
}

/**
 * The routes of numbers that match one, by their index in the input: as `simulateOutbound` chooses them, but for many
 * numbers at once. Throws `PatternTooSlow`.
 */
export async function matchRoutes(
  routes: Route[],
  numbers: string[],
  time: MatchingTime,
): Promise<Map<string, number>> {
  const ordered = byPriority(routes)
  const place: { numbers: string[]; routes: object[] } = {
    numbers: [],
    routes: ordered.map(({ regex, lcr_carrier_set_entries }) => ({
      regex,
      digit: FIRST_DIGIT.exec(regex)?.[1]?.charCodeAt(0) ?? 0,
      isUsed: lcr_carrier_set_entries.length > 0,
    })),
  }
  const context = createContext(Object.assign(Object.create(null), place))
  // only parses: V8 compiles a pattern on first use
  compile.runInContext(context)
  const places = new Map(routes.map((route, i) => [route, i]))
  const chosen = new Map<string, number>()

  const match = async (some: string[]): Promise<void> => {
    await time.pause()
    let found: number[]
    context.numbers = some
    try {
      // indices: the script is ours
      found = run.runInContext(context, {
        timeout: some.length === 1 ? ALONE_MS : PATIENCE_MS,
      }) as number[]
    } catch (e) {
      if (errorCode(e) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw e
      if (some.length === 1) {
        const at: unknown = current.runInContext(context)
        time.pattern = ordered[Number(at)]?.regex ?? null
        throw new PatternTooSlow()
      }
      const half = Math.ceil(some.length / 2)
      await match(some.slice(0, half))
      return match(some.slice(half))
    }
    for (const [i, at] of found.entries())
      if (at >= 0) chosen.set(some[i]!, places.get(ordered[at]!)!)
  }
  for (let i = 0; i < numbers.length; i += NUMBERS_AT_ONCE)
    await match(numbers.slice(i, i + NUMBERS_AT_ONCE))
  return chosen
}
