import type { Db } from '../db/open.ts'
import type { Memory } from '../http/memory.ts'
import type { Scope } from '../http/scope.ts'
import * as numbers from '../routing/phone-numbers/queries.ts'

const EVERYBODY: Scope = { role: 'admin', name: 'start', view_only: true, force_change: false }

/** Providers whose numbers are counted. */
const PROVIDERS = 3

/**
 * Begins to count the phone numbers, which may be a million, so that the first request for them need not wait. A failed
 * count is repeated on request.
 */
export function countAhead(db: Db, { listings }: Pick<Memory, 'listings'>) {
  const count = async () => {
    await numbers.list(db, EVERYBODY, {}).total(listings)
    const providers = await db
      .selectFrom('service_providers')
      .select('service_provider_sid')
      .orderBy('service_provider_sid')
      .limit(PROVIDERS)
      .execute()
    for (const provider of providers) await numbers.list(db, EVERYBODY, provider).total(listings)
  }
  count().catch(() => undefined)
}
