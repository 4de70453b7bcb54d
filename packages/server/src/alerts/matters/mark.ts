import { randomUUID } from 'node:crypto'
import { alertTypeText, t } from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import type { Actor } from '../../audit/record.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import type { Owner } from '../../stores/calls.ts'
import * as matters from './queries.ts'

/** Marks alerts of a type as resolved or open, for everyone of an inbox, within the caller's scope. */
export async function markMatter(
  actor: Actor & { ctx: Context },
  inbox: Owner,
  of: { account_sid: string | null; alert_type: string },
  state: 'open' | 'resolved',
) {
  const matter: matters.Matter = {
    inbox: matters.inboxOf(inbox),
    account_sid: of.account_sid ?? '',
    alert_type: of.alert_type,
  }
  const found = await matters.find(actor.ctx.db, matter)
  const sid = found?.alert_matter_sid ?? randomUUID()
  const subject = {
    kind: 'alert_matter' as const,
    sid,
    lock: 'alert_matters',
    read: async (tx: Db) => {
      const row = await matters.find(tx, matter)
      return (
        row && {
          name: alertTypeText(row.alert_type).name,
          alert_type: row.alert_type,
          account_sid: inbox.account_sid ?? null,
          service_provider_sid: inbox.service_provider_sid ?? null,
          of_account: row.account_sid || null,
          resolved_at: new Date(Number(row.mended_at)).toISOString(),
        }
      )
    },
  }
  await audited(actor, subject, async (tx) => {
    if (state === 'open') return matters.reopen(tx, matter)
    const now = Date.now()
    // before they are counted, or old marks would leave no room for ever
    await matters.forgetOld(tx, matter.inbox, now)
    if (!found && (await matters.count(tx, matter.inbox)) >= matters.MAX_MATTERS)
      throw new Failure(
        'conflict',
        t('At most {most} can be marked as resolved.', { most: matters.MAX_MATTERS }),
      )
    return matters.resolve(tx, matter, sid, now)
  })
}
