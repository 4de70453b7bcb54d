import type { MsTeamsTenant, MsTeamsTenantItem, PageQuery } from '@switchroom/contract'
import { listing } from '../../db/listing.ts'
import type { Db } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { besideAccount, besideApplication, matchesFilter, type Shown } from '../../http/search.ts'
import { type OwnerQuery, ownedBy, ownerFilter } from '../../http/tenancy.ts'

const inScope = (scope: Scope) => ownedBy('ms_teams_tenants', scope)

const visible = (db: Db, scope: Scope) => db.selectFrom('ms_teams_tenants').where(inScope(scope))

/** Columns that a search finds a tenant by. */
export const shown: Shown = {
  sid: 'ms_teams_tenants.ms_teams_tenant_sid',
  names: ['ms_teams_tenants.tenant_fqdn'],
  beside: [besideAccount('ms_teams_tenants'), besideApplication('ms_teams_tenants')],
}

export function list(db: Db, scope: Scope, query: PageQuery & OwnerQuery) {
  let matching = visible(db, scope).where(ownerFilter('ms_teams_tenants', query))
  if (query.filter) matching = matching.where(matchesFilter(db, shown, query.filter))
  return listing({
    db,
    table: 'ms_teams_tenants',
    sid: 'ms_teams_tenant_sid',
    sortable: ['tenant_fqdn'],
    query,
    matching,
    rows: db.selectFrom('ms_teams_tenants').selectAll('ms_teams_tenants'),
    names: { account_name: 'accounts', application_name: 'applications' },
    present: (rows): MsTeamsTenantItem[] => rows,
  })
}

export const find = (db: Db, scope: Scope, sid: string) =>
  visible(db, scope).selectAll().where('ms_teams_tenant_sid', '=', sid).executeTakeFirst()

export const insert = (db: Db, row: MsTeamsTenant) =>
  db.insertInto('ms_teams_tenants').values(row).execute()

export const update = (db: Db, scope: Scope, sid: string, change: Partial<MsTeamsTenant>) =>
  db
    .updateTable('ms_teams_tenants')
    .set(change)
    .where('ms_teams_tenant_sid', '=', sid)
    .where(inScope(scope))
    .execute()

export const remove = (db: Db, scope: Scope, sid: string) =>
  db
    .deleteFrom('ms_teams_tenants')
    .where('ms_teams_tenant_sid', '=', sid)
    .where(inScope(scope))
    .execute()
