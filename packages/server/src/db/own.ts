import type { AuditAction, AuditKind, GatewayProbe } from '@switchroom/contract'
import type { ColumnType } from 'kysely'

/** Tables of ours, beside the platform's. Made by the migrations. */
export type OwnTables = {
  /** Whether we created this database's platform tables, and whether that was finished. */
  switchroom_state: { name: string; value: string }
  /** Who changed what, a link of a chain each. Never changed, never deleted. */
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
    hash: string
  }
  switchroom_audit_head: { id: number; seq: number; hash: string }
  /** What the platform's table has no column for. */
  switchroom_phone_numbers: { phone_number_sid: string; description: string }
  /** How gateways answered, the last times they were asked. */
  switchroom_gateway_probes: GatewayProbe & { gateway_probe_sid: string }
  /** Live state where there is no Redis. `expires_at` is in milliseconds since 1970. */
  switchroom_live: {
    key: string
    value: string
    expires_at: ColumnType<number | null, number | null | undefined, number | null>
  }
}
