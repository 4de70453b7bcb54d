import type { SbcAddress, SmppAddress } from '@switchroom/contract'
import { type Db, timestamp } from '../../db/open.ts'

/** Matches one provider's addresses, or with null the shared ones. */
const owner = (sid: string | null) => [sid === null ? 'is' : '=', sid] as const

export async function listSmpp(db: Db, service_provider_sid: string | null) {
  const rows: SmppAddress[] = await db
    .selectFrom('smpp_addresses')
    .selectAll()
    .where('service_provider_sid', ...owner(service_provider_sid))
    .orderBy('ipv4')
    .orderBy('port')
    .execute()
  // SMPP servers insert their address at each start, and the table has no unique key
  return [...new Map(rows.map((row) => [`${row.ipv4} ${row.port}`, row])).values()]
}

type NewSbc = Omit<SbcAddress, 'last_updated'>

// the rest takes no scope: only admins reach it
export const findSbc = (db: Db, sbc_address_sid: string): Promise<SbcAddress | undefined> =>
  db
    .selectFrom('sbc_addresses')
    .selectAll()
    .where('sbc_address_sid', '=', sbc_address_sid)
    .executeTakeFirst()

/** Sets `last_updated`, because a starting SBC deletes rows without it. */
export const insertSbc = (db: Db, row: NewSbc) =>
  db
    .insertInto('sbc_addresses')
    .values({ ...row, last_updated: timestamp() })
    .execute()

export const removeSbc = (db: Db, sbc_address_sid: string) =>
  db.deleteFrom('sbc_addresses').where('sbc_address_sid', '=', sbc_address_sid).execute()

export const findSmpp = (db: Db, smpp_address_sid: string): Promise<SmppAddress | undefined> =>
  db
    .selectFrom('smpp_addresses')
    .selectAll()
    .where('smpp_address_sid', '=', smpp_address_sid)
    .executeTakeFirst()

export const insertSmpp = (db: Db, row: SmppAddress) =>
  db.insertInto('smpp_addresses').values(row).execute()

export const removeSmpp = (db: Db, smpp_address_sid: string) =>
  db.deleteFrom('smpp_addresses').where('smpp_address_sid', '=', smpp_address_sid).execute()
