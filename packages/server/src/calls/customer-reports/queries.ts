import { type CustomerReportLink, MAX_CUSTOMER_REPORT_LINKS, t } from '@switchroom/contract'
import { type SqlBool, sql } from 'kysely'
import { batchesOf } from '../../db/batches.ts'
import type { Db } from '../../db/open.ts'
import { found } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import { ownOf } from '../../tenants/brands/queries.ts'
import { type Links, listLinks, type Row } from '../../tenants/report-links/queries.ts'
import { shownLink } from '../../tenants/report-links/tokens.ts'
import { normalizeParty, partyOf } from './parties.ts'

type Table = 'switchroom_customer_report_links'

/** An account that has another provider now, or is deactivated, tells nothing by a link of before. */
const SAME_PROVIDER = sql<SqlBool>`exists (
  select 1 from accounts as account where account.account_sid = link.account_sid
    and account.service_provider_sid = link.service_provider_sid and account.is_active = 1)`

export const LINKS: Links<Table> = {
  table: 'switchroom_customer_report_links',
  kind: 'customer_report_link',
  about: 'account_sid',
  holds: SAME_PROVIDER,
  isMade: sql`link.mailed_to is null`,
  most: MAX_CUSTOMER_REPORT_LINKS,
  tooMany: t('An account can have at most {MAX_CUSTOMER_REPORT_LINKS} links. Revoke one first.', {
    MAX_CUSTOMER_REPORT_LINKS,
  }),
  logged: ({
    account_sid,
    label: name,
    from_day: from,
    until_day: until,
    hides_numbers,
    ends_at,
  }) => ({
    ...{ account_sid, name, from, until, hides_numbers, ends_at },
  }),
}

/** The links of an account. Look it up within scope first. */
export const linksOf = async (db: Db, account_sid: string): Promise<CustomerReportLink[]> =>
  (await listLinks(db, LINKS, account_sid)).map((row) => ({
    customer_report_link_sid: row.customer_report_link_sid,
    account_sid: row.account_sid,
    ...shownLink(row),
    from: row.from_day,
    until: row.until_day,
    time_zone: row.time_zone,
    hides_numbers: row.hides_numbers === 1,
    mailed_to: row.mailed_to,
  }))

/** The account of a link that works, and the period that it is to. */
export async function linkedTo(db: Db, link: Row<Table>) {
  const row = await db
    .selectFrom('accounts')
    .select('name')
    .where('account_sid', '=', link.account_sid)
    .executeTakeFirst()
  const { name } = found(row, t('account'))
  const { account_sid, from_day: from, until_day: until, time_zone } = link
  return { account: { account_sid, name }, period: { from, until, time_zone } }
}

/** The names of those applications of an account, by sid. */
export async function applicationNames(db: Db, account_sid: string, sids: Iterable<string | null>) {
  const names = new Map<string, string>()
  for (const batch of batchesOf([...new Set(sids)].filter((sid) => sid !== null))) {
    const rows = await db
      .selectFrom('applications')
      .select(['application_sid', 'name'])
      .where('account_sid', '=', account_sid)
      .where('application_sid', 'in', batch)
      .execute()
    for (const { application_sid, name } of rows) names.set(application_sid, name)
  }
  return names
}

/** The phone numbers of an account among these parties of calls, as `normalizeParty` returns them. */
export async function ownNumbers(db: Db, account_sid: string, parties: Iterable<string | null>) {
  const same = [...parties].flatMap((party) =>
    party === null ? [] : normalizeParty(partyOf(party)),
  )
  const own = new Set<string>()
  for (const batch of batchesOf([...new Set(same)].flatMap((party) => [party, `+${party}`]))) {
    const rows = await db
      .selectFrom('phone_numbers')
      .select('number')
      .where('account_sid', '=', account_sid)
      .where('number', 'in', batch)
      .execute()
    for (const { number } of rows) own.add(normalizeParty(number))
  }
  return own
}

/** An account that the caller may see, with its name. */
export const accountNamed = async (db: Db, scope: Scope, sid: string) =>
  (await accounts.findVisible(db, scope, sid)) &&
  db
    .selectFrom('accounts')
    .select(['account_sid', 'service_provider_sid', 'name'])
    .where('account_sid', '=', sid)
    .executeTakeFirst()

/** The brand in which the people of a provider's accounts see it. */
export const brandOf = (db: Db, { service_provider_sid }: { service_provider_sid: string }) =>
  ownOf(db, { role: 'account', service_provider_sid })
