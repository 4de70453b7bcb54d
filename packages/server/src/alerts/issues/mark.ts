import { randomUUID } from 'node:crypto'
import { type IssueMark, t } from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import type { Actor } from '../../audit/record.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { Failure, invalidField } from '../../http/failure.ts'
import type { Owner } from '../../stores/calls/store.ts'
import { refuseAssignee } from '../queries.ts'
import * as marks from './marks.ts'
import { namedBy } from './named.ts'

const timeText = (at: number | null) => (at ? new Date(at).toISOString() : null)

/** The mark after a change. Throws 400 for a time in the past, or without state muted. */
function changed(mark: marks.Mark, change: IssueMark, now: number): marks.Mark {
  const { state, assigned_to = mark.assigned_to } = change
  const until = change.muted_until ? Date.parse(change.muted_until) : null
  if (until !== null && state !== 'muted')
    throw invalidField('muted_until', t('Only allowed with state muted'))
  if (until !== null && until <= now)
    throw invalidField('muted_until', t('Enter a time in the future'))
  if (state === undefined) return { ...mark, assigned_to }
  return {
    mended_at: state === 'resolved' ? now : 0,
    muted_until: state === 'muted' ? (until ?? marks.FOREVER) : null,
    assigned_to,
  }
}

/** Sets the state of an issue in an inbox, for everyone. The inbox and the account are within the caller's scope. */
export async function mark(
  actor: Actor & { ctx: Context },
  inbox: Owner,
  /** Account of the alerts. */
  account_sid: string | null,
  change: IssueMark,
) {
  const { kind, key } = change
  const name = await namedBy(actor.ctx.db, actor.scope, change)
  const marked: marks.Marked = {
    inbox: marks.inboxOf(inbox),
    account_sid: (kind === 'alert' && account_sid) || '',
    alert_type: marks.aboutOf(kind, key),
  }
  const found = await marks.find(actor.ctx.db, marked)
  const sid = found?.alert_matter_sid ?? randomUUID()
  const subject = {
    kind: 'alert_matter' as const,
    sid,
    lock: 'alert_matters',
    read: async (tx: Db) => {
      const row = await marks.find(tx, marked)
      if (!row) return undefined
      const { mended_at, muted_until, assigned_to } = marks.markOf(row)
      return {
        name,
        kind,
        key,
        account_sid: inbox.account_sid ?? null,
        service_provider_sid: inbox.service_provider_sid ?? null,
        of_account: row.account_sid || null,
        state: muted_until !== null ? 'muted' : mended_at ? 'resolved' : 'open',
        resolved_at: timeText(mended_at),
        muted_until: muted_until === marks.FOREVER ? null : timeText(muted_until),
        assigned_to,
      }
    },
  }
  await audited(actor, subject, async (tx) => {
    const now = Date.now()
    if (change.assigned_to) await refuseAssignee(tx, actor.scope, inbox, change.assigned_to)
    const row = await marks.find(tx, marked)
    const next = changed(
      row ? marks.markOf(row) : { mended_at: 0, muted_until: null, assigned_to: null },
      change,
      now,
    )
    if (!next.mended_at && next.muted_until === null && next.assigned_to === null)
      return marks.remove(tx, marked)
    // before they are counted, or old marks would leave no room for ever
    await marks.forgetOld(tx, marked.inbox, now)
    if (!row && (await marks.count(tx, marked.inbox)) >= marks.MAX_MARKS)
      throw new Failure(
        'conflict',
        t('At most {most} issues can be resolved, muted or assigned.', { most: marks.MAX_MARKS }),
      )
    return marks.set(tx, marked, sid, next, now)
  })
}
