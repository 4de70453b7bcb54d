import { ERROR_STATUS, NUMBER_TAKEN, type PhoneNumber, phoneNumbers } from '@switchroom/contract'
import { checkedEntryOf, ownersIn } from '../../audit/audited.ts'
import { type Changes, recordAll } from '../../audit/record.ts'
import type { Db } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'
import type { Context } from '../../http/context.ts'
import { conflict, Failure, onDuplicate, toFailure } from '../../http/failure.ts'
import { refuseOverLimit, refuseOverQuota } from '../../http/limits.ts'
import type { NewNumber } from '../../http/memory.ts'
import type { Outcome } from '../../live/batches.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import { checkApplication, checkCarrier, numberProvider } from './checks.ts'
import * as numberWrites from './writes.ts'

const taken = onDuplicate({ number: NUMBER_TAKEN })

/**
 * Adds a number. Requests that wait at the same time are checked and audited each, and stored in one transaction:
 * it takes the locks of the rule on numbers without a carrier and of the audit log once, and one write to the disk.
 */
export function addNumber(ctx: Context, number: NewNumber) {
  // the unique key covers numbers with a carrier; others queue
  const lock = number.number.voip_carrier_sid ? undefined : 'phone-numbers'
  return ctx.memory.newNumbers(lock ?? '', number, (take) => addBatch(ctx, lock, take)).catch(taken)
}

async function addBatch(
  ctx: Context,
  lock: string | undefined,
  take: () => NewNumber[],
): Promise<Outcome<void>[]> {
  const outcomes = new Map<NewNumber, Outcome<void>>()
  const add = async (choose: () => NewNumber[]) => {
    const work = async (tx: Db) => {
      const chosen = choose()
      const results = await addTogether(ctx, tx, chosen)
      return chosen.map((number, i) => [number, results[i]!] as const)
    }
    const added = await transaction(ctx.db, work, { lock })
    for (const [number, outcome] of added) outcomes.set(number, outcome)
  }
  let batch: NewNumber[] = []
  let together: NewNumber[] = []
  let alone: NewNumber[] = []
  try {
    await add(() => {
      batch = take()
      ;({ together, alone } = split(ctx, batch))
      return together
    })
  } catch (e) {
    // a value of one of them, which the others do not suffer for
    if (batch.length <= 1 || ERROR_STATUS[toFailure(e).code] >= 500) throw e
    alone = batch
  }
  for (const number of alone)
    await add(() => [number]).catch((error: unknown) => outcomes.set(number, { error }))
  return batch.map((number) => outcomes.get(number)!)
}

/** Splits a batch into numbers that do not depend on another of it, and the others. */
function split({ config }: Context, batch: NewNumber[]) {
  const seen = new Set<string>()
  const isFirst = (key: string) => seen.size < seen.add(key).size
  const together: NewNumber[] = []
  const alone: NewNumber[] = []
  for (const one of batch) {
    const { number, scope } = one
    const isFirstNumber = isFirst(`number ${number.number.toLowerCase()}`)
    const isFirstOfLimit =
      !config.apply_limits || scope.role !== 'account' || isFirst(`account ${scope.account_sid}`)
    if (isFirstNumber && isFirstOfLimit) together.push(one)
    else alone.push(one)
  }
  return { together, alone }
}

async function addTogether(ctx: Context, tx: Db, batch: NewNumber[]): Promise<Outcome<void>[]> {
  const unprotected = batch.flatMap(({ number }) =>
    number.voip_carrier_sid ? [] : [number.number],
  )
  const stored = unprotected.length > 0 ? await numberWrites.takenNumbers(tx, unprotected) : []
  const takenWithoutCarrier = new Set(
    stored.flatMap((n) => (n.voip_carrier_sid ? [] : [n.number.toLowerCase()])),
  )
  const outcomes: Outcome<void>[] = []
  const ready: PhoneNumber[] = []
  const changes: Changes[] = []
  const ownerOf = ownersOf(tx)
  const owners = ownersIn(tx)
  for (const { scope, meta, number } of batch) {
    try {
      const owner = await ownerOf(scope, number.account_sid)
      await refuseOverLimit(ctx, tx, scope, 'phone_numbers')
      await checkCarrier(tx, scope, owner, number.voip_carrier_sid)
      await checkApplication(tx, scope, owner, number.application_sid)
      if (!number.voip_carrier_sid && takenWithoutCarrier.has(number.number.toLowerCase()))
        throw conflict('number', NUMBER_TAKEN)
      const added = {
        ...number,
        account_sid: owner?.account_sid ?? null,
        service_provider_sid: numberProvider(scope, owner),
      }
      const { phone_number_sid: sid } = number
      const what = { kind: 'phone_number', sid, view: phoneNumbers.view } as const
      const entry = await checkedEntryOf(owners, { scope, meta }, what, undefined, added)
      changes.push({ actor: { scope, meta }, entries: [entry!] })
      ready.push(added)
      outcomes.push({ result: undefined })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      outcomes.push({ error })
    }
  }
  const gaining = ready.map(({ account_sid }) => account_sid)
  await refuseOverQuota(ctx, tx, 'phone_numbers', gaining)
  await numberWrites.insert(tx, ready)
  for (const { actor, entries } of changes)
    await actor.meta.remember?.(tx, { sid: entries[0]!.sid })
  await recordAll(tx, changes)
  return outcomes
}

/** `accounts.ownerOf`, once per caller's scope and account. */
function ownersOf(tx: Db) {
  const known = new Map<string, ReturnType<typeof accounts.ownerOf>>()
  return (scope: NewNumber['scope'], account_sid: string | null) => {
    const { role } = scope
    const whose = role === 'admin' ? '' : scope.service_provider_sid
    const key = [role, whose, role === 'account' ? scope.account_sid : '', account_sid].join(' ')
    const owner = known.get(key) ?? accounts.ownerOf(tx, scope, account_sid)
    known.set(key, owner)
    return owner
  }
}
