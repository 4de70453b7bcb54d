import { membersOf } from './records.ts'
import { t } from './text.ts'

/** Error for a file that is not a Google service key. */
export const SERVICE_KEY_INVALID = t('Invalid service key file, could not parse as JSON.')

/** The two members of a service key that are used. Others, such as URLs, are ignored. */
export type ServiceKey = { private_key: string; client_email: string }

const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** The content of a service key file; undefined if it is invalid. */
export function readServiceKey(text: string): ServiceKey | undefined {
  try {
    const { private_key, client_email } = membersOf(JSON.parse(text))
    return isFilled(private_key) && isFilled(client_email)
      ? { private_key, client_email }
      : undefined
  } catch {
    return undefined
  }
}
