import type { api } from '@switchroom/contract'
import type { Handlers } from '../../http/serve.ts'
import { noteReader } from './demand.ts'
import { follow } from './follow.ts'
import * as events from './queries.ts'

export const eventRoutes: Handlers<typeof api.events> = {
  async list({ query, scope, ctx, following }) {
    const seq = events.seqOf(following?.last_id) ?? events.seqOf(query.after)
    if (following) return follow(ctx, scope, query, seq, following)
    await noteReader(ctx.db, scope, Date.now())
    const head = await events.headSeq(ctx.db)
    const rows =
      seq === undefined
        ? await events.newest(ctx.db, scope, query)
        : await events.after(ctx.db, scope, query, seq)
    const last = events.readUntil(rows, query, Math.max(head, seq ?? 0))
    return { data: rows.map(events.sent), last_id: last > 0 ? events.idOf(last) : null }
  },
}
