import { MASK } from '@switchroom/contract'
import { normalize } from '../secrets/without-secrets.ts'

/** The values of environment variables whose names say that they are secret. */
export const secretValues = (variables: Record<string, unknown>) =>
  Object.entries(variables).flatMap(([name, value]) =>
    typeof value === 'string' && normalize(value, name) === MASK ? [value] : [],
  )
