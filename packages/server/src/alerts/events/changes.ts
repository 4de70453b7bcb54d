import type { AuditKind, EventKind } from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import type { Wish } from './demand.ts'
import type { Draft } from './draft.ts'
import { addEvents } from './outbox.ts'
import { type Lease, watch } from './watch.ts'

const BATCH = 500

type ChangeKind = Extract<EventKind, `${string}.changed`>

/** Which changes are events of which kind. */
const KINDS = {
  phone_number: 'phone_number.changed',
  voip_carrier: 'carrier.changed',
  sip_gateway: 'carrier.changed',
  smpp_gateway: 'carrier.changed',
  lcr: 'route.changed',
} as const satisfies Partial<Record<AuditKind, ChangeKind>>

const ACTIONS = ['create', 'update', 'delete'] as const

/** Adds the changes that the audit log tells of since the last look. They are in it once, and in their order. */
export async function gatherChanges(db: Db, lease: Lease, wishes: readonly Wish[], now: number) {
  // nobody was told of what is older
  let after = Math.max(lease.audit_seq, Math.min(...wishes.map(({ audit_seq }) => audit_seq)))
  for (;;) {
    const rows = await db
      .selectFrom('switchroom_audit')
      .select(['seq', 'at', 'action', 'kind', 'sid', 'name', 'account_sid'])
      .select(['service_provider_sid', 'after_values'])
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(BATCH)
      .execute()
    if (rows.length === 0) return
    const drafts = rows.flatMap((row): Draft[] => {
      const kind = KINDS[row.kind as keyof typeof KINDS]
      const action = ACTIONS.find((one) => one === row.action)
      if (!kind || !action) return []
      const draft = {
        kind,
        thing: `${row.kind} ${row.sid}`,
        account_sid: row.account_sid,
        service_provider_sid: row.service_provider_sid,
        happened_at: row.at,
        data: {
          ...{ action, kind: row.kind, sid: row.sid, name: row.name },
          fields: action === 'update' ? Object.keys(JSON.parse(row.after_values ?? '{}')) : [],
          audit_seq: row.seq,
        },
      } as Draft
      return [draft]
    })
    const last = rows.at(-1)!.seq
    await watch.whileLeased(db, lease, async (tx) => {
      await addEvents(tx, drafts, now)
      await watch.note(tx, { audit_seq: last })
    })
    after = last
  }
}
