/**
 * The words that people read, in their language. Messages are written in English where they are used; a language has
 * a catalogue of them by their English text. The console's page loads the person's before any of its modules, so that
 * a message can also be a constant. Without a catalogue, as on the server, everything is English.
 */
export type Catalogue = { language: string; messages: Record<string, string> }

type Values = Record<string, unknown>

export const catalogue = (): Catalogue | undefined => Reflect.get(globalThis, 'catalogue')

/** For `Intl`: how numbers, dates and lists are written beside the words. */
export const LOCALE = catalogue()?.language ?? 'en-US'

/** A message in the person's language. Unknown ones stay English. */
export const translated = (message: string) => catalogue()?.messages[message] ?? message

/** A template's parts: text, and the names of its values at the odd places. */
export const partsOf = (template: string) => template.split(/\{(\w+)\}/)

const fill = (template: string, values: Values | undefined) =>
  values
    ? partsOf(template)
        .map((part, i) => (i % 2 === 1 ? String(values[part]) : part))
        .join('')
    : template

/**
 * A message: a whole sentence or label as a literal, `t('Deleted user {name}', { name })`.
 * @__NO_SIDE_EFFECTS__
 */
export function t(message: string, values?: Values): string {
  return fill(translated(message), values)
}

/**
 * A message that stays English and is shown by `translated`: what is stored under its name is found in every language.
 * @__NO_SIDE_EFFECTS__
 */
export const msg = (message: string) => message

/** A number with the separators of the language. */
export const numberText = (n: number, options?: Intl.NumberFormatOptions) =>
  n.toLocaleString(LOCALE, options)

/** A number with so many decimals: `1.50`, or `1,50`. */
export const decimalText = (n: number, decimals = 1) =>
  numberText(n, { minimumFractionDigits: decimals, maximumFractionDigits: decimals })

/** Items as a list within a sentence: `a, b, and c`, or `a, b, or c`. */
export const listText = (items: readonly string[], type: 'conjunction' | 'disjunction') =>
  new Intl.ListFormat(LOCALE, { type }).format(items)

/**
 * Plural categories in CLDR's order. A language has the forms that its rules name: English and German `one` and
 * `other`.
 */
const CATEGORIES = ['zero', 'one', 'two', 'few', 'many', 'other'] as const

let formOf: ((n: number) => number) | undefined
function readRules(): (n: number) => number {
  const language = catalogue()?.language
  // lists wait for no `Intl` before their first row
  if (!language) return (n) => (n === 1 ? 0 : 1)
  const rules = new Intl.PluralRules(language)
  const known = CATEGORIES.filter((c) => rules.resolvedOptions().pluralCategories.includes(c))
  return (n) => known.indexOf(rules.select(n))
}

/**
 * A message about so many: `plural(n, '1 call|{n} calls')`. `{n}` is written with the separators of the language.
 * @__NO_SIDE_EFFECTS__
 */
export function plural(n: number, message: string, values?: Values): string {
  formOf ??= readRules()
  const forms = translated(message).split('|')
  // a message that the catalogue lacks has the two forms of English
  const form = forms[formOf(n)] ?? forms.at(-1) ?? ''
  return fill(form, { ...values, n: n < 1000 ? n : numberText(n) })
}
