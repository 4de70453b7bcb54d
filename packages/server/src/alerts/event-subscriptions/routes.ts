import { randomUUID } from 'node:crypto'
import {
  API_KEY_KINDS,
  type api,
  eventSubscriptions as contract,
  EVENT_KINDS,
  EVENT_TYPES,
  type EventKind,
  t,
} from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import { definedFields, isEmpty } from '../../db/defined-fields.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { Failure, found } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import { hostOnly, unlessHidden } from '../../secrets/without-secrets.ts'
import { auditSeq, typesIn } from '../events/demand.ts'
import { seqOf, typesOf } from '../events/queries.ts'
import { ownerFor } from '../owner.ts'
import * as deliveries from './deliveries.ts'
import * as subscriptions from './queries.ts'
import { sendEvent } from './send-event.ts'
import { newSecret } from './signing.ts'

/** Webhooks per account or provider. */
const MAX_SUBSCRIPTIONS = 20
const TESTS_PER_MINUTE = 10
const HOUR_MS = 3_600_000

const lock = 'event_subscriptions'

/** Includes the encrypted secret, so that the audit log can tell when it changed. */
const auditSubject = (scope: Scope, sid: string) => ({
  kind: 'event_subscription' as const,
  sid,
  view: contract.view,
  read: async (tx: Db) => {
    const row = await subscriptions.find(tx, scope, sid)
    return (
      row && {
        ...subscriptions.readable(row),
        ...{ last_tried_at: null, last_error: null, failing_since: null },
        sealed_secret: row.sealed_secret,
      }
    )
  },
})

/** Throws 403 for an API key that would be told of more than its kinds cover. */
function refuseWider(scope: Scope, types: readonly EventKind[]) {
  const allowed = typesOf(scope, types)
  const wide = types.find((type) => !allowed.includes(type))
  if (wide === undefined) return
  const kind = API_KEY_KINDS[EVENT_KINDS[wide].covered_by]
  throw new Failure('forbidden', t('This API key does not cover: {kind}', { kind }))
}

/** Counts test events over all processes. Throws 429 above the limit. */
async function spendTest({ live }: Context, scope: Scope) {
  const caller = scope.user_sid ?? scope.api_key_sid ?? scope.role
  const minute = Math.floor(Date.now() / 60_000)
  if ((await live.increment(`switchroom:event-test:${caller}:${minute}`, 60)) > TESTS_PER_MINUTE)
    throw new Failure('too_many', t('Too many test events. Try again in a minute.'), {
      retry_after: Math.ceil(((minute + 1) * 60_000 - Date.now()) / 1_000),
    })
}

const findOne = async (db: Db, scope: Scope, sid: string) =>
  found(await subscriptions.find(db, scope, sid), t('webhook for events'))

export const eventSubscriptionRoutes: Handlers<typeof api.eventSubscriptions> = {
  list: ({ query, scope, ctx }) => subscriptions.list(ctx.db, scope, query),

  view: async ({ params: { event_subscription_sid: sid }, scope, ctx }) =>
    subscriptions.readable(await findOne(ctx.db, scope, sid)),

  async create({ body, ...actor }) {
    const { scope, ctx } = actor
    const { account_sid, service_provider_sid, types, ...rest } = body
    refuseWider(scope, types.length > 0 ? types : EVENT_TYPES)
    const sid = randomUUID()
    const answer = { sid, secret: newSecret() }
    await audited(actor, { ...auditSubject(scope, sid), isNew: true, lock, answer }, async (tx) => {
      const owner = await ownerFor(tx, scope, { account_sid, service_provider_sid })
      if ((await subscriptions.count(tx, owner)) >= MAX_SUBSCRIPTIONS)
        throw new Failure(
          'conflict',
          t('You can have at most {most} webhooks for events.', { most: MAX_SUBSCRIPTIONS }),
        )
      await subscriptions.insert(tx, {
        ...rest,
        ...owner,
        event_subscription_sid: sid,
        sealed_secret: ctx.box.seal(answer.secret),
        ...{ sealed_previous: null, previous_until: null, kinds: JSON.stringify(types) },
        ...(await fromNow(tx)),
        created_by: scope.user_sid ?? null,
        ...{ last_tried_at: null, last_error: null, disabled_reason: null },
        ...{ holder: '', leased_until: 0 },
      })
    })
    return answer
  },

  async update({ params: { event_subscription_sid: sid }, body, ...actor }) {
    const { scope } = actor
    await audited(actor, auditSubject(scope, sid), async (tx) => {
      const stored = await findOne(tx, scope, sid)
      const { types, url, ...rest } = body
      const kinds = types && JSON.stringify(types)
      refuseWider(scope, typesIn({ kinds: kinds ?? stored.kinds }))
      const wakes = body.is_active === 1 && !stored.is_active
      const change = definedFields({
        ...rest,
        kinds,
        url: url === undefined ? undefined : (unlessHidden(url, stored.url, hostOnly) ?? undefined),
        // events since then are sent by a replay
        ...(wakes && { ...(await fromNow(tx)), disabled_reason: null }),
      })
      if (!isEmpty(change)) await subscriptions.update(tx, scope, sid, change)
    })
  },

  async rotate({ params: { event_subscription_sid: sid }, body: { overlap_hours }, ...actor }) {
    const { scope, ctx } = actor
    const secret = newSecret()
    const until = overlap_hours > 0 ? Date.now() + overlap_hours * HOUR_MS : null
    await audited(actor, auditSubject(scope, sid), async (tx) => {
      const stored = await findOne(tx, scope, sid)
      refuseWider(scope, typesIn(stored))
      await subscriptions.update(tx, scope, sid, {
        sealed_secret: ctx.box.seal(secret),
        sealed_previous: until === null ? null : stored.sealed_secret,
        previous_until: until,
      })
    })
    return { secret, rotating_until: until === null ? null : new Date(until).toISOString() }
  },

  async test({ params: { event_subscription_sid: sid }, scope, ctx }) {
    const row = await findOne(ctx.db, scope, sid)
    await spendTest(ctx, scope)
    const now = Date.now()
    const { account_sid, service_provider_sid } = row
    const event = {
      ...{ id: `evt_test_${randomUUID()}`, type: 'event.test' as const },
      ...{ timestamp: new Date(now).toISOString(), account_sid, service_provider_sid, data: {} },
    }
    const { ok, message } = await sendEvent(ctx, row, event, now)
    return { ok, message }
  },

  async deliveries({ params: { event_subscription_sid: sid }, query, scope, ctx }) {
    return deliveries.list(ctx.db, await findOne(ctx.db, scope, sid), query)
  },

  async replay({ params: { event_subscription_sid: sid }, body, ...actor }) {
    const { scope } = actor
    const { event_id, from, to, failed_only } = body
    const seq = seqOf(event_id)
    return audited(actor, { ...auditSubject(scope, sid) }, async (tx) => {
      const row = await findOne(tx, scope, sid)
      refuseWider(scope, typesIn(row))
      const which = {
        seq,
        from: from === undefined ? undefined : Date.parse(from),
        to: to === undefined ? undefined : Date.parse(to),
        failed_only: failed_only === 1,
      }
      const events = await deliveries.replay(tx, row, which, Date.now())
      if (seq !== undefined) found(events || undefined, t('event'))
      // a receiver that was down is tried at once
      await subscriptions.update(tx, scope, sid, { paused_until: 0, failures: 0 })
      return { events }
    })
  },

  async remove({ params: { event_subscription_sid: sid }, ...actor }) {
    await audited(actor, auditSubject(actor.scope, sid), async (tx, before) => {
      found(before, t('webhook for events'))
      await subscriptions.remove(tx, actor.scope, sid)
    })
  },
}

/** Nothing of before is sent, and nothing of before counts. */
const fromNow = async (tx: Db) => ({
  ...{ since: Date.now(), audit_seq: Number(await auditSeq(tx)) },
  ...{ failing_since: null, failures: 0, paused_until: 0 },
})
