import { query, queryClient } from '../../lib/api'
import { lcrs } from '../../lib/endpoints'

/** For all but administrators: their one table, or the form to create it. */
export async function ownTableHref() {
  const { data } = await queryClient.fetchQuery({
    ...query(lcrs.list, { query: { page: 1, page_size: 1 } }),
    staleTime: 0,
  })
  const sid = data[0]?.lcr_sid
  return sid ? `/internal/least-cost-routing/${sid}/edit` : ADD
}

export const ADD = '/internal/least-cost-routing/add'
