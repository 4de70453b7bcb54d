import { query } from '../../lib/api'
import { INLINE } from '../../lib/block-query'
import { failures } from '../../lib/endpoints'

/** Suggested fix of a failure. It costs the server more than a list, and calls change it slowly. */
export const fixOf = (failure_sid: string) => ({
  ...query(failures.fix, { params: { failure_sid } }),
  staleTime: 60_000,
  retry: false,
  ...INLINE,
})
