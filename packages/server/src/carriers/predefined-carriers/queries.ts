import { randomUUID } from 'node:crypto'
import type { PredefinedCarrier } from '@switchroom/contract'
import type { Db } from '../../db/open.ts'

export const list = (db: Db): Promise<PredefinedCarrier[]> =>
  db.selectFrom('predefined_carriers').selectAll().orderBy('name').execute()

export const find = (db: Db, sid: string) =>
  db
    .selectFrom('predefined_carriers')
    .selectAll()
    .where('predefined_carrier_sid', '=', sid)
    .executeTakeFirst()

/** Creates a carrier with its gateways from a template. Call in a transaction. */
export async function copy(
  db: Db,
  voip_carrier_sid: string,
  has: (table: string) => boolean,
  template: NonNullable<Awaited<ReturnType<typeof find>>>,
  owner: { account_sid: string | null; service_provider_sid: string },
) {
  const { predefined_carrier_sid, requires_static_ip: _, ...columns } = template
  const taken = await db
    .selectFrom('voip_carriers')
    .select('voip_carrier_sid')
    .where('service_provider_sid', '=', owner.service_provider_sid)
    .where('name', '=', template.name)
    .executeTakeFirst()
  const name = taken ? `${template.name}-${voip_carrier_sid.slice(0, 8)}` : template.name
  const carrier = { ...columns, name, voip_carrier_sid, ...owner }
  await db.insertInto('voip_carriers').values(carrier).execute()

  const sip = await db
    .selectFrom('predefined_sip_gateways')
    .selectAll()
    .where('predefined_carrier_sid', '=', predefined_carrier_sid)
    .execute()
  // copies columns that only some platform versions have, where they exist
  for (const { predefined_sip_gateway_sid: __, predefined_carrier_sid: ___, ...gateway } of sip)
    await db
      .insertInto('sip_gateways')
      .values({
        ...gateway,
        sip_gateway_sid: randomUUID(),
        voip_carrier_sid,
      })
      .execute()
  if (!has('predefined_smpp_gateways') || !has('smpp_gateways')) return
  const smpp = await db
    .selectFrom('predefined_smpp_gateways')
    .selectAll()
    .where('predefined_carrier_sid', '=', predefined_carrier_sid)
    .execute()
  for (const { predefined_smpp_gateway_sid: __, predefined_carrier_sid: ___, ...gateway } of smpp)
    await db
      .insertInto('smpp_gateways')
      .values({ ...gateway, smpp_gateway_sid: randomUUID(), voip_carrier_sid })
      .execute()
  return
}
