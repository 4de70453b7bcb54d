import type { CARRIER_COLUMNS, VoipCarrier, VoipCarrierItem } from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import { namedBy } from '../../imports/names.ts'
import * as carrierGateways from './gateway-queries.ts'

type Row = Partial<Record<(typeof CARRIER_COLUMNS)[number], unknown>>

type Exported = VoipCarrier & Pick<VoipCarrierItem, 'account_name'>

/** The rows of an export: one for each SIP gateway, or one for a carrier that has none. */
export async function* exportRows(
  db: Db,
  batches: AsyncIterable<Exported[]>,
): AsyncIterable<Row[]> {
  for await (const batch of batches) {
    const gateways = await carrierGateways.gatewaysOf(
      db,
      batch.map((c) => c.voip_carrier_sid),
    )
    const applications = await namedBy(
      db,
      'applications',
      batch.map((c) => c.application_sid),
    )
    yield batch.flatMap((carrier): Row[] => {
      const { application_sid } = carrier
      const shared = {
        ...carrier,
        account: carrier.account_name,
        application: application_sid && applications(application_sid)[0]?.name,
        register_password: '',
        inbound_auth_password: '',
      }
      const own = gateways.get(carrier.voip_carrier_sid)
      if (!own) return [shared]
      return own.map(({ ipv4: gateway, is_active: gateway_is_active, ...rest }) => ({
        ...rest,
        ...shared,
        gateway,
        gateway_is_active,
      }))
    })
  }
}
