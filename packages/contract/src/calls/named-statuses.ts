import { hasWords } from '../wire/spellings.ts'
import { SIP_REASONS, sipStatusText } from './sip-status.ts'

/** The statuses whose reason has the words that were typed: `busy` is 486 and 600. */
export const sipStatusesNamed = (typed: string): number[] =>
  /\p{L}{3}/u.test(typed)
    ? Object.keys(SIP_REASONS)
        .map(Number)
        .filter((status) => hasWords([sipStatusText(status)], typed))
    : []
