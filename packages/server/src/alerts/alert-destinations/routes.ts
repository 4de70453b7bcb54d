import { randomUUID } from 'node:crypto'
import {
  type api,
  alertDestinations as contract,
  destinationIssues,
  MASK,
  t,
} from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import { definedFields, isEmpty } from '../../db/defined-fields.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { Failure, found, invalid } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import { hourly } from '../../live/hourly.ts'
import { hostOnly, unlessHidden } from '../../secrets/without-secrets.ts'
import { type NamedOwner, ownerFor } from '../owner.ts'
import { testNotice } from './message.ts'
import * as destinations from './queries.ts'
import { send } from './send.ts'

/** Destinations per account or provider, since receivers that do not answer delay everyone's messages. */
const MAX_DESTINATIONS = 20
const TESTS_PER_MINUTE = 10
/** Per address, over all callers, because addresses are not verified. */
const TEST_MAILS_PER_HOUR = 20

const lock = 'alert_destinations'

/** Includes the encrypted secret, so that the audit log can tell when it changed. */
const auditSubject = (scope: Scope, sid: string) => ({
  kind: 'alert_destination' as const,
  sid,
  view: contract.view,
  read: async (tx: Db) => {
    const row = await destinations.find(tx, scope, sid)
    return row && { ...destinations.readable(row), sealed_secret: row.sealed_secret }
  },
})

/** Encrypts the secret. A mask sent back keeps the stored one. */
const sealSecret = ({ box }: Context, secret: string | null | undefined) =>
  secret === MASK ? undefined : secret && box.seal(secret)

/** Throws 422 at the limit. */
async function refuseOverLimit(db: Db, owner: NamedOwner) {
  if ((await destinations.count(db, owner)) < MAX_DESTINATIONS) return
  throw new Failure(
    'conflict',
    t('You can have at most {MAX_DESTINATIONS} alert destinations.', { MAX_DESTINATIONS }),
  )
}

/** Counts test messages over all processes. Throws 429 above the limit. */
async function spendTest({ live, box }: Context, scope: Scope, row: destinations.Row) {
  const caller = scope.user_sid ?? scope.api_key_sid ?? scope.role
  const minute = Math.floor(Date.now() / 60_000)
  const tests = await live.increment(`switchroom:alert-test:${caller}:${minute}`, 60)
  if (tests > TESTS_PER_MINUTE)
    throw new Failure('too_many', t('Too many test alerts. Try again in a minute.'), {
      retry_after: Math.ceil(((minute + 1) * 60_000 - Date.now()) / 1_000),
    })
  if (row.kind !== 'mail') return
  const mailbox = box.digest((row.address ?? '').toLowerCase())
  const retry_after = await hourly({ live }, `alert-test:${mailbox}`, TEST_MAILS_PER_HOUR)
  if (retry_after > 0)
    throw new Failure(
      'too_many',
      t('Too many test alerts to this address. Try again in an hour.'),
      {
        retry_after,
      },
    )
}

export const alertDestinationRoutes: Handlers<typeof api.alertDestinations> = {
  list: ({ query, scope, ctx }) => destinations.list(ctx.db, scope, query),

  view: async ({ params: { alert_destination_sid: sid }, scope, ctx }) =>
    destinations.readable(
      found(await destinations.find(ctx.db, scope, sid), t('alert destination')),
    ),

  async create({ body, ...actor }) {
    const { scope, ctx } = actor
    const { account_sid, service_provider_sid, address, secret, alert_types, ...rest } = body
    const sid = randomUUID()
    await audited(actor, { ...auditSubject(scope, sid), isNew: true, lock }, async (tx) => {
      const owner = await ownerFor(tx, scope, { account_sid, service_provider_sid })
      await refuseOverLimit(tx, owner)
      await destinations.insert(tx, {
        ...rest,
        ...owner,
        alert_destination_sid: sid,
        address: address ?? null,
        sealed_secret: sealSecret(ctx, secret) ?? null,
        alert_types: JSON.stringify(alert_types),
        active_since: Date.now(),
      })
    })
    return { sid }
  },

  async update({ params: { alert_destination_sid: sid }, body, ...actor }) {
    const { scope, ctx } = actor
    await audited(actor, auditSubject(scope, sid), async (tx) => {
      const stored = found(await destinations.find(tx, scope, sid), t('alert destination'))
      const address =
        body.address === undefined
          ? stored.address
          : unlessHidden(body.address, stored.address, hostOnly)
      const { secret = stored.sealed_secret && MASK } = body
      const issues = destinationIssues(stored.kind, { address, secret })
      // a mask needs a stored secret
      if (secret === MASK && !stored.sealed_secret && issues.length === 0)
        issues.push({ path: ['secret'], message: t('Enter the secret again') })
      if (issues.length > 0) throw invalid(...issues)
      const { alert_types, secret: _, ...rest } = body
      const wakes = body.is_active === 1 && !stored.is_active
      const change = definedFields({
        ...rest,
        address,
        sealed_secret: sealSecret(ctx, body.secret),
        alert_types: alert_types && JSON.stringify(alert_types),
        // alerts from the disabled time are not sent later
        active_since: wakes ? Date.now() : undefined,
      })
      if (!isEmpty(change)) await destinations.update(tx, scope, sid, change)
    })
  },

  async test({ params: { alert_destination_sid: sid }, scope, ctx }) {
    const row = found(await destinations.find(ctx.db, scope, sid), t('alert destination'))
    await spendTest(ctx, scope, row)
    const now = Date.now()
    const outcome = await send(ctx, row, testNotice(ctx, row, now), now)
    await destinations.noteTry(ctx.db, sid, now, outcome.ok ? null : outcome.message)
    return { ok: outcome.ok, message: outcome.message }
  },

  async remove({ params: { alert_destination_sid: sid }, ...actor }) {
    await audited(actor, auditSubject(actor.scope, sid), async (tx, before) => {
      found(before, t('alert destination'))
      await destinations.remove(tx, actor.scope, sid)
    })
  },
}
