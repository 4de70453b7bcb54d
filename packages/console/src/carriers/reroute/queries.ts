import { query } from '../../lib/api'
import { failures } from '../../lib/endpoints'
import { INLINE } from '../../lib/inline'

/**
 * The suggested fix of a failure. Expensive on the server and changes slowly, so it is cached for a
 * minute; a failed request is not retried for the same reason.
 */
export const fixOf = (failure_sid: string) => ({
  ...query(failures.fix, { params: { failure_sid } }),
  staleTime: 60_000,
  retry: false,
  ...INLINE,
})
