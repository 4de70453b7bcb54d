import { AUDIT_COLUMNS, type AuditEntry, type api, t } from '@switchroom/contract'
import { csv, mapped } from '../http/csv.ts'
import { found } from '../http/failure.ts'
import type { Handlers } from '../http/serve.ts'
import * as audit from './queries.ts'
import { stateBetween } from './state.ts'

const text = (values: AuditEntry['before']) => (values === null ? '' : JSON.stringify(values))

export const auditRoutes: Handlers<typeof api.audit> = {
  list: ({ query, scope, ctx }) => audit.list(ctx.db, scope, query),

  async state({ query: { at, ...of }, scope, ctx }) {
    const time = new Date(at).toISOString()
    const { until, after } = await audit.entriesAround(ctx.db, scope, { ...of, at: time })
    const { at: known_since } = found(until.at(-1) ?? after[0], t('audit log entry'))
    const [previous = null] = until
    const [next = null] = after
    return { ...stateBetween(until, after), known_since, previous, next }
  },

  export({ query, scope, ctx }) {
    const exportRow = (e: AuditEntry) => ({ ...e, before: text(e.before), after: text(e.after) })
    return csv(
      query.columns ?? AUDIT_COLUMNS,
      mapped(audit.list(ctx.db, scope, query).all(ctx.memory.listings), exportRow),
      query,
    )
  },
}
