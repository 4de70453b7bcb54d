import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import { emptyContent } from '../src/alerts/failures/content.ts'
import type { Db, Tables } from '../src/db/open.ts'

/** Stores a failure as the collector does. Resolves to its sid. */
export async function addFailure(
  db: Db,
  values: Partial<Insertable<Tables['switchroom_failures']>>,
): Promise<string> {
  const failure_sid = randomUUID()
  const at = new Date().toISOString()
  await db
    .insertInto('switchroom_failures')
    .values({
      failure_sid,
      failure_key: failure_sid,
      account_sid: null,
      service_provider_sid: null,
      direction: 'outbound',
      trunk: 'Northwind Voice',
      sip_status: 503,
      reason: null,
      prefix: '+4930',
      state: 'open',
      muted_until: null,
      mended_at: null,
      assigned_to: null,
      calls: 1,
      first_at: at,
      last_at: at,
      news_at: 0,
      content: JSON.stringify(emptyContent()),
      ...values,
    })
    .execute()
  return failure_sid
}
