import type { PageQuery, PhoneNumber, PhoneNumberItem } from '@switchroom/contract'
import { sql } from 'kysely'
import { listing } from '../db/listing.ts'
import type { Db } from '../db/open.ts'
import { contains, inScope, ofServiceProvider, type Scope } from '../http/scope.ts'

/** A number that no account owns yet belongs to the provider that keeps it. */
const mine = (scope: Scope) =>
  scope.role === 'service_provider'
    ? sql<boolean>`(${inScope(scope, 'phone_numbers.account_sid')(undefined as never)}
        or phone_numbers.account_sid is null
        and phone_numbers.service_provider_sid = ${scope.service_provider_sid})`
    : inScope(scope, 'phone_numbers.account_sid')(undefined as never)

const visible = (db: Db, scope: Scope) => db.selectFrom('phone_numbers').where(mine(scope))

type Query = PageQuery & {
  account_sid?: string | undefined
  service_provider_sid?: string | undefined
}

export function list(db: Db, scope: Scope, query: Query) {
  const { filter, account_sid, service_provider_sid } = query
  let matching = visible(db, scope)
  // stored without the plus that people type
  if (filter) matching = matching.where(contains('phone_numbers.number', filter.replace(/^\+/, '')))
  if (account_sid) matching = matching.where('phone_numbers.account_sid', '=', account_sid)
  // a provider's own scope says the same already
  if (service_provider_sid && scope.role === 'admin')
    matching = matching.where((eb) =>
      eb.or([
        ofServiceProvider(service_provider_sid, 'phone_numbers.account_sid')(eb),
        eb.and([
          eb('phone_numbers.account_sid', 'is', null),
          eb('phone_numbers.service_provider_sid', '=', service_provider_sid),
        ]),
      ]),
    )
  return listing({
    db,
    table: 'phone_numbers',
    sid: 'phone_number_sid',
    sortable: ['number'],
    query,
    matching,
    rows: (sids): Promise<PhoneNumberItem[]> =>
      db
        .selectFrom('phone_numbers as n')
        .leftJoin('accounts as a', 'a.account_sid', 'n.account_sid')
        .leftJoin('applications as p', 'p.application_sid', 'n.application_sid')
        .leftJoin('voip_carriers as c', 'c.voip_carrier_sid', 'n.voip_carrier_sid')
        .selectAll('n')
        .select([
          'a.name as account_name',
          'p.name as application_name',
          'c.name as voip_carrier_name',
        ])
        .where('phone_number_sid', 'in', sids)
        .execute(),
  })
}

export const find = (db: Db, scope: Scope, sid: string) =>
  visible(db, scope).selectAll().where('phone_number_sid', '=', sid).executeTakeFirst()

export const insert = (db: Db, row: PhoneNumber) =>
  db.insertInto('phone_numbers').values(row).execute()

export const update = (db: Db, scope: Scope, sid: string, change: Partial<PhoneNumber>) =>
  db
    .updateTable('phone_numbers')
    .set(change)
    .where('phone_number_sid', '=', sid)
    .where(mine(scope))
    .execute()

export const remove = (db: Db, scope: Scope, sid: string) =>
  db.deleteFrom('phone_numbers').where('phone_number_sid', '=', sid).where(mine(scope)).execute()

/** Whether a number is there without a carrier: the unique key lets those repeat. */
export const isTakenWithoutCarrier = async (db: Db, number: string) =>
  (await db
    .selectFrom('phone_numbers')
    .select('phone_number_sid')
    .where('number', '=', number)
    .where('voip_carrier_sid', 'is', null)
    .executeTakeFirst()) !== undefined
