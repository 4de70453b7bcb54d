import type { Selectable } from 'kysely'
import { visible as visibleCarriers } from '../../carriers/voip-carriers/queries.ts'
import type { Db, Tables } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { ownedBy } from '../../http/tenancy.ts'
import type { Content } from './content.ts'

type Row = Selectable<Tables['switchroom_failures']>
type Read = { row: Row; content: Content }
type Carrier = { voip_carrier_sid: string; name: string }

/** Names of the subjects of failures, as far as the caller may see them. */
export type Names = {
  users: Map<string, string>
  accounts: Map<string, string>
  applications: Map<string, string>
  carrierOf: (row: Row) => Carrier | undefined
}

const mapOf = (rows: { sid: string; name: string }[]) => new Map(rows.map((r) => [r.sid, r.name]))

/** Four queries, however many failures. */
export async function namesFor(db: Db, scope: Scope, read: readonly Read[]): Promise<Names> {
  const accountSids = [
    ...new Set(
      read.flatMap(({ row, content }) => [
        ...Object.keys(content.accounts.by),
        ...(row.account_sid ? [row.account_sid] : []),
      ]),
    ),
  ]
  const applicationSids = [
    ...new Set(read.flatMap(({ content }) => Object.keys(content.applications.by))),
  ]
  const userSids = [...new Set(read.flatMap(({ row }) => row.assigned_to ?? []))]
  const trunks = [...new Set(read.flatMap(({ row }) => row.trunk ?? []))]
  // an empty list is no SQL, and empty texts are nobody's
  const [accounts, applications, users, carriers] = await Promise.all([
    db
      .selectFrom('accounts')
      .select(['account_sid as sid', 'name', 'service_provider_sid'])
      .where('account_sid', 'in', [...accountSids, ''])
      .where(ownedBy('accounts', scope))
      .execute(),
    db
      .selectFrom('applications')
      .select(['application_sid as sid', 'name'])
      .where('application_sid', 'in', [...applicationSids, ''])
      .where(ownedBy('applications', scope))
      .execute(),
    db
      .selectFrom('users')
      .select(['user_sid as sid', 'name'])
      .where('user_sid', 'in', [...userSids, ''])
      .execute(),
    db
      .selectFrom('voip_carriers')
      .select(['voip_carrier_sid', 'name', 'account_sid', 'service_provider_sid'])
      .where('name', 'in', [...trunks, ''])
      .where(visibleCarriers(scope))
      .execute(),
  ])
  const providerOf = new Map(accounts.map((a) => [a.sid, a.service_provider_sid]))

  /** Calls name their carrier only: an account's own comes before its provider's of the same name. */
  function carrierOf(row: Row): Carrier | undefined {
    const named = carriers.filter((c) => c.name === row.trunk)
    const provider = row.service_provider_sid ?? providerOf.get(row.account_sid ?? '')
    const found =
      named.find((c) => row.account_sid !== null && c.account_sid === row.account_sid) ??
      named.find((c) => c.account_sid === null && c.service_provider_sid === provider) ??
      // a provider's failure may be of one account's carrier
      named.find(
        (c) => row.account_sid === null && providerOf.get(c.account_sid ?? '') === provider,
      )
    return found && { voip_carrier_sid: found.voip_carrier_sid, name: found.name }
  }

  return {
    accounts: mapOf(accounts),
    applications: mapOf(applications),
    users: mapOf(users),
    carrierOf,
  }
}
