import { type AuditEntry, PhoneNumber, t, UNDO_CHANGED } from '@switchroom/contract'
import * as applications from '../../applications/queries.ts'
import { entryOf, ownersIn } from '../../audit/audited.ts'
import { type Actor, record } from '../../audit/record.ts'
import { refuseChangedSince } from '../../audit/undo.ts'
import * as voipCarriers from '../../carriers/voip-carriers/queries.ts'
import { refuseToAccounts } from '../../carriers/voip-carriers/reserved.ts'
import type { Db } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'
import type { Context } from '../../http/context.ts'
import { conflict, Failure, onDuplicate } from '../../http/failure.ts'
import { refuseOverLimit, refuseOverQuota } from '../../http/limits.ts'
import type { Scope } from '../../http/scope.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import { fits } from './checks.ts'
import * as numbers from './queries.ts'
import * as numberWrites from './writes.ts'

type ActorContext = Actor & { ctx: Context }
/** A number before the change, and now: undefined if the change deleted it. */
type Return = { was: PhoneNumber; now: PhoneNumber | undefined }

const taken = (number: string) => t('{number} is already in use.', { number })

/** Restores numbers to their state before a change, including deleted ones: all of them or none. */
export function undoNumbers(actor: ActorContext, entries: AuditEntry[]): Promise<void> {
  const { scope, ctx } = actor
  const work = async (tx: Db) => {
    await refuseChangedSince(tx, entries)
    const returns = await returnsOf(tx, scope, entries)
    const deleted = returns.flatMap(({ was, now }) => (now ? [] : [was]))
    const onAnother = returns.filter(
      ({ was, now }) => was.voip_carrier_sid !== now?.voip_carrier_sid,
    )
    if (deleted.length + onAnother.length > 0) refuseToAccounts(ctx, scope)
    await refuseOverLimit(ctx, tx, scope, 'phone_numbers', deleted.length)
    const moving = returns.filter(({ was, now }) => was.account_sid !== now?.account_sid)
    await refuseOverQuota(
      ctx,
      tx,
      'phone_numbers',
      moving.map(({ was }) => was.account_sid),
    )
    await refuseReferences(tx, scope, returns)
    await refuseTaken(
      tx,
      onAnother.map(({ was }) => was),
    )
    await numberWrites.insert(tx, deleted)
    await numberWrites.restoreAll(
      tx,
      scope,
      returns.flatMap(({ was, now }) => (now ? [{ before: now, after: was }] : [])),
    )
    await recordReturns(tx, actor, returns)
  }
  // no unique key covers numbers without a carrier
  return transaction(ctx.db, work, { lock: 'phone-numbers' }).catch(
    onDuplicate({ number: taken(t('A number')), voip_carrier_sid: taken(t('A number')) }),
  )
}

async function returnsOf(tx: Db, scope: Scope, entries: AuditEntry[]): Promise<Return[]> {
  const found = await numbers.findAll(
    tx,
    scope,
    entries.map((e) => e.sid),
  )
  const bySid = new Map(found.map((n) => [n.phone_number_sid, n]))
  return entries.map(({ sid, action, before }) => {
    const now = bySid.get(sid)
    if ((action === 'delete') === !!now) throw new Failure('changed', UNDO_CHANGED)
    // columns that only some platforms have come back as well
    return { was: { ...PhoneNumber.loose().parse({ ...now, ...before }) }, now }
  })
}

/**
 * Refuses references as when a number is added or moved: its account, carrier and application must still go together.
 */
async function refuseReferences(tx: Db, scope: Scope, returns: Return[]) {
  const once = <T>(read: (sid: string) => Promise<T>) => {
    const known = new Map<string, Promise<T>>()
    return (sid: string) => {
      const value = known.get(sid) ?? read(sid)
      known.set(sid, value)
      return value
    }
  }
  const account = once((sid) => accounts.owned(tx, scope, sid))
  const carrier = once((sid) => voipCarriers.find(tx, scope, sid))
  const isOwnerless = once((sid) => voipCarriers.isOwnerless(tx, sid))
  const application = once((sid) => applications.find(tx, scope, sid))
  for (const { was, now } of returns) {
    const { account_sid, voip_carrier_sid, application_sid } = was
    const moves = account_sid !== now?.account_sid
    const owner = account_sid ? await account(account_sid) : undefined
    if (voip_carrier_sid && (moves || voip_carrier_sid !== now?.voip_carrier_sid)) {
      const its = await carrier(voip_carrier_sid)
      if (!(its && fits(its, owner)) && !(await isOwnerless(voip_carrier_sid)))
        throw lost(was, 'carrier')
    }
    if (application_sid && (moves || application_sid !== now?.application_sid)) {
      const its = await application(application_sid)
      if (!its || its.account_sid !== account_sid) throw lost(was, 'application')
    }
  }
}

const lost = ({ number }: PhoneNumber, what: string) =>
  new Failure('conflict', t('{number} can no longer use its former {what}.', { number, what }))

/** A carrier has each number once. */
async function refuseTaken(tx: Db, returning: PhoneNumber[]) {
  const key = (number: string, carrier: string | null) => `${number.toLowerCase()} ${carrier ?? ''}`
  const stored = await numberWrites.takenNumbers(
    tx,
    returning.map((n) => n.number),
  )
  const inUse = new Set(stored.map((n) => key(n.number, n.voip_carrier_sid)))
  const twice = returning.find((n) => inUse.has(key(n.number, n.voip_carrier_sid)))
  if (twice) throw conflict('number', taken(twice.number))
}

/** Audits the numbers that returned, read again within the caller's scope. */
async function recordReturns(tx: Db, actor: Actor, returns: Return[]) {
  const sids = returns.map(({ was }) => was.phone_number_sid)
  const after = new Map(
    (await numbers.findAll(tx, actor.scope, sids)).map((n) => [n.phone_number_sid, n]),
  )
  const owners = ownersIn(tx)
  const entries = []
  for (const { was, now } of returns) {
    const sid = was.phone_number_sid
    const entry = await entryOf(owners, 'phone_number', sid, now, after.get(sid))
    if (entry) entries.push(entry)
  }
  await record(tx, actor, entries)
}
