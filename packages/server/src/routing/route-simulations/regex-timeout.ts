import { createContext, Script } from 'node:vm'
import { type MatchRegex, matchRegex, PatternTooSlow, waysToMatch } from '@switchroom/contract'
import { errorCode } from '../../errors/members.ts'

const PATIENCE_MS = 100
/** Patterns of so few ways need no time limit: five hundred different ones take about a tenth of a second at worst. */
const FEW_WAYS = 8_192
const script = new Script('new RegExp(regex).test(number)')

/**
 * Matches regular expressions with one time budget for all patterns, so that a runaway one cannot block the
 * server.
 */
export function regexTimeout(): MatchRegex {
  let left = PATIENCE_MS
  const place: { regex?: string; number?: string } = Object.create(null)
  const context = createContext(place)
  return (regex, number) => {
    if (waysToMatch(regex) <= FEW_WAYS) return matchRegex(regex, number)
    if (left < 1) throw new PatternTooSlow()
    Object.assign(place, { regex, number })
    const began = performance.now()
    try {
      return script.runInContext(context, { timeout: Math.ceil(left) }) === true
    } catch (e) {
      if (errorCode(e) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new PatternTooSlow()
      throw e
    } finally {
      left -= performance.now() - began
    }
  }
}
