import type { ColumnType } from 'kysely'

/** Tables of ours, beside the platform's. Made by the migrations. */
export type OwnTables = {
  /** Whether we created this database's platform tables, and whether that was finished. */
  switchroom_state: { name: string; value: string }
  /** Live state where there is no Redis. `expires_at` is in milliseconds since 1970. */
  switchroom_live: {
    key: string
    value: string
    expires_at: ColumnType<number | null, number | null | undefined, number | null>
  }
}
