/** How a field on screen is called, and how its value reads. */
export type FieldWords = { label: string; text: (value: unknown) => string }

const said = new WeakMap<object, Map<string, FieldWords>>()

/** Said by every field, by the store of its form, while it is shown, for whoever has to speak about it. */
export function sayWords(form: object, name: string, words: FieldWords) {
  const known = said.get(form) ?? new Map<string, FieldWords>()
  known.set(name, words)
  said.set(form, known)
}

const SECRET = /password|secret|token|credential|_key$|connection_string|^env_vars\./i

/** A value as a person reads it. */
export function plainText(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'None'
  if (typeof value === 'boolean') return value ? 'On' : 'Off'
  if (Array.isArray(value)) return value.length === 0 ? 'None' : value.map(plainText).join(', ')
  if (typeof value === 'object')
    return Object.values(value)
      .filter((v) => typeof v === 'string' && v !== '')
      .slice(0, 2)
      .join(' ')
  return String(value)
}

/** The words for a field by its path, also for one that is not shown just now. */
export function wordsFor(form: object, path: string): FieldWords {
  const known = said.get(form)?.get(path)
  if (known) return SECRET.test(path) ? { ...known, text: masked } : known
  const spelled = path.replaceAll(/[._]/g, ' ')
  return {
    label: spelled[0]!.toUpperCase() + spelled.slice(1),
    text: SECRET.test(path) ? masked : plainText,
  }
}

const masked = (value: unknown) => (value ? '••••••••' : 'None')
