import type { Expectation } from '@switchroom/contract'

/** A number, as of money or a time; and a part of a date that is a word. */
const NUMBER = '\\p{Nd}(?:[\\p{Nd}.,:/-]*\\p{Nd})?'
const MONTHS =
  'january|february|march|april|june|july|august|september|october|november|december|januar|februar|märz|juni|juli|oktober|dezember'
const DAYS =
  'monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag'
const OF_TIMES = new RegExp(`${NUMBER}|(?<!\\p{L})(?:${MONTHS}|${DAYS})(?!\\p{L})`, 'giu')
/** A word with a capital within a sentence. */
const NAMES = /(?<=[\p{L}\p{Nd},;:] )\p{Lu}\p{Ll}[\p{L}'’-]*/gu

/** Languages whose nouns all have capitals. */
const hasCapitals = (language: string | null) => /^(?:de|lb)\b/i.test(language ?? '')

/**
 * An expectation that holds also when numbers, dates and names differ; null if none is in it. `language` is that of the
 * text, null if it is not known.
 */
export function loosened(expected: Expectation, language: string | null): Expectation | null {
  if (expected.kind !== 'says' || expected.is_pattern) return null
  const { text } = expected
  const found = [
    ...text.matchAll(OF_TIMES),
    ...(hasCapitals(language) ? [] : text.matchAll(NAMES)),
  ].sort((a, b) => a.index - b.index)
  if (found.length === 0) return null
  let pattern = ''
  let done = 0
  for (const { 0: part, index } of found) {
    // a day is a word with a capital as well
    if (index < done) continue
    pattern += `${escaped(text.slice(done, index))}${/^\p{Nd}/u.test(part) ? '[\\d.,:/-]+' : '\\S+'}`
    done = index + part.length
  }
  return { ...expected, text: pattern + escaped(text.slice(done)), is_pattern: true }
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
