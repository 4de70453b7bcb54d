import {
  type api,
  failures as contract,
  type FailureUpdate as FailureUpdateShape,
  NOT_A_STATE,
  type Rerouted,
  t,
} from '@switchroom/contract'
import type { z } from 'zod'
import { audited } from '../../audit/audited.ts'
import { callsOwner } from '../../calls/recent-calls/queries.ts'
import * as voipCarriers from '../../carriers/voip-carriers/queries.ts'
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

/** Columns that a new state sets; none if it is the state that was read. Throws 400 for a state that cannot be set. */
function stateChange(
  { stateOf, storedState }: Awaited<ReturnType<typeof loadQueries>>,
  row: Row,
  { state, muted_until }: z.output<typeof FailureUpdateShape>,
) {
  if (state === undefined) return {}
  const until = muted_until ? new Date(muted_until).toISOString() : null
  if (state === stateOf(row) && until === row.muted_until) return {}
  if (state === 'returned' || state === 'watched') throw invalidField('state', NOT_A_STATE)
  if (until !== null && Date.parse(until) <= Date.now())
    throw invalidField('muted_until', t('Enter a time in the future'))
  return {
    state: storedState(state),
    muted_until: until,
    mended_at: state === 'resolved' ? new Date().toISOString() : null,
    rerouted: null,
  }
}

/**
 * Columns that rerouting the calls to another carrier sets. Throws 400 if the carrier is not in scope, or the calls are
 * not outbound calls to a prefix.
 */
async function reroutedChange(
  db: Db,
  scope: Scope,
  row: Row,
  { rerouted_to }: z.output<typeof FailureUpdateShape>,
) {
  if (!rerouted_to) return rerouted_to === null ? { rerouted: null } : {}
  const carrier = await voipCarriers.find(db, scope, rerouted_to)
  if (!carrier) throw invalidField('rerouted_to', t('No such carrier'))
  if (row.direction !== 'outbound' || !row.prefix)
    throw invalidField('rerouted_to', t('Only for outbound calls to a prefix'))
  const rerouted: Rerouted = {
    to: carrier.name,
    since: new Date().toISOString(),
    ...{ calls: 0, answered: 0, refused: 0, still: 0, worked: null },
  }
  // open for servers of the version before, which do not watch
  const state: Row['state'] = row.state === 'returned' ? 'returned' : 'open'
  return { rerouted: JSON.stringify(rerouted), state, muted_until: null, mended_at: null }
}

export const failureRoutes: Handlers<typeof api.failures> = {
  async list({ query, scope, ctx }) {
    await callsOwner(ctx, scope, query)
    return (await loadQueries()).list(ctx.db, scope, query)
  },

  view: async ({ params: { failure_sid }, scope, ctx }) =>
    found(await (await loadQueries()).view(ctx.db, scope, failure_sid), t('failure')),

  async fix({ params: { failure_sid }, scope, ctx }) {
    const failure = found(
      await (await loadQueries()).view(ctx.db, scope, failure_sid),
      t('failure'),
    )
    const { fixOf } = await import('./fix.ts')
    return fixOf(ctx, scope, failure)
  },

  async update({ params: { failure_sid: sid }, body, ...actor }) {
    const { scope } = actor
    const { assigned_to } = body
    const failures = await loadQueries()
    await audited(actor, auditSubject(scope, sid), async (tx) => {
      const row = found(await failures.find(tx, scope, sid), t('failure'))
      if (assigned_to) await refuseAssignee(tx, scope, row, assigned_to)
      const change = definedFields({
        assigned_to,
        ...stateChange(failures, row, body),
        ...(await reroutedChange(tx, scope, row, body)),
      })
      if (!isEmpty(change)) await failures.update(tx, scope, sid, change)
    })
  },
}
