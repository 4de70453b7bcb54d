import type { MsTeamsTenant, MsTeamsTenantItem, PageQuery } from '@switchroom/contract'
import { listing } from '../../db/listing.ts'
import type { Db } from '../../db/open.ts'
import { contains, type Scope } from '../../http/scope.ts'
import { ownedBy } from '../../http/tenancy.ts'

const mine = (scope: Scope) => ownedBy('ms_teams_tenants', scope)

const visible = (db: Db, scope: Scope) => db.selectFrom('ms_teams_tenants').where(mine(scope))

type Query = PageQuery & {
  account_sid?: string | undefined
  service_provider_sid?: string | undefined
}

export function list(db: Db, scope: Scope, query: Query) {
  const { filter, account_sid, service_provider_sid } = query
  let matching = visible(db, scope)
  if (filter) matching = matching.where(contains('ms_teams_tenants.tenant_fqdn', filter))
  if (account_sid) matching = matching.where('ms_teams_tenants.account_sid', '=', account_sid)
  if (service_provider_sid)
    matching = matching.where(ownedBy('ms_teams_tenants', { service_provider_sid }))
  return listing({
    db,
    table: 'ms_teams_tenants',
    sid: 'ms_teams_tenant_sid',
    sortable: ['tenant_fqdn'],
    query,
    matching,
    rows: (sids): Promise<MsTeamsTenantItem[]> =>
      db
        .selectFrom('ms_teams_tenants as t')
        .leftJoin('accounts as a', 'a.account_sid', 't.account_sid')
        .leftJoin('applications as p', 'p.application_sid', 't.application_sid')
        .selectAll('t')
        .select(['a.name as account_name', 'p.name as application_name'])
        .where('ms_teams_tenant_sid', 'in', sids)
        .execute(),
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
    .where(mine(scope))
    .execute()

export const remove = (db: Db, scope: Scope, sid: string) =>
  db
    .deleteFrom('ms_teams_tenants')
    .where('ms_teams_tenant_sid', '=', sid)
    .where(mine(scope))
    .execute()
