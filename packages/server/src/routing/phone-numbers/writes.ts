import type { PhoneNumber } from '@switchroom/contract'
import { batchesOf } from '../../db/batches.ts'
import { isEmpty } from '../../db/defined-fields.ts'
import { insertMany } from '../../db/insert-many.ts'
import { type Db, kindOf } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { below } from '../../http/tenancy.ts'
import { inScope, REFERENCES } from './queries.ts'

export async function insert(db: Db, numbers: PhoneNumber[]) {
  for (const [table, rows] of inserted(numbers)) await insertMany(db, table, rows)
}

/** The rows of numbers, by table. */
export const inserted = (numbers: PhoneNumber[]) => [
  rowsOf(
    'phone_numbers',
    numbers.map(({ description: _, ...row }) => row),
  ),
  rowsOf('switchroom_phone_numbers', descriptionsOf(numbers)),
]

const rowsOf = (
  table: 'phone_numbers' | 'switchroom_phone_numbers',
  rows: Record<string, unknown>[],
): [typeof table, typeof rows] => [table, rows]

const descriptionsOf = (numbers: PhoneNumber[]) =>
  numbers.flatMap(({ phone_number_sid, description }) =>
    description ? [{ phone_number_sid, description }] : [],
  )

/** Sets the description of the numbers among these that the caller may see. */
async function describe(db: Db, scope: Scope, sids: string[], description: string | null) {
  if (description === null) return forget(db, scope, sids)
  await db
    .insertInto('switchroom_phone_numbers')
    .columns(['phone_number_sid', 'description'])
    .expression((eb) =>
      eb
        .selectFrom('phone_numbers')
        .select(['phone_number_sid', eb.val(description).as('description')])
        .where('phone_number_sid', 'in', sids)
        .where(inScope(scope)),
    )
    .$call((q) =>
      kindOf(db) === 'mysql'
        ? q.onDuplicateKeyUpdate({ description })
        : q.onConflict((c) => c.column('phone_number_sid').doUpdateSet({ description })),
    )
    .execute()
}

const forget = (db: Db, scope: Scope, sids: string[]) =>
  db
    .deleteFrom('switchroom_phone_numbers')
    .where('phone_number_sid', 'in', sids)
    .where(below('switchroom_phone_numbers.phone_number_sid', 'phone_numbers', inScope(scope)))
    .execute()

export async function update(
  db: Db,
  scope: Scope,
  sid: string,
  { description, ...change }: Partial<PhoneNumber>,
) {
  // first, since it needs to see the number
  if (description !== undefined) await describe(db, scope, [sid], description)
  if (!isEmpty(change))
    await db
      .updateTable('phone_numbers')
      .set(change)
      .where('phone_number_sid', '=', sid)
      .where(inScope(scope))
      .execute()
}

/** Stores the new state of many numbers. Numbers with the same new state are written together. */
export async function updateAll(
  db: Db,
  scope: Scope,
  changes: { before: PhoneNumber; after: PhoneNumber }[],
) {
  const groups = Map.groupBy(changes, ({ before, after }) => {
    const { account_sid, service_provider_sid, application_sid, voip_carrier_sid } = after
    return JSON.stringify([
      { account_sid, service_provider_sid, application_sid, voip_carrier_sid },
      after.description === before.description ? [] : [after.description],
    ])
  })
  for (const [key, group] of groups) {
    const [change, descriptions] = JSON.parse(key) as [Partial<PhoneNumber>, (string | null)[]]
    for (const batch of batchesOf(group.map((one) => one.after.phone_number_sid))) {
      for (const description of descriptions) await describe(db, scope, batch, description)
      await db
        .updateTable('phone_numbers')
        .set(change)
        .where('phone_number_sid', 'in', batch)
        .where(inScope(scope))
        .execute()
    }
  }
}

/** Restores many numbers, each with its own description. */
export async function restoreAll(
  db: Db,
  scope: Scope,
  changes: { before: PhoneNumber; after: PhoneNumber }[],
) {
  const described = changes.filter(({ before, after }) => before.description !== after.description)
  for (const batch of batchesOf(described.map(({ after }) => after))) {
    await forget(
      db,
      scope,
      batch.map((n) => n.phone_number_sid),
    )
    await insertMany(db, 'switchroom_phone_numbers', descriptionsOf(batch))
  }
  await updateAll(
    db,
    scope,
    changes
      .filter(({ before, after }) =>
        [...REFERENCES, 'service_provider_sid' as const].some(
          (name) => before[name] !== after[name],
        ),
      )
      .map(({ before, after }) => ({
        before: { ...before, description: after.description },
        after,
      })),
  )
}

export async function removeAll(db: Db, scope: Scope, sids: string[]) {
  for (const batch of batchesOf(sids)) {
    await forget(db, scope, batch)
    await db
      .deleteFrom('phone_numbers')
      .where('phone_number_sid', 'in', batch)
      .where(inScope(scope))
      .execute()
  }
}

/** The numbers among these that exist, with their carriers, over all owners. */
export async function takenNumbers(db: Db, numbers: string[]) {
  const taken = []
  for (const batch of batchesOf(numbers))
    taken.push(
      ...(await db
        .selectFrom('phone_numbers')
        .select(['number', 'voip_carrier_sid'])
        .where('number', 'in', batch)
        .execute()),
    )
  return taken
}
