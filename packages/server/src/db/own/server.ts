import type { AuditAction, AuditKind } from '@switchroom/contract'
import type { ColumnType } from 'kysely'

export type ServerTables = {
  /** Progress of our creation of this database's platform tables; no row if they were there already. */
  switchroom_state: { name: string; value: 'creating' | 'created' }
  /** The audit log, a hash chain. Rows are never changed or deleted. */
  switchroom_audit: {
    seq: number
    /** ISO 8601, UTC. */
    at: string
    request_id: string
    user_sid: string | null
    api_key_sid: string | null
    actor: string
    actor_scope: 'admin' | 'service_provider' | 'account'
    ip: string
    action: AuditAction
    kind: AuditKind
    sid: string
    name: string
    service_provider_sid: string | null
    account_sid: string | null
    before_values: string | null
    after_values: string | null
    /** The entry that this change has undone. */
    undoes: number | null
    hash: string
  }
  switchroom_audit_head: { id: number; seq: number; hash: string }
  /** Entries that are not linked to the log yet: JSON arrays of its rows. */
  switchroom_audit_pending: { batch_sid: string; entries: string }
  /** Answers of creations that had an `Idempotency-Key`. */
  switchroom_creations: {
    /** Keyed, of the caller and the key. */
    key_digest: string
    request_digest: string
    sealed_answer: string
    /** Milliseconds. */
    created_at: number
  }
  /** Rows that transactions with a lock write on a Galera cluster, to meet those at its other nodes. */
  switchroom_lock_turns: { slot: number; turns: number }
  /** Rows that processes write to the database, to see when a replica has them. */
  switchroom_replica_beats: { process_sid: string; beats: number; beaten_at: number }
  /** The process that prepares the database of a Galera cluster. */
  switchroom_preparing: { id: number; holder: string; ends_at: number }
  /** Live state without Redis. `expires_at`: milliseconds since 1970. */
  switchroom_live: {
    key: string
    value: string
    expires_at: ColumnType<number | null, number | null | undefined, number | null>
  }
}
