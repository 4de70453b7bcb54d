import {
  type api,
  failures as contract,
  type FailureUpdate as FailureUpdateShape,
  NOT_A_STATE,
  t,
} from '@switchroom/contract'
import type { z } from 'zod'
import { audited } from '../../audit/audited.ts'
import { callsOwner } from '../../calls/recent-calls/queries.ts'
import { definedFields, isEmpty } from '../../db/defined-fields.ts'
import type { Db } from '../../db/open.ts'
import { found, invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import { refuseAssignee } from '../queries.ts'
import type { Row } from './queries.ts'

/** Loaded when it is first needed, and not as the server starts. */
const loadQueries = () => import('./queries.ts')

const auditSubject = (scope: Scope, sid: string) => ({
  kind: 'failure' as const,
  sid,
  view: contract.view,
  read: async (tx: Db) => (await loadQueries()).view(tx, scope, sid),
})

/** What a new state sets; nothing if it is the one that was read. Throws 400 for one that nobody sets. */
function stateChange(
  { stateOf, storedState }: Awaited<ReturnType<typeof loadQueries>>,
  row: Row,
  { state, muted_until }: z.output<typeof FailureUpdateShape>,
) {
  if (state === undefined) return {}
  const until = muted_until ? new Date(muted_until).toISOString() : null
  if (state === stateOf(row) && until === row.muted_until) return {}
  if (state === 'returned') throw invalidField('state', NOT_A_STATE)
  if (until !== null && Date.parse(until) <= Date.now())
    throw invalidField('muted_until', t('Enter a time to come'))
  return {
    state: storedState(state),
    muted_until: until,
    mended_at: state === 'resolved' ? new Date().toISOString() : null,
  }
}

export const failureRoutes: Handlers<typeof api.failures> = {
  async list({ query, scope, ctx }) {
    await callsOwner(ctx, scope, query)
    return (await loadQueries()).list(ctx.db, scope, query)
  },

  view: async ({ params: { failure_sid }, scope, ctx }) =>
    found(await (await loadQueries()).view(ctx.db, scope, failure_sid), t('failure')),

  async update({ params: { failure_sid: sid }, body, ...actor }) {
    const { scope } = actor
    const { assigned_to } = body
    const failures = await loadQueries()
    await audited(actor, auditSubject(scope, sid), async (tx) => {
      const row = found(await failures.find(tx, scope, sid), t('failure'))
      if (assigned_to) await refuseAssignee(tx, scope, row, assigned_to)
      const change = definedFields({ assigned_to, ...stateChange(failures, row, body) })
      if (!isEmpty(change)) await failures.update(tx, scope, sid, change)
    })
  },
}
