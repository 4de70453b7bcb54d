import { randomUUID } from 'node:crypto'
import {
  addressKind,
  DEFAULT_SIP_PORT,
  GATEWAY_TAKEN,
  gatewayIssues,
  type Refusal,
  type SipGateway,
  type SipGatewayIn,
  t,
} from '@switchroom/contract'
import { insertOne } from '../../db/insert-many.ts'
import type { Db } from '../../db/open.ts'
import { conflict, invalid } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import { below } from '../../http/tenancy.ts'
import * as carrierGateways from './gateway-queries.ts'
import * as carriers from './queries.ts'

type Columns = Omit<SipGateway, 'sip_gateway_sid' | 'voip_carrier_sid' | 'protocol'> & {
  protocol: 'udp' | 'tcp' | 'tls' | 'tls/srtp'
}
type GatewayInput = Omit<SipGatewayIn, 'sip_gateway_sid'>

/** The row of a gateway: an address without a port gets 5060, a host name without one is left to DNS SRV. */
export const columnsOf = ({ port, ...rest }: GatewayInput): Columns => ({
  ...rest,
  port: port ?? (addressKind(rest.ipv4) === 'ip' ? DEFAULT_SIP_PORT : null),
})

/** Issues by the operator's configuration, beyond the contract. */
export const netmaskIssues = (gateway: { inbound: number; netmask: number }, minNetmask: number) =>
  gateway.inbound && gateway.netmask < minNetmask
    ? [
        {
          path: ['netmask'],
          message: t('netmask required to have value equal or greater than {least}', {
            least: minNetmask,
          }),
        },
      ]
    : []

export const insert = (
  db: Db,
  voip_carrier_sid: string,
  gateway: Columns,
  sip_gateway_sid: string = randomUUID(),
) =>
  insertOne(db, 'sip_gateways', 'sip_gateway_sid', {
    sip_gateway_sid,
    voip_carrier_sid,
    ...gateway,
  })

/** Changes a gateway of a carrier that the caller may change. */
export const update = (db: Db, scope: Scope, sid: string, gateway: Partial<Columns>) =>
  db
    .updateTable('sip_gateways')
    .set(gateway)
    .where('sip_gateway_sid', '=', sid)
    .where(below('sip_gateways.voip_carrier_sid', 'voip_carriers', carriers.inScope(scope)))
    .execute()

/**
 * Replaces a carrier's gateways, in the carrier's transaction: updates known ones, inserts and deletes the
 * rest.
 */
export async function save(
  db: Db,
  scope: Scope,
  voip_carrier_sid: string,
  requested: SipGatewayIn[],
  minNetmask: number,
) {
  const stored = new Set(
    (await carrierGateways.gateways(db, voip_carrier_sid)).map((g) => g.sip_gateway_sid),
  )
  const issues = requested.flatMap((gateway, i): Refusal[] => {
    const { sip_gateway_sid: sid } = gateway
    const foreign = sid !== undefined && !stored.has(sid)
    return [
      ...netmaskIssues(gateway, minNetmask),
      ...(foreign ? [{ path: ['sip_gateway_sid'], message: t('invalid sip_gateway_sid') }] : []),
    ].map((issue) => ({ ...issue, path: ['sip_gateways', i, ...issue.path] }))
  })
  if (issues.length > 0) throw invalid(...issues)
  const kept = new Set(requested.map((g) => g.sip_gateway_sid))
  const gone = [...stored].filter((sid) => !kept.has(sid))
  if (gone.length > 0)
    await db
      .deleteFrom('sip_gateways')
      .where('sip_gateway_sid', 'in', gone)
      .where(below('sip_gateways.voip_carrier_sid', 'voip_carriers', carriers.inScope(scope)))
      .execute()
  for (const { sip_gateway_sid, ...gateway } of requested) {
    const columns = columnsOf(gateway)
    if (sip_gateway_sid) await update(db, scope, sip_gateway_sid, columns)
    else await insert(db, voip_carrier_sid, columns)
  }
}

/** Checks one gateway against the rules and the carrier's other gateways. Throws 400 or 422. */
export async function check(
  db: Db,
  voip_carrier_sid: string,
  gateway: Columns,
  minNetmask: number,
  but?: string,
) {
  const issues = [...gatewayIssues(gateway), ...netmaskIssues(gateway, minNetmask)]
  if (issues.length > 0) throw invalid(...issues)
  const twin = (await carrierGateways.gateways(db, voip_carrier_sid)).some(
    (g) =>
      g.sip_gateway_sid !== but &&
      g.ipv4.toLowerCase() === gateway.ipv4.toLowerCase() &&
      g.port === gateway.port,
  )
  if (twin) throw conflict('ipv4', GATEWAY_TAKEN)
}
