import { query } from '../../lib/api'
import { msTeamsTenants } from '../../lib/endpoints'
import { type AccountSearch, paged } from '../../lib/list-search'

export const listOf = (service_provider_sid: string, search: AccountSearch) =>
  query(msTeamsTenants.list, { query: { service_provider_sid, ...paged(search) } })

export const viewOf = (ms_teams_tenant_sid: string) =>
  query(msTeamsTenants.view, { params: { ms_teams_tenant_sid } })
