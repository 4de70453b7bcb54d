import { NUMBER_TAKEN, type PhoneNumber, type PhoneNumberSelection, t } from '@switchroom/contract'
import * as applications from '../../applications/queries.ts'
import { ownersIn } from '../../audit/audited.ts'
import * as voipCarriers from '../../carriers/voip-carriers/queries.ts'
import type { Db } from '../../db/open.ts'
import { invalidField, onDuplicate } from '../../http/failure.ts'
import { refuseOverQuota } from '../../http/limits.ts'
import type { Scope } from '../../http/scope.ts'
import { changeMany, deleteAll, type ManyActor } from '../../selections/change-many.ts'
import { refuse, type Selectable } from '../../selections/chosen.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import { fits, fitsOwner, numberProvider } from './checks.ts'
import * as numbers from './queries.ts'
import * as numberWrites from './writes.ts'

type Wanted = {
  account_sid?: string | null | undefined
  application_sid?: string | null | undefined
  voip_carrier_sid?: string | undefined
  description?: string | null | undefined
}

export const selectable: Selectable<'phone_number_sids', numbers.Filters, PhoneNumber> = {
  kind: 'phone_number',
  what: t('phone numbers'),
  sids: 'phone_number_sids',
  sidOf: (n) => n.phone_number_sid,
  nameOf: (n) => n.number,
  findAll: numbers.findAll,
  matching: numbers.sidsMatching,
}

/** Assigns, moves and describes numbers, all of them or none. Resolves to how many this has changed. */
export async function updateMany(actor: ManyActor, select: PhoneNumberSelection, wanted: Wanted) {
  const { scope, ctx } = actor
  const plan = async (tx: Db, chosen: PhoneNumber[]) => {
    const moving = await movingTo(tx, scope, chosen, wanted.account_sid)
    if (moving) {
      const gaining = Array.from(moving.numbers, () => moving.owner.account_sid)
      await refuseOverQuota(ctx, tx, 'phone_numbers', gaining)
    }
    const { voip_carrier_sid } = wanted
    if (!voip_carrier_sid) await refuseCarriers(tx, scope, chosen, moving)
    const after = (n: PhoneNumber): PhoneNumber => {
      const moved = moving?.numbers.has(n)
      return {
        ...n,
        ...(moved && moving!.owner),
        // resources of the old account do not move along
        application_sid:
          wanted.application_sid === undefined
            ? moved
              ? null
              : n.application_sid
            : wanted.application_sid,
        ...(voip_carrier_sid && { voip_carrier_sid }),
        ...(wanted.description !== undefined && { description: wanted.description }),
      }
    }
    const all = chosen.map((before) => ({ before, after: after(before) }))
    const target = all.map((one) => one.after)
    await refuseApplication(tx, scope, target, wanted.application_sid)
    if (voip_carrier_sid) {
      await refuseOwners(tx, scope, target, voip_carrier_sid)
      await refuseTaken(tx, all)
    }
    return all.filter((one) => FIELDS.some((f) => one.before[f] !== one.after[f]))
  }
  const changes = await changeMany(actor, selectable, select, {
    plan,
    store: (tx, batch) => numberWrites.updateAll(tx, scope, batch),
  }).catch(onDuplicate({ voip_carrier_sid: NUMBER_TAKEN }))
  return { changed: changes.length }
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
    throw invalidField('account_sid', t('A number cannot be moved to another account'))
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
    selectable,
    moved.filter((n) => n.voip_carrier_sid && !fits.get(n.voip_carrier_sid)),
    chosen,
    {
      cannot: (counts) =>
        t(
          'Nothing was changed: {bad} of {all} phone numbers have a carrier that this account cannot use',
          counts,
        ),
      message: t('The carrier of this number belongs to a different account or provider'),
    },
  )
}

/** A carrier takes the numbers of those who may use it. */
async function refuseOwners(tx: Db, scope: Scope, after: PhoneNumber[], sid: string) {
  const carrier = await voipCarriers.find(tx, scope, sid)
  if (!carrier) throw invalidField('voip_carrier_sid', t('No such carrier'))
  const owners = ownersIn(tx)
  const bad: PhoneNumber[] = []
  for (const number of after) {
    const { account_sid } = number
    const { service_provider_sid } = await owners(number)
    const owner =
      account_sid && service_provider_sid ? { account_sid, service_provider_sid } : undefined
    if (!fits(carrier, owner)) bad.push(number)
  }
  refuse(selectable, bad, after, {
    cannot: (counts) =>
      t('Nothing was changed: {bad} of {all} phone numbers cannot use this carrier', counts),
    message: t('The carrier belongs to a different account or provider than this number'),
  })
}

/** A carrier has each number once. */
async function refuseTaken(tx: Db, all: { before: PhoneNumber; after: PhoneNumber }[]) {
  const moved = all.filter(
    ({ before, after }) => before.voip_carrier_sid !== after.voip_carrier_sid,
  )
  const stored = await numberWrites.takenNumbers(
    tx,
    moved.map(({ after }) => after.number),
  )
  const carrier = moved[0]?.after.voip_carrier_sid
  const taken = new Set(stored.flatMap((n) => (n.voip_carrier_sid === carrier ? n.number : [])))
  const seen = new Set<string>()
  refuse(
    selectable,
    moved
      .map(({ after }) => after)
      .filter(({ number }) => taken.has(number) || seen.size === seen.add(number).size),
    all.map(({ after }) => after),
    {
      cannot: (counts) =>
        t(
          'Nothing was changed: {bad} of {all} phone numbers are already with this carrier',
          counts,
        ),
      message: NUMBER_TAKEN,
    },
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
  if (!application) throw invalidField('application_sid', t('No such application'))
  refuse(
    selectable,
    after.filter((n) => n.account_sid !== application.account_sid),
    after,
    {
      cannot: (counts) =>
        t('Nothing was changed: {bad} of {all} phone numbers cannot use this application', counts),
      message: t('The application belongs to a different account than this number'),
    },
  )
}

/** Deletes numbers, all of them or none. Resolves to how many. */
export async function removeMany(actor: ManyActor, select: PhoneNumberSelection) {
  const changes = await changeMany(actor, selectable, select, {
    plan: deleteAll,
    store: (tx, batch) => {
      const sids = batch.map(({ before }) => before.phone_number_sid)
      return numberWrites.removeAll(tx, actor.scope, sids)
    },
  })
  return { deleted: changes.length }
}
