import type { DoctorCheckName } from '@switchroom/contract'
import type { Finding } from './finding.ts'
import type { Site } from './site.ts'

export type Check = {
  name: DoctorCheckName
  /** Variables that it cannot do without: while one is wrong, that is all there is to say. */
  needs?: RegExp
  /** It runs once all others have ended, for as long as it takes. */
  takesLong?: true
  /** Looks, and alters nothing. Undefined: not in use here. An error is a problem. */
  run: (site: Site) => Promise<Finding | Finding[] | undefined>
}
