import type { Db } from '../../db/open.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'

/** A database with the secret that its credentials are encrypted with. */
export type Installation = { db: Db; box: SecretBox }

/** A resource, by its table and name. */
type Thing = { table: string; name: string }

export type CarryOver = {
  /** Number of rows added to each table. */
  added: { table: string; rows: number }[]
  /**
   * Rows that set-up made in the new installation and nobody has changed since: replaced by those of the old
   * installation.
   */
  replaced: Thing[]
  /** Resources with the same sid there, which stay unchanged there, and the columns that differ. */
  kept: (Thing & { different: string[] })[]
  /** Why nothing can be written: things that would be there twice, values that cannot be decrypted or stored. */
  problems: (Thing & { why: string })[]
  /** Tables that stay behind, how many rows each has, and why. */
  left: { table: string; rows: number; why: string }[]
}

export const nothing = (): CarryOver => ({
  added: [],
  replaced: [],
  kept: [],
  problems: [],
  left: [],
})
