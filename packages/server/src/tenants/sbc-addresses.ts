import type { SbcAddress } from '@switchroom/contract'
import type { Db } from '../db/open.ts'

/**
 * SBCs of one provider, or with null those shared by all. An SBC inserts a row with every heartbeat: the
 * newest row per address counts.
 */
export async function sbcAddresses(db: Db, service_provider_sid: string | null) {
  const rows: SbcAddress[] = await db
    .selectFrom('sbc_addresses')
    .selectAll()
    .where('service_provider_sid', service_provider_sid === null ? 'is' : '=', service_provider_sid)
    .orderBy('last_updated')
    .execute()
  const newest = new Map(rows.map((row) => [`${row.ipv4} ${row.port}`, row]))
  return [...newest.values()].sort((a, b) => a.ipv4.localeCompare(b.ipv4, 'en') || a.port - b.port)
}
