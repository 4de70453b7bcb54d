import type { CustomerReportLink } from '@switchroom/contract'
import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely'
import { batchesOf } from '../../db/batches.ts'
import type { Db, Tables } from '../../db/open.ts'
import { isToken, openedAt, shownLink, tokenDigest } from '../../http/report-links.ts'
import type { Scope } from '../../http/scope.ts'
import { ownedBy } from '../../http/tenancy.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import { ownOf } from '../../tenants/brands/queries.ts'
import { partyOf, samePartyOf } from './parties.ts'

type Table = Tables['switchroom_customer_report_links']
export type Row = Selectable<Table>

const inScope = (scope: Scope) => ownedBy('switchroom_customer_report_links', scope)

/** An account that has another provider now, or is deactivated, tells nothing by a link of before. */
const SAME_PROVIDER = sql<SqlBool>`account.service_provider_sid = link.service_provider_sid and account.is_active = 1`

/** The links of an account. Look it up within scope first. */
export const linksOf = async (db: Db, account_sid: string): Promise<CustomerReportLink[]> =>
  (
    await db
      .selectFrom('switchroom_customer_report_links as link')
      .innerJoin('accounts as account', 'account.account_sid', 'link.account_sid')
      .selectAll('link')
      .where(SAME_PROVIDER)
      .where('link.account_sid', '=', account_sid)
      .orderBy('link.created_at', 'desc')
      .orderBy('link.customer_report_link_sid')
      .execute()
  ).map(readable)

const readable = (row: Row): CustomerReportLink => ({
  customer_report_link_sid: row.customer_report_link_sid,
  account_sid: row.account_sid,
  ...shownLink(row),
  from: row.from_day,
  until: row.until_day,
  time_zone: row.time_zone,
  hides_numbers: row.hides_numbers === 1,
  mailed_to: row.mailed_to,
})

/** Undefined when this caller may not change it. */
export const findLink = (db: Db, scope: Scope, sid: string): Promise<Row | undefined> =>
  db
    .selectFrom('switchroom_customer_report_links')
    .selectAll()
    .where('customer_report_link_sid', '=', sid)
    .where(inScope(scope))
    .executeTakeFirst()

/** A valid link, with its account. Takes no scope: a holder of the token may see the report. */
export async function withToken(db: Db, token: string) {
  if (!isToken(token)) return undefined
  const row = await db
    .selectFrom('switchroom_customer_report_links as link')
    .innerJoin('accounts as account', 'account.account_sid', 'link.account_sid')
    .selectAll('link')
    .select('account.name')
    .where(SAME_PROVIDER)
    .where('link.token_digest', '=', tokenDigest(token))
    .where('link.ends_at', '>', new Date().toISOString())
    .executeTakeFirst()
  if (!row) return undefined
  const { name, ...link } = row
  const { account_sid, from_day: from, until_day: until, time_zone } = link
  return { link, account: { account_sid, name }, period: { from, until, time_zone } }
}

/** How many links that people have made work. */
export const countLive = async (db: Db, account_sid: string) =>
  Number(
    (
      await db
        .selectFrom('switchroom_customer_report_links')
        .select((eb) => eb.fn.countAll().as('n'))
        .where('account_sid', '=', account_sid)
        .where('mailed_to', 'is', null)
        .where('ends_at', '>', new Date().toISOString())
        .executeTakeFirstOrThrow()
    ).n,
  )

export const insertLink = (db: Db, row: Insertable<Table>) =>
  db.insertInto('switchroom_customer_report_links').values(row).execute()

/** Deletes links that have ended. Those shown are then never many. */
export const removeEnded = (db: Db, account_sid: string) =>
  db
    .deleteFrom('switchroom_customer_report_links')
    .where('account_sid', '=', account_sid)
    .where('ends_at', '<=', new Date().toISOString())
    .execute()

export const remove = (db: Db, scope: Scope, sid: string) =>
  db
    .deleteFrom('switchroom_customer_report_links')
    .where('customer_report_link_sid', '=', sid)
    .where(inScope(scope))
    .execute()

/** Counts that a link was opened. */
export async function countOpen(db: Db, row: Row) {
  const last_opened_at = openedAt(row)
  if (!last_opened_at) return
  await db
    .updateTable('switchroom_customer_report_links')
    .set((eb) => ({ last_opened_at, opens: eb('opens', '+', 1) }))
    .where('customer_report_link_sid', '=', row.customer_report_link_sid)
    .execute()
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

/** Which of these parties of calls are phone numbers of an account, as `samePartyOf` has them. */
export async function ownNumbers(db: Db, account_sid: string, parties: Iterable<string | null>) {
  const same = [...parties].flatMap((party) => (party === null ? [] : samePartyOf(partyOf(party))))
  const own = new Set<string>()
  for (const batch of batchesOf([...new Set(same)].flatMap((party) => [party, `+${party}`]))) {
    const rows = await db
      .selectFrom('phone_numbers')
      .select('number')
      .where('account_sid', '=', account_sid)
      .where('number', 'in', batch)
      .execute()
    for (const { number } of rows) own.add(samePartyOf(number))
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
