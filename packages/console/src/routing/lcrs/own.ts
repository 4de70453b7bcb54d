import { lcrs } from '@switchroom/contract'
import { query, queryClient } from '../../lib/api'

/** Where everybody but an administrator goes: their one table, or the form that makes it. */
export async function ownPlace() {
  const { data } = await queryClient.fetchQuery({
    ...query(lcrs.list, { query: { page: 1, page_size: 1 } }),
    staleTime: 0,
  })
  const sid = data[0]?.lcr_sid
  return sid ? `/internal/least-cost-routing/${sid}/edit` : ADD
}

export const ADD = '/internal/least-cost-routing/add'
