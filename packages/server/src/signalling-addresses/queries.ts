import type { SbcAddress, SmppAddress } from '@switchroom/contract'
import type { Db } from '../db/open.ts'

/** Of one provider, or those that all providers share. */
const owner = (sid: string | null) => [sid === null ? 'is' : '=', sid] as const

/** A border controller adds another row with every heartbeat: the newest one speaks for its address. */
export async function sbcs(db: Db, service_provider_sid: string | null) {
  const rows: SbcAddress[] = await db
    .selectFrom('sbc_addresses')
    .selectAll()
    .where('service_provider_sid', ...owner(service_provider_sid))
    .orderBy('last_updated')
    .execute()
  const newest = new Map(rows.map((row) => [`${row.ipv4} ${row.port}`, row]))
  return [...newest.values()].sort((a, b) => a.ipv4.localeCompare(b.ipv4) || a.port - b.port)
}

export async function smpps(db: Db, service_provider_sid: string | null) {
  const rows = (await db
    .selectFrom('smpp_addresses')
    .selectAll()
    .where('service_provider_sid', ...owner(service_provider_sid))
    .orderBy('ipv4')
    .orderBy('port')
    .execute()) as SmppAddress[]
  return [...new Map(rows.map((row) => [`${row.ipv4} ${row.port}`, row])).values()]
}
