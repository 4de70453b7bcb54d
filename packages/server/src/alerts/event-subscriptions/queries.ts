import type { EventSubscription, EventSubscriptionItem, PageQuery } from '@switchroom/contract'
import type { Insertable, Selectable, Updateable } from 'kysely'
import { listing } from '../../db/listing.ts'
import type { Db, Tables } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { besideAccount, matchesFilter } from '../../http/search.ts'
import { below, type OwnerQuery, ownedBy, ownerFilter } from '../../http/tenancy.ts'
import type { NamedOwner } from '../owner.ts'

type Table = Tables['switchroom_event_subscriptions']
export type Row = Selectable<Table>

const TABLE = 'switchroom_event_subscriptions'

/** An account its own; a provider its own and those of its accounts. */
const inScope = (scope: Scope) => ownedBy(TABLE, scope)

const visible = (db: Db, scope: Scope) => db.selectFrom(TABLE).where(inScope(scope))

export function list(db: Db, scope: Scope, query: PageQuery & OwnerQuery) {
  let matching = visible(db, scope).where(ownerFilter(TABLE, query))
  if (query.filter)
    matching = matching.where(
      matchesFilter(
        db,
        {
          sid: `${TABLE}.event_subscription_sid`,
          // of a view-only caller's, a host alone is no secret
          names: [`${TABLE}.name`, ...(scope.view_only ? [] : [`${TABLE}.url`])],
          beside: [besideAccount(TABLE)],
        },
        query.filter,
      ),
    )
  return listing({
    db,
    table: TABLE,
    sid: 'event_subscription_sid',
    sortable: ['name'],
    query,
    matching,
    rows: db.selectFrom(TABLE).selectAll(TABLE),
    names: { account_name: 'accounts' },
    present: (rows): EventSubscriptionItem[] =>
      rows.map((row) => ({ ...readable(row), account_name: row.account_name })),
  })
}

/** The row as stored; undefined when this caller cannot see it. */
export const find = (db: Db, scope: Scope, sid: string): Promise<Row | undefined> =>
  visible(db, scope).selectAll().where('event_subscription_sid', '=', sid).executeTakeFirst()

const timeText = (at: number | null) => (at === null ? null : new Date(Number(at)).toISOString())

export const readable = (row: Row): EventSubscription => ({
  event_subscription_sid: row.event_subscription_sid,
  account_sid: row.account_sid,
  service_provider_sid: row.service_provider_sid,
  name: row.name,
  url: row.url,
  types: JSON.parse(row.kinds),
  is_active: row.is_active ? 1 : 0,
  rotating_until: timeText(row.previous_until),
  last_tried_at: row.last_tried_at,
  last_error: row.last_error,
  failing_since: timeText(row.failing_since),
  disabled_reason: row.disabled_reason,
})

/** The number of webhooks of an account, or of a provider without its accounts'. */
export const count = async (db: Db, { account_sid, service_provider_sid }: NamedOwner) =>
  Number(
    (
      await db
        .selectFrom(TABLE)
        .select((eb) => eb.fn.countAll().as('n'))
        .where('account_sid', account_sid ? '=' : 'is', account_sid)
        .where('service_provider_sid', account_sid ? 'is' : '=', service_provider_sid)
        .executeTakeFirstOrThrow()
    ).n,
  )

export const insert = (db: Db, row: Insertable<Table>) => db.insertInto(TABLE).values(row).execute()

export const update = (db: Db, scope: Scope, sid: string, change: Updateable<Table>) =>
  db
    .updateTable(TABLE)
    .set(change)
    .where('event_subscription_sid', '=', sid)
    .where(inScope(scope))
    .execute()

/** Deletes a webhook and its pending events. Call it in a transaction. */
export async function remove(db: Db, scope: Scope, sid: string) {
  await db
    .deleteFrom('switchroom_event_deliveries')
    .where('event_subscription_sid', '=', sid)
    .where(below('switchroom_event_deliveries.event_subscription_sid', TABLE, inScope(scope)))
    .execute()
  await db
    .deleteFrom(TABLE)
    .where('event_subscription_sid', '=', sid)
    .where(inScope(scope))
    .execute()
}
