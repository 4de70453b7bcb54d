import { MAX_TRUNK_REPORT_LINKS, type TrunkReportLink, t } from '@switchroom/contract'
import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { type Links, listLinks, type Row } from '../../tenants/report-links/queries.ts'
import { shownLink } from '../../tenants/report-links/tokens.ts'
import type { Row as Carrier } from '../voip-carriers/readable.ts'

type Table = 'switchroom_trunk_report_links'

/** A carrier that was given to somebody else tells nothing by a link of before: the calls are theirs. */
const SAME_OWNER = sql<SqlBool>`exists (
  select 1 from voip_carriers as carrier where carrier.voip_carrier_sid = link.voip_carrier_sid and case
  when link.account_sid is not null then carrier.account_sid = link.account_sid
  when link.service_provider_sid is not null
    then carrier.account_sid is null and carrier.service_provider_sid = link.service_provider_sid
  else carrier.account_sid is null and carrier.service_provider_sid is null end)`

export const LINKS: Links<Table> = {
  table: 'switchroom_trunk_report_links',
  kind: 'trunk_report_link',
  about: 'voip_carrier_sid',
  holds: SAME_OWNER,
  most: MAX_TRUNK_REPORT_LINKS,
  tooMany: t('A carrier can have at most {MAX_TRUNK_REPORT_LINKS} links. Revoke one first.', {
    MAX_TRUNK_REPORT_LINKS,
  }),
  logged: ({ voip_carrier_sid, account_sid, service_provider_sid, label: name, ends_at }) => ({
    ...{ voip_carrier_sid, account_sid, service_provider_sid, name, ends_at },
  }),
}

/** The links of a carrier. Look it up within scope first. */
export const ofCarrier = async (db: Db, voip_carrier_sid: string): Promise<TrunkReportLink[]> =>
  (await listLinks(db, LINKS, voip_carrier_sid)).map((row) => ({
    trunk_report_link_sid: row.trunk_report_link_sid,
    voip_carrier_sid: row.voip_carrier_sid,
    ...shownLink(row),
  }))

/** The carrier of a link that works. */
export const carrierOf = (db: Db, { voip_carrier_sid }: Row<Table>): Promise<Carrier | undefined> =>
  db
    .selectFrom('voip_carriers')
    .selectAll()
    .where('voip_carrier_sid', '=', voip_carrier_sid)
    .executeTakeFirst()
