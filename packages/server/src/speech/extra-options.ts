import { Refused } from './protocol.ts'

/**
 * The extra options of a credential, which are stored as text; none is an empty object. Throws `Refused` for
 * a text that holds no object.
 */
export function extraOptions(setting: unknown): Record<string, unknown> {
  if (!setting) return {}
  try {
    const options = typeof setting === 'string' ? (JSON.parse(setting) as unknown) : setting
    if (isObject(options)) return options
  } catch {
    // said below
  }
  throw new Refused('the extra options of the credential are not a JSON object')
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
