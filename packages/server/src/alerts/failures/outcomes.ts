import type { CallFilter, CallStore, Owner } from '../../stores/calls/store.ts'
import type { FailureOwner } from './cause.ts'

/** Whose calls a failure is of. */
export function inboxOf({ account_sid, service_provider_sid }: FailureOwner): Owner {
  if (account_sid) return { account_sid }
  return service_provider_sid ? { service_provider_sid } : {}
}

export type Outcomes = { calls: number; answered: number; refused: number }

/** Ended calls, those of them that were answered, and those that failed with a status. */
export async function outcomesOf(
  calls: CallStore,
  filter: CallFilter,
  sip_status: number,
): Promise<Outcomes> {
  const count = async (more: Partial<CallFilter>) =>
    (await calls.list({ ...filter, ...more }, { limit: 1, offset: 0 })).total
  const [all, answered, refused] = await Promise.all([
    count({ answered: 'known' }),
    count({ answered: true }),
    count({ answered: false, sip_status }),
  ])
  return { calls: all, answered, refused }
}
