import { randomUUID } from 'node:crypto'
import { type GatewayProbe, PROBE_FAILURES, PROBES_KEPT, PROBES_SHOWN } from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'
import type { Scope } from '../../http/scope.ts'
import * as carriers from '../voip-carriers/queries.ts'

/** The latest results of a carrier's gateways; undefined when this caller cannot see the carrier. */
export async function ofCarrier(db: Db, scope: Scope, voip_carrier_sid: string) {
  if (!(await carriers.find(db, scope, voip_carrier_sid))) return undefined
  return db
    .selectFrom('switchroom_gateway_probes as probe')
    .innerJoin('sip_gateways', 'sip_gateways.sip_gateway_sid', 'probe.sip_gateway_sid')
    .where('sip_gateways.voip_carrier_sid', '=', voip_carrier_sid)
    .selectAll('probe')
    .orderBy('probe.at', 'desc')
    .orderBy('probe.gateway_probe_sid')
    .limit(PROBES_SHOWN)
    .execute()
}

/** The latest result of each active outbound gateway of these carriers. Look those up within scope first. */
export const latest = (db: Db, voip_carrier_sids: readonly string[]) =>
  db
    .selectFrom('switchroom_gateway_probes as probe')
    .innerJoin(
      (of) =>
        of
          .selectFrom('sip_gateways')
          .innerJoin(
            'switchroom_gateway_probes as one',
            'one.sip_gateway_sid',
            'sip_gateways.sip_gateway_sid',
          )
          .where('sip_gateways.voip_carrier_sid', 'in', voip_carrier_sids)
          .where('sip_gateways.outbound', '=', 1)
          .where('sip_gateways.is_active', '=', 1)
          .select(['sip_gateways.sip_gateway_sid', 'sip_gateways.voip_carrier_sid'])
          .select((eb) => eb.fn.max('one.at').as('at'))
          .groupBy(['sip_gateways.sip_gateway_sid', 'sip_gateways.voip_carrier_sid'])
          .as('last'),
      (join) =>
        join
          .onRef('last.sip_gateway_sid', '=', 'probe.sip_gateway_sid')
          .onRef('last.at', '=', 'probe.at'),
    )
    .selectAll('probe')
    .select('last.voip_carrier_sid')
    .orderBy('probe.at', 'desc')
    .orderBy('probe.gateway_probe_sid')
    .execute()

/** Since when the probes of gateways of these carriers have failed without a break. */
export const failingSince = (db: Db, voip_carrier_sids: readonly string[]) =>
  db
    .selectFrom('switchroom_gateway_probes as probe')
    .innerJoin('sip_gateways', 'sip_gateways.sip_gateway_sid', 'probe.sip_gateway_sid')
    .where('sip_gateways.voip_carrier_sid', 'in', voip_carrier_sids)
    .where('probe.outcome', 'in', PROBE_FAILURES)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('switchroom_gateway_probes as later')
            .select('later.gateway_probe_sid')
            .whereRef('later.sip_gateway_sid', '=', 'probe.sip_gateway_sid')
            .whereRef('later.at', '>', 'probe.at')
            .where('later.outcome', 'not in', PROBE_FAILURES),
        ),
      ),
    )
    .groupBy('probe.sip_gateway_sid')
    .select('probe.sip_gateway_sid')
    .select((eb) => eb.fn.min('probe.at').as('at'))
    .execute()

/** Stores a result. Deletes old results of the gateway, and results of deleted gateways. */
export const insert = (db: Db, result: GatewayProbe) =>
  transaction(db, async (tx) => {
    await tx
      .insertInto('switchroom_gateway_probes')
      .values({ gateway_probe_sid: randomUUID(), ...result })
      .execute()
    const old = await tx
      .selectFrom('switchroom_gateway_probes')
      .select('gateway_probe_sid')
      .where('sip_gateway_sid', '=', result.sip_gateway_sid)
      .orderBy('at', 'desc')
      .orderBy('gateway_probe_sid')
      .limit(PROBES_KEPT)
      .offset(PROBES_KEPT)
      .execute()
    const orphaned = await tx
      .selectFrom('switchroom_gateway_probes as probe')
      .leftJoin('sip_gateways', 'sip_gateways.sip_gateway_sid', 'probe.sip_gateway_sid')
      .where('sip_gateways.sip_gateway_sid', 'is', null)
      .select('probe.gateway_probe_sid')
      .limit(PROBES_KEPT)
      .execute()
    const gone = [...old, ...orphaned].map((p) => p.gateway_probe_sid)
    if (gone.length > 0)
      await tx
        .deleteFrom('switchroom_gateway_probes')
        .where('gateway_probe_sid', 'in', gone)
        .execute()
  })
