import { t } from '@switchroom/contract'

/** The label of a field, and its value as text. */
export type FieldText = { label: string; text: (value: unknown) => string }

/** By the store of a form, then by the field's name. */
const registry = new WeakMap<object, Map<string, FieldText>>()

/** Called by every field as it renders, so that others (the conflict dialog) can name it. */
export function setFieldText(form: object, name: string, text: FieldText) {
  const fields = registry.get(form) ?? new Map<string, FieldText>()
  fields.set(name, text)
  registry.set(form, fields)
}

const SECRET = /password|secret|token|credential|_key$|connection_string|^env_vars\./i

/** A value as text. */
export function textOfValue(value: unknown): string {
  if (value === undefined || value === null || value === '') return t('None')
  if (typeof value === 'boolean') return value ? t('On') : t('Off')
  if (Array.isArray(value))
    return value.length === 0 ? t('None') : value.map(textOfValue).join(', ')
  if (typeof value === 'object')
    return Object.values(value)
      .filter((v) => typeof v === 'string' && v !== '')
      .slice(0, 2)
      .join(' ')
  return String(value)
}

/** The text of a field by its path, also when the field is not on screen. */
export function fieldTextOf(form: object, path: string): FieldText {
  const registered = registry.get(form)?.get(path)
  if (registered) return SECRET.test(path) ? { ...registered, text: masked } : registered
  const spelled = path.replaceAll(/[._]/g, ' ')
  return {
    label: spelled[0]!.toUpperCase() + spelled.slice(1),
    text: SECRET.test(path) ? masked : textOfValue,
  }
}

const masked = (value: unknown) => (value ? '••••••••' : t('None'))
