import { randomUUID } from 'node:crypto'
import {
  duplicateSmppGatewayIssue,
  type Issue,
  type SmppGateway,
  type SmppGatewayIn,
  smppGatewayIssues,
  t,
} from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { conflict, invalid, invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import { below } from '../../http/tenancy.ts'
import * as carrierGateways from './gateway-queries.ts'
import * as carriers from './queries.ts'

type Columns = Omit<SmppGateway, 'smpp_gateway_sid' | 'voip_carrier_sid'>

/** Throws where the platform version has no SMPP tables. */
export function refuseWithoutSmpp(has: Context['schemaHas']) {
  if (!has('smpp_gateways'))
    throw invalidField('smpp_gateways', t('This platform does not support SMPP.'))
}

export const insert = (
  db: Db,
  voip_carrier_sid: string,
  gateway: Columns,
  smpp_gateway_sid: string = randomUUID(),
) =>
  db
    .insertInto('smpp_gateways')
    .values({ smpp_gateway_sid, voip_carrier_sid, ...gateway })
    .execute()

/** Changes a gateway of a carrier that the caller may change. */
export const update = (db: Db, scope: Scope, sid: string, gateway: Columns) =>
  db
    .updateTable('smpp_gateways')
    .set(gateway)
    .where('smpp_gateway_sid', '=', sid)
    .where(below('smpp_gateways.voip_carrier_sid', 'voip_carriers', carriers.inScope(scope)))
    .execute()

/** Replaces a carrier's SMPP gateways, in the carrier's transaction. */
export async function save(
  db: Db,
  has: Context['schemaHas'],
  scope: Scope,
  voip_carrier_sid: string,
  requested: SmppGatewayIn[],
) {
  if (requested.length > 0) refuseWithoutSmpp(has)
  const stored = new Set(
    (await carrierGateways.smppGateways(db, has, voip_carrier_sid)).map((g) => g.smpp_gateway_sid),
  )
  const issues = requested.flatMap(({ smpp_gateway_sid: sid }, i): Issue[] =>
    sid && !stored.has(sid)
      ? [
          {
            path: ['smpp_gateways', i, 'smpp_gateway_sid'],
            message: t('invalid smpp_gateway_sid'),
          },
        ]
      : [],
  )
  if (issues.length > 0) throw invalid(...issues)
  const kept = new Set(requested.map((g) => g.smpp_gateway_sid))
  const gone = [...stored].filter((sid) => !kept.has(sid))
  if (gone.length > 0)
    await db
      .deleteFrom('smpp_gateways')
      .where('smpp_gateway_sid', 'in', gone)
      .where(below('smpp_gateways.voip_carrier_sid', 'voip_carriers', carriers.inScope(scope)))
      .execute()
  for (const { smpp_gateway_sid, ...gateway } of requested) {
    if (smpp_gateway_sid) await update(db, scope, smpp_gateway_sid, gateway)
    else await insert(db, voip_carrier_sid, gateway)
  }
}

/** Checks one SMPP gateway against the rules and the carrier's other ones. Throws 400 or 422. */
export async function check(
  db: Db,
  has: Context['schemaHas'],
  voip_carrier_sid: string,
  gateway: Columns,
  but?: string,
) {
  const issues = smppGatewayIssues(gateway)
  if (issues.length > 0) throw invalid(...issues)
  const siblings = await carrierGateways.smppGateways(db, has, voip_carrier_sid)
  const message = duplicateSmppGatewayIssue(
    gateway,
    siblings.filter((g) => g.smpp_gateway_sid !== but),
  )
  if (message) throw conflict('ipv4', message)
}
