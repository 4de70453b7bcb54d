import { randomUUID } from 'node:crypto'
import {
  type api,
  alertDestinations as contract,
  destinationIssues,
  MASK,
} from '@switchroom/contract'
import * as accounts from '../accounts/queries.ts'
import { changing } from '../changes/changing.ts'
import type { Context } from '../context.ts'
import { given, isEmpty } from '../db/given.ts'
import type { Db } from '../db/open.ts'
import { Failure, found, invalid, invalidField } from '../http/failure.ts'
import type { Scope } from '../http/scope.ts'
import type { Handlers } from '../http/serve.ts'
import { hourly } from '../live/hourly.ts'
import * as serviceProviders from '../service-providers/queries.ts'
import { testNotice } from './notices.ts'
import * as destinations from './queries.ts'
import { send } from './send.ts'

/** Of an account, or of a provider: messages to receivers that do not answer hold up everybody's. */
const MOST = 20
const TESTS_PER_MINUTE = 10
/** Whoever asks: nobody has said that an address is his own. */
const TEST_MAILS_PER_HOUR = 20

const lock = 'alert_destinations'

/** With the sealed secret, so that the log can tell that there is another one. */
const thing = (scope: Scope, sid: string) => ({
  kind: 'alert_destination' as const,
  sid,
  view: contract.view,
  read: async (tx: Db) => {
    const row = await destinations.find(tx, scope, sid)
    return row && { ...destinations.readable(row), sealed_secret: row.sealed_secret }
  },
})

type Asked = {
  account_sid?: string | null | undefined
  service_provider_sid?: string | null | undefined
}

/** Whose a destination is to be: an account's, or a provider's. Throws 400 for what the caller cannot see. */
async function ownerFor(db: Db, scope: Scope, asked: Asked) {
  const owner = await accounts.ownerOf(db, scope, asked.account_sid)
  if (owner) return { account_sid: owner.account_sid, service_provider_sid: null }
  const sid =
    scope.role === 'service_provider' ? scope.service_provider_sid : asked.service_provider_sid
  if (!sid) throw invalidField('service_provider_sid', 'Say whose it is')
  if (!(await serviceProviders.find(db, scope, sid)))
    throw invalidField('service_provider_sid', 'No such service provider')
  return { account_sid: null, service_provider_sid: sid }
}

/** Sealed. A mask that comes back is no new secret. */
const sealed = ({ box }: Context, secret: string | null | undefined) =>
  secret === MASK ? undefined : secret && box.seal(secret)

/** Throws 422 where there are as many as there may be. */
async function refuseOneMore(db: Db, owner: Awaited<ReturnType<typeof ownerFor>>) {
  if ((await destinations.count(db, owner)) < MOST) return
  throw new Failure('conflict', `There may be ${MOST} alert destinations at most.`)
}

/** Counts tests, in all processes: each of them goes out to somebody. Throws 429 when there were many. */
async function spendTest({ live, box }: Context, scope: Scope, row: destinations.Row) {
  const caller = scope.user_sid ?? scope.api_key_sid ?? scope.role
  const minute = Math.floor(Date.now() / 60_000)
  const tests = await live.increment(`switchroom:alert-test:${caller}:${minute}`, 60)
  if (tests > TESTS_PER_MINUTE)
    throw new Failure('too_many', 'You have sent enough test alerts for this minute.', {
      retry_after: Math.ceil(((minute + 1) * 60_000 - Date.now()) / 1_000),
    })
  if (row.kind !== 'mail') return
  const mailbox = box.digest((row.address ?? '').toLowerCase())
  const retry_after = await hourly({ live }, `alert-test:${mailbox}`, TEST_MAILS_PER_HOUR)
  if (retry_after > 0)
    throw new Failure('too_many', 'Enough test alerts were sent to this address for this hour.', {
      retry_after,
    })
}

export const alertDestinationRoutes: Handlers<typeof api.alertDestinations> = {
  list: ({ query, scope, ctx }) => destinations.list(ctx.db, scope, query),

  view: async ({ params: { alert_destination_sid: sid }, scope, ctx }) =>
    destinations.readable(found(await destinations.find(ctx.db, scope, sid), 'alert destination')),

  async create({ body, ...who }) {
    const { scope, ctx } = who
    const { account_sid, service_provider_sid, address, secret, alert_types, ...rest } = body
    const sid = randomUUID()
    await changing(who, { ...thing(scope, sid), isNew: true, lock }, async (tx) => {
      const owner = await ownerFor(tx, scope, { account_sid, service_provider_sid })
      await refuseOneMore(tx, owner)
      await destinations.insert(tx, {
        ...rest,
        ...owner,
        alert_destination_sid: sid,
        address: address ?? null,
        sealed_secret: sealed(ctx, secret) ?? null,
        alert_types: JSON.stringify(alert_types),
        active_since: Date.now(),
      })
    })
    return { sid }
  },

  async update({ params: { alert_destination_sid: sid }, body, ...who }) {
    const { scope, ctx } = who
    await changing(who, thing(scope, sid), async (tx) => {
      const stored = found(await destinations.find(tx, scope, sid), 'alert destination')
      const { address = stored.address, secret = stored.sealed_secret && MASK } = body
      const issues = destinationIssues(stored.kind, { address, secret })
      // a mask stands for what is stored, and nothing may be
      if (secret === MASK && !stored.sealed_secret && issues.length === 0)
        issues.push({ path: ['secret'], message: 'Enter the secret again' })
      if (issues.length > 0) throw invalid(...issues)
      const { alert_types, secret: _, ...rest } = body
      const wakes = body.is_active === 1 && !stored.is_active
      const change = given({
        ...rest,
        sealed_secret: sealed(ctx, body.secret),
        alert_types: alert_types && JSON.stringify(alert_types),
        // what happened while it was off is not told afterwards
        active_since: wakes ? Date.now() : undefined,
      })
      if (!isEmpty(change)) await destinations.update(tx, scope, sid, change)
    })
  },

  async test({ params: { alert_destination_sid: sid }, scope, ctx }) {
    const row = found(await destinations.find(ctx.db, scope, sid), 'alert destination')
    await spendTest(ctx, scope, row)
    const now = Date.now()
    const outcome = await send(ctx, row, testNotice(ctx, row, now), now)
    await destinations.noteTry(ctx.db, sid, now, outcome.ok ? null : outcome.message)
    return { ok: outcome.ok, message: outcome.message }
  },

  async remove({ params: { alert_destination_sid: sid }, ...who }) {
    await changing(who, thing(who.scope, sid), async (tx, before) => {
      found(before, 'alert destination')
      await destinations.remove(tx, who.scope, sid)
    })
  },
}
