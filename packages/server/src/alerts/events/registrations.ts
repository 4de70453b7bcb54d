import type { EventData } from '@switchroom/contract'
import { sql } from 'kysely'
import { readable } from '../../carriers/voip-carriers/readable.ts'
import type { Db } from '../../db/open.ts'
import { providerOf } from '../../http/tenancy.ts'
import { isAnyWanted, type Wish } from './demand.ts'
import type { Draft } from './draft.ts'
import { addEvents } from './outbox.ts'
import { compare } from './states.ts'
import { type Lease, watch } from './watch.ts'

/** Inbox under which `compare` keeps carriers, which are in no inbox. */
const CARRIERS = ''

/** Adds the carriers that have lost their registration since the last look. */
export async function gatherRegistrations(
  db: Db,
  lease: Lease,
  wishes: readonly Wish[],
  now: number,
) {
  if (!isAnyWanted(wishes, 'registration.lost')) return
  const rows = await db
    .selectFrom('voip_carriers')
    .selectAll()
    .where('requires_register', '=', 1)
    .where('is_active', '=', 1)
    .where('register_status', 'is not', null)
    .where(sql<boolean>`register_status not like '%"ok"%'`)
    .execute()
  const lost: Draft[] = []
  for (const row of rows) {
    const { voip_carrier_sid, name, account_sid, service_provider_sid } = row
    const { status, reason } = readable(row).register_status
    // not tried yet
    if (typeof status !== 'string') continue
    const data: EventData<'registration.lost'> = {
      ...{ voip_carrier_sid, name },
      reason: typeof reason === 'string' ? reason : null,
    }
    lost.push({
      ...{
        kind: 'registration.lost',
        thing: `voip_carrier ${voip_carrier_sid}`,
        account_sid,
        data,
      },
      service_provider_sid:
        (account_sid ? await providerOf(db, account_sid) : undefined) ?? service_provider_sid,
      happened_at: new Date(now).toISOString(),
    })
  }
  await watch.whileLeased(db, lease, async (tx) => {
    const states = lost.map((data) => ({ owner: CARRIERS, key: data.thing, data }))
    const { begun } = await compare(tx, CARRIERS, states, now)
    await addEvents(tx, begun as Draft[], now)
  })
}
