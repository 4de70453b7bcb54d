import { isRecord, t } from '@switchroom/contract'

const MAX = 300

/** A value of a plan, as text: parts of it as `port 5060, inbound true`. */
export function valueText(value: unknown): string {
  const text = textOf(value)
  if (text === '') return t('Not set')
  return text.length > MAX ? `${text.slice(0, MAX)}…` : text
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (!isRecord(value)) return String(value)
  return Object.entries(value)
    .map(([name, of]) => [name, isRecord(of) ? `(${textOf(of)})` : textOf(of)])
    .filter(([, of]) => of !== '')
    .map(([name, of]) => `${name} ${of}`)
    .join(', ')
}
