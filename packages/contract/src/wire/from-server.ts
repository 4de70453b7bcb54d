import { catalogue, numberText, partsOf, plural, t, translated } from './text.ts'

/**
 * Patterns for values that cannot be just anything. `to`, the destination of calls, ends before the text that follows
 * it.
 */
const VALUES: Record<string, string> = { n: '([\\d,]+)', to: '((?:(?!: ).)*?)' }
let templates: { pattern: RegExp; names: string[]; message: string }[] | undefined
/** The messages with values, each form of a plural, as patterns of what becomes of them in English. */
const readTemplates = () =>
  Object.keys(catalogue()?.messages ?? {})
    .filter((message) => /\{\w+\}/.test(message))
    .flatMap((message) => message.split('|').map((form) => ({ form, message })))
    .map(({ form, message }) => {
      const parts = partsOf(form)
      const escaped = (part: string) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      const value = (name: string) => VALUES[name] ?? '(.*?)'
      const pattern = parts.map((part, i) => (i % 2 === 1 ? value(part) : escaped(part))).join('')
      return {
        pattern: new RegExp(`^${pattern}$`, 's'),
        names: parts.filter((_, i) => i % 2 === 1),
        message,
        fixed: parts.filter((_, i) => i % 2 === 0).join('').length,
      }
    })
    // fewer letters, as of `{from} to {to}`, match what is another message, unless there is a number
    .filter(({ fixed, names }) => fixed >= (names.every((name) => name === 'n') ? 4 : 8))
    // the one that says most of it itself
    .sort((a, b) => b.fixed - a.fixed)

/** Longer texts are read sentence by sentence: patterns take the longer for them. */
const MAX_LENGTH = 400

/**
 * Translates a message of the server, which is in English, to the person's language. Returns it unchanged if the
 * catalogue lacks it.
 */
export function fromServer(said: string): string {
  const known = translated(said)
  if (known !== said || !catalogue()) return known
  templates ??= readTemplates()
  for (const { pattern, names, message } of said.length > MAX_LENGTH ? [] : templates) {
    const found = pattern.exec(said)?.slice(1)
    if (!found) continue
    // values can be messages themselves
    const values = Object.fromEntries(names.map((name, i) => [name, shown(name, found[i] ?? '')]))
    if (!message.includes('|')) return t(message, values)
    return plural(Number(values.n?.replaceAll(',', '') ?? 1), message, values)
  }
  const sentences = said.split(/(?<=[.!?]) (?=[A-Z“])/)
  if (sentences.length > 1) return sentences.map(fromServer).join(' ')
  // an environment variable, and what is wrong with it
  const [, variable, problem] = /^([A-Z][A-Z\d_]+: )(.+)$/s.exec(said) ?? []
  if (variable && problem) return variable + fromServer(problem)
  // the server may make a sentence of a message
  return /[^.]\.$/.test(said) ? `${fromServer(said.slice(0, -1))}.` : said
}

/** A value in the person's language. */
const shown = (name: string, value: string) =>
  name === 'percent' && /^\d+\.\d+$/.test(value) ? numberText(Number(value)) : inside(value)

/** A part of a message, which may follow a space or a comma, and can be a list. A word with a capital is a name. */
function inside(value: string): string {
  const [, before = '', words = ''] = /^([\s,:]*)(.*)$/s.exec(value) ?? []
  if (/^\p{Lu}\S*$/u.test(words)) return value
  const known = fromServer(words)
  const items = words.split(', ')
  return before + (known === words && items.length > 1 ? items.map(inside).join(', ') : known)
}
