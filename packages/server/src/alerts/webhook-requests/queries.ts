import type {
  PageQuery,
  RequestKind,
  RequestOutcome,
  WebhookRequestItem,
} from '@switchroom/contract'
import { listing } from '../../db/listing.ts'
import type { Db } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { besideAccount, besideApplication, matchesFilter, type Shown } from '../../http/search.ts'
import { type OwnerQuery, ownedBy, ownerFilter } from '../../http/tenancy.ts'

const TABLE = 'switchroom_webhook_requests'

const visible = (db: Db, scope: Scope) => db.selectFrom(TABLE).where(ownedBy(TABLE, scope))

/** Columns that a search finds a request by. A caller who may not read a full URL must not learn it by searching. */
const shown = (scope: Scope): Shown => ({
  sid: `${TABLE}.webhook_request_sid`,
  names: [
    `${TABLE}.${scope.view_only ? 'host' : 'url'}`,
    `${TABLE}.error`,
    `${TABLE}.status`,
    `${TABLE}.outcome`,
  ],
  beside: [besideAccount(TABLE), besideApplication(TABLE)],
})

type Query = Pick<PageQuery, 'filter' | 'sort'> &
  OwnerQuery & {
    kind?: RequestKind | undefined
    outcome?: RequestOutcome | 'failed' | undefined
    application_sid?: string | undefined
    alert_destination_sid?: string | undefined
    from?: string | undefined
    to?: string | undefined
  }

export function list(db: Db, scope: Scope, query: Query) {
  const { kind, outcome, application_sid, alert_destination_sid, filter, from, to } = query
  let matching = visible(db, scope)
    .where(ownerFilter(TABLE, query))
    // undefined ones are left out
    .where((eb) => eb.and({ kind, application_sid, alert_destination_sid }))
  if (outcome === 'failed') matching = matching.where('outcome', '!=', 'accepted')
  else if (outcome) matching = matching.where('outcome', '=', outcome)
  // ISO times sort as text
  if (from) matching = matching.where(`${TABLE}.at`, '>=', from)
  if (to) matching = matching.where(`${TABLE}.at`, '<', to)
  if (filter) matching = matching.where(matchesFilter(db, shown(scope), filter))
  return listing({
    db,
    table: TABLE,
    sid: 'webhook_request_sid',
    sortable: ['at'],
    query: { sort: query.sort ?? '-at' },
    matching,
    // without bodies
    rows: db
      .selectFrom(TABLE)
      .select([
        `${TABLE}.webhook_request_sid`,
        `${TABLE}.account_sid`,
        `${TABLE}.service_provider_sid`,
        `${TABLE}.kind`,
        `${TABLE}.application_sid`,
        `${TABLE}.hook`,
        `${TABLE}.alert_destination_sid`,
        `${TABLE}.repeats`,
        `${TABLE}.at`,
        `${TABLE}.method`,
        `${TABLE}.url`,
        `${TABLE}.outcome`,
        `${TABLE}.status`,
        `${TABLE}.error`,
        `${TABLE}.duration_ms`,
        `${TABLE}.attempt`,
      ]),
    names: { account_name: 'accounts' },
    present: (rows): WebhookRequestItem[] => rows,
  })
}

/** The row as stored; undefined when this caller cannot see it. */
export const find = (db: Db, scope: Scope, sid: string) =>
  visible(db, scope).selectAll().where('webhook_request_sid', '=', sid).executeTakeFirst()
