import { NUMBER_TAKEN, type PhoneNumber, type PhoneNumberSelection } from '@switchroom/contract'
import * as applications from '../../applications/queries.ts'
import { entryOf, ownersIn } from '../../audit/audited.ts'
import { type Actor, record } from '../../audit/record.ts'
import * as voipCarriers from '../../carriers/voip-carriers/queries.ts'
import type { Db } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'
import type { Context } from '../../http/context.ts'
import { Failure, invalidField, onDuplicate } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import { fits, fitsOwner, numberProvider } from './checks.ts'
import * as numbers from './queries.ts'

/** The most numbers that are changed at once, by filter. */
const MATCHING_MAX = 200_000
/** The most numbers that a refusal names. */
const SHOWN = 1_000

type ActorContext = Actor & { ctx: Context }

type Change = {
  account_sid?: string | null | undefined
  application_sid?: string | null | undefined
  voip_carrier_sid?: string | undefined
  description?: string | null | undefined
}

/** The chosen numbers, in any order. Fails as a whole when the caller cannot see one of them, or with too many. */
export async function chosenBy(tx: Db, scope: Scope, select: PhoneNumberSelection) {
  if ('matching' in select) {
    const found = await numbers.findMatching(tx, scope, select.matching, MATCHING_MAX + 1)
    if (found.length > MATCHING_MAX)
      throw new Failure('invalid', `At most ${MATCHING_MAX} phone numbers at once`)
    return found
  }
  const sids = [...new Set(select.phone_number_sids)]
  const found = await numbers.findAll(tx, scope, sids)
  const foundSids = new Set(found.map((n) => n.phone_number_sid))
  const missing = sids.filter((sid) => !foundSids.has(sid))
  if (missing.length > 0)
    throw new Failure(
      'not_found',
      `Nothing was changed: ${missing.length} of ${sids.length} phone numbers no longer exist`,
      {
        issues: missing
          .slice(0, SHOWN)
          .map((sid) => ({ path: ['phone_number_sids', sid], message: 'No such phone number' })),
      },
    )
  return found
}

/** Refuses the whole change if there are numbers that it is not possible for. */
function refuse(
  bad: PhoneNumber[],
  all: PhoneNumber[],
  { cannot, message }: Record<'cannot' | 'message', string>,
) {
  if (bad.length === 0) return
  throw new Failure(
    'invalid',
    `Nothing was changed: ${bad.length} of ${all.length} phone numbers ${cannot}`,
    { issues: bad.slice(0, SHOWN).map(({ number }) => ({ path: ['numbers', number], message })) },
  )
}

/** Assigns, moves and describes numbers, all of them or none. Resolves to how many this has changed. */
export function updateMany(actor: ActorContext, select: PhoneNumberSelection, change: Change) {
  const { scope, ctx } = actor
  return transaction(ctx.db, async (tx) => {
    const chosen = await chosenBy(tx, scope, select)
    const moving = await movingTo(tx, scope, chosen, change.account_sid)
    const { voip_carrier_sid } = change
    if (!voip_carrier_sid) await refuseCarriers(tx, scope, chosen, moving)
    const after = (n: PhoneNumber): PhoneNumber => {
      const moved = moving?.numbers.has(n)
      return {
        ...n,
        ...(moved && moving!.owner),
        // what belonged to the old account does not come along
        application_sid:
          change.application_sid === undefined
            ? moved
              ? null
              : n.application_sid
            : change.application_sid,
        ...(voip_carrier_sid && { voip_carrier_sid }),
        ...(change.description !== undefined && { description: change.description }),
      }
    }
    const all = chosen.map((before) => ({ before, after: after(before) }))
    const target = all.map((one) => one.after)
    await refuseApplication(tx, scope, target, change.application_sid)
    if (voip_carrier_sid) {
      await refuseOwners(tx, scope, target, voip_carrier_sid)
      await refuseTaken(tx, all)
    }
    const changed = all.filter((one) => FIELDS.some((f) => one.before[f] !== one.after[f]))
    await numbers.updateAll(tx, scope, changed)
    await recordAll(tx, actor, changed)
    return { changed: changed.length }
  }).catch(onDuplicate({ voip_carrier_sid: NUMBER_TAKEN }))
}

const FIELDS = [
  'account_sid',
  'service_provider_sid',
  'application_sid',
  'voip_carrier_sid',
  'description',
] as const

type Moving = {
  numbers: Set<PhoneNumber>
  owner: Pick<PhoneNumber, 'account_sid' | 'service_provider_sid'>
  account: Awaited<ReturnType<typeof accounts.owned>> | undefined
}

/** The numbers that go to another account, if any. Throws 400 for an account that the caller cannot see. */
async function movingTo(
  tx: Db,
  scope: Scope,
  chosen: PhoneNumber[],
  account_sid: string | null | undefined,
): Promise<Moving | undefined> {
  if (account_sid === undefined) return undefined
  const account = account_sid ? await accounts.owned(tx, scope, account_sid) : undefined
  const moved = chosen.filter((n) => n.account_sid !== account_sid)
  if (!account && moved.length > 0 && scope.role === 'account')
    throw invalidField('account_sid', 'A number cannot be moved to another account')
  return {
    numbers: new Set(moved),
    account,
    owner: { account_sid, service_provider_sid: numberProvider(scope, account) },
  }
}

/** A number moves only to an account that may use its carrier, or stays on one that has no owner. */
async function refuseCarriers(
  tx: Db,
  scope: Scope,
  chosen: PhoneNumber[],
  moving: Moving | undefined,
) {
  if (!moving) return
  const moved = [...moving.numbers]
  const fits = new Map<string, boolean>()
  for (const sid of new Set(moved.flatMap((n) => n.voip_carrier_sid ?? [])))
    fits.set(
      sid,
      (await voipCarriers.isOwnerless(tx, sid)) ||
        (await fitsOwner(tx, scope, moving.account, sid)),
    )
  refuse(
    moved.filter((n) => n.voip_carrier_sid && !fits.get(n.voip_carrier_sid)),
    chosen,
    {
      cannot: 'have a carrier that this account cannot use',
      message: 'The carrier of this number belongs to a different account or provider',
    },
  )
}

/** A carrier takes the numbers of those who may use it. */
async function refuseOwners(tx: Db, scope: Scope, after: PhoneNumber[], sid: string) {
  const carrier = await voipCarriers.find(tx, scope, sid)
  if (!carrier) throw invalidField('voip_carrier_sid', 'No such carrier')
  const owners = ownersIn(tx)
  const bad: PhoneNumber[] = []
  for (const number of after) {
    const { account_sid } = number
    const { service_provider_sid } = await owners(number)
    const owner =
      account_sid && service_provider_sid ? { account_sid, service_provider_sid } : undefined
    if (!fits(carrier, owner)) bad.push(number)
  }
  refuse(bad, after, {
    cannot: 'cannot use this carrier',
    message: 'The carrier belongs to a different account or provider than this number',
  })
}

/** A carrier has each number once. */
async function refuseTaken(tx: Db, all: { before: PhoneNumber; after: PhoneNumber }[]) {
  const moved = all.filter(
    ({ before, after }) => before.voip_carrier_sid !== after.voip_carrier_sid,
  )
  const stored = await numbers.takenNumbers(
    tx,
    moved.map(({ after }) => after.number),
  )
  const carrier = moved[0]?.after.voip_carrier_sid
  const taken = new Set(stored.flatMap((n) => (n.voip_carrier_sid === carrier ? n.number : [])))
  const seen = new Set<string>()
  refuse(
    moved
      .map(({ after }) => after)
      .filter(({ number }) => taken.has(number) || seen.size === seen.add(number).size),
    all.map(({ after }) => after),
    { cannot: 'are already with this carrier', message: NUMBER_TAKEN },
  )
}

async function refuseApplication(
  tx: Db,
  scope: Scope,
  after: PhoneNumber[],
  sid: string | null | undefined,
) {
  if (!sid) return
  const application = await applications.find(tx, scope, sid)
  if (!application) throw invalidField('application_sid', 'No such application')
  refuse(
    after.filter((n) => n.account_sid !== application.account_sid),
    after,
    {
      cannot: 'cannot use this application',
      message: 'The application belongs to a different account than this number',
    },
  )
}

/** Deletes numbers, all of them or none. Resolves to how many. */
export function removeMany(actor: ActorContext, select: PhoneNumberSelection): Promise<number> {
  const { scope, ctx } = actor
  return transaction(ctx.db, async (tx) => {
    const chosen = await chosenBy(tx, scope, select)
    await numbers.removeAll(
      tx,
      scope,
      chosen.map((n) => n.phone_number_sid),
    )
    await recordAll(
      tx,
      actor,
      chosen.map((before) => ({ before, after: undefined })),
    )
    return chosen.length
  })
}

async function recordAll(
  tx: Db,
  actor: Actor,
  changes: { before: PhoneNumber; after: PhoneNumber | undefined }[],
) {
  const entries = []
  const owners = ownersIn(tx)
  for (const { before, after } of changes)
    entries.push((await entryOf(owners, 'phone_number', before.phone_number_sid, before, after))!)
  await record(tx, actor, entries)
}
