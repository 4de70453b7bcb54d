import {
  type AlertDestination,
  type AlertDestinationItem,
  MASK,
  type PageQuery,
  UNTYPED,
} from '@switchroom/contract'
import type { Insertable, Selectable, Updateable } from 'kysely'
import { z } from 'zod'
import { listing } from '../../db/listing.ts'
import type { Db, Tables } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { besideAccount, matchesFilter } from '../../http/search.ts'
import { below, type OwnerQuery, ownedBy, ownerFilter } from '../../http/tenancy.ts'

type Table = Tables['switchroom_alert_destinations']
export type Row = Selectable<Table>

/** Destinations the caller may see: an account its own, a provider its own and those of its accounts. */
const inScope = (scope: Scope) => ownedBy('switchroom_alert_destinations', scope)

const visible = (db: Db, scope: Scope) =>
  db.selectFrom('switchroom_alert_destinations').where(inScope(scope))

export function list(db: Db, scope: Scope, query: PageQuery & OwnerQuery) {
  let matching = visible(db, scope).where(ownerFilter('switchroom_alert_destinations', query))
  if (query.filter)
    matching = matching.where(
      matchesFilter(
        db,
        {
          sid: 'switchroom_alert_destinations.alert_destination_sid',
          names: [
            'switchroom_alert_destinations.name',
            'switchroom_alert_destinations.kind',
            // of a view-only caller's, a host alone is no secret
            ...(scope.view_only ? [] : ['switchroom_alert_destinations.address']),
          ],
          beside: [besideAccount('switchroom_alert_destinations')],
        },
        query.filter,
      ),
    )
  return listing({
    db,
    table: 'switchroom_alert_destinations',
    sid: 'alert_destination_sid',
    sortable: ['name'],
    query,
    matching,
    rows: db.selectFrom('switchroom_alert_destinations').selectAll('switchroom_alert_destinations'),
    names: { account_name: 'accounts' },
    present: (rows): AlertDestinationItem[] =>
      rows.map((row) => ({ ...readable(row), account_name: row.account_name })),
  })
}

/** The row as stored; undefined when this caller cannot see it. */
export const find = (db: Db, scope: Scope, sid: string): Promise<Row | undefined> =>
  visible(db, scope).selectAll().where('alert_destination_sid', '=', sid).executeTakeFirst()

/** Shows whether there is a secret, but not the secret. */
export const readable = (row: Row): AlertDestination => ({
  alert_destination_sid: row.alert_destination_sid,
  account_sid: row.account_sid,
  service_provider_sid: row.service_provider_sid,
  name: row.name,
  kind: row.kind,
  address: row.address,
  secret: row.sealed_secret && MASK,
  alert_types: typesOf(row),
  is_active: row.is_active ? 1 : 0,
  last_tried_at: row.last_tried_at,
  last_error: row.last_error,
})

const Types = z.array(z.string())

/**
 * The alert types of a destination; empty for all. Rows of earlier versions use another name for alerts
 * without a type.
 */
export const typesOf = (row: Pick<Row, 'alert_types'>) =>
  Types.parse(JSON.parse(row.alert_types)).map((type) => (type === 'undefined' ? UNTYPED : type))

/** The destinations among these that belong to this account, or to this provider itself. */
export const ofOwner = async (
  db: Db,
  owner: { account_sid: string | null; service_provider_sid: string | null },
  sids: string[],
): Promise<Row[]> =>
  sids.length === 0
    ? []
    : db
        .selectFrom('switchroom_alert_destinations')
        .selectAll()
        .where('alert_destination_sid', 'in', sids)
        .where('account_sid', owner.account_sid ? '=' : 'is', owner.account_sid)
        .$if(!owner.account_sid, (rows) =>
          rows.where('service_provider_sid', '=', owner.service_provider_sid),
        )
        .execute()

/** The number of destinations of an account, or of a provider without its accounts'. */
export const count = async (
  db: Db,
  owner: { account_sid: string | null; service_provider_sid: string | null },
) =>
  Number(
    (
      await db
        .selectFrom('switchroom_alert_destinations')
        .select((eb) => eb.fn.countAll().as('n'))
        .where('account_sid', owner.account_sid ? '=' : 'is', owner.account_sid)
        .where('service_provider_sid', owner.account_sid ? 'is' : '=', owner.service_provider_sid)
        .executeTakeFirstOrThrow()
    ).n,
  )

export const insert = (db: Db, row: Insertable<Table>) =>
  db.insertInto('switchroom_alert_destinations').values(row).execute()

export const update = (db: Db, scope: Scope, sid: string, change: Updateable<Table>) =>
  db
    .updateTable('switchroom_alert_destinations')
    .set(change)
    .where('alert_destination_sid', '=', sid)
    .where(inScope(scope))
    .execute()

/** Deletes a destination and its pending deliveries. Call in a transaction. */
export async function remove(db: Db, scope: Scope, sid: string) {
  await db
    .deleteFrom('switchroom_alert_deliveries')
    .where('alert_destination_sid', '=', sid)
    .where(
      below(
        'switchroom_alert_deliveries.alert_destination_sid',
        'switchroom_alert_destinations',
        inScope(scope),
      ),
    )
    .execute()
  await db
    .deleteFrom('switchroom_alert_destinations')
    .where('alert_destination_sid', '=', sid)
    .where(inScope(scope))
    .execute()
}

/** Records the latest attempt; null for success. */
export const noteTry = (db: Db, sid: string, at: number, error: string | null) =>
  db
    .updateTable('switchroom_alert_destinations')
    .set({ last_tried_at: new Date(at).toISOString(), last_error: error })
    .where('alert_destination_sid', '=', sid)
    .execute()
