import {
  type CarrierTroubles,
  HEALTH_MAX,
  HEALTH_RULES,
  isTrouble,
  moreUrgent,
  PROBE_FAILURES,
} from '@switchroom/contract'
import { expressionBuilder, type SqlBool, sql } from 'kysely'
import { visible } from '../../carriers/voip-carriers/queries.ts'
import type { Db, Tables } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import { ownedBy, providerOf, visibleTo } from '../../http/tenancy.ts'
import type { Owner } from '../../stores/calls/store.ts'
import { HOUR_MS } from '../../stores/calls/sums.ts'
import * as failures from '../failures/queries.ts'
import { anomaliesByTrunk, lookOwner } from './anomalies.ts'
import { openNotices } from './notices.ts'
import { healthOf, lastHours } from './queries.ts'

/** Carriers of an owner that need somebody. The owner is within the caller's scope. */
export async function troublesOf(
  ctx: Context,
  scope: Scope,
  owner: Owner,
  now = Date.now(),
): Promise<CarrierTroubles> {
  const { carriers, capped } = await candidates(ctx, scope, owner, now)
  const healths = carriers.length > 0 ? await healthOf(ctx, scope, carriers, now) : []
  const data = healths
    .map((health, i) => {
      const { voip_carrier_sid, state, since, reason, mend, failure_sid, direction, findings } =
        health
      const { name } = carriers[i]!
      const verdict = { state, since, reason, mend, failure_sid, direction, findings }
      return { voip_carrier_sid, name, ...verdict }
    })
    .filter(({ state }) => isTrouble(state))
    .sort(moreUrgent)
  const well = healths.filter(({ state }) => state === 'ok').length
  const unknown = healths.filter(({ state }) => state === 'too_few_calls' || state === 'no_traffic')
  return {
    judged: data.length + well,
    unjudged: unknown.length,
    capped,
    data,
  }
}

/** Carriers with calls in the last day, or with a sign of trouble. */
async function candidates(ctx: Context, scope: Scope, owner: Owner, now: number) {
  const { db, stores, memory } = ctx
  const since = new Date(now - HEALTH_RULES.hours * HOUR_MS).toISOString()
  // an account looks among its own calls
  const provider =
    owner.service_provider_sid ??
    (owner.account_sid && scope.role !== 'account' && (await providerOf(db, owner.account_sid)))
  const look = lookOwner(scope, { service_provider_sid: provider || null })
  const [called, failing, anomalies, notices] = await Promise.all([
    // every menu asks once a minute
    memory.busyTrunks(JSON.stringify(owner), async () => {
      const { trunks } = await stores.calls.figures(owner, lastHours(HEALTH_RULES.hours, now))
      return trunks.flatMap(({ trunk }) => trunk ?? []).slice(0, HEALTH_MAX)
    }),
    failures.openTrunks(db, scope, owner, since),
    look ? anomaliesByTrunk(ctx, look, now) : new Map<string, unknown>(),
    look ? openNotices(ctx, look, now) : [],
  ])
  const rows = await carriersOf(db, scope, owner, {
    called,
    suspected: [...new Set([...failing, ...anomalies.keys()])],
    since,
    reported: notices.map(({ message }) => message).join('\n'),
  })
  return { carriers: rows.slice(0, HEALTH_MAX), capped: rows.length > HEALTH_MAX }
}

function carriersOf(
  db: Db,
  scope: Scope,
  { account_sid, service_provider_sid }: Owner,
  {
    called,
    suspected,
    since,
    reported,
  }: { called: string[]; suspected: string[]; since: string; reported: string },
) {
  let rows = db.selectFrom('voip_carriers').selectAll().where(visible(scope))
  if (account_sid) rows = rows.where(visibleTo('voip_carriers', { account_sid }))
  else if (service_provider_sid)
    rows = rows.where(ownedBy('voip_carriers', { service_provider_sid }))
  const eb = expressionBuilder<Tables, 'voip_carriers'>()
  const isSuspected = eb.or([
    // an empty list is no SQL
    eb('name', 'in', [...suspected, '']),
    eb.and([
      eb('requires_register', '=', 1),
      eb('register_status', 'is not', null),
      eb(sql<string>`register_status`, 'not like', '%"ok"%'),
    ]),
    sql<SqlBool>`instr(${reported}, voip_carriers.name) > 0`,
    eb.exists(
      eb
        .selectFrom('sip_gateways')
        .select('sip_gateway_sid')
        .whereRef('sip_gateways.voip_carrier_sid', '=', 'voip_carriers.voip_carrier_sid')
        .where(sql<SqlBool>`instr(${reported}, sip_gateways.ipv4) > 0`),
    ),
    eb(
      'voip_carrier_sid',
      'in',
      eb
        .selectFrom('switchroom_gateway_probes as probe')
        .innerJoin('sip_gateways', 'sip_gateways.sip_gateway_sid', 'probe.sip_gateway_sid')
        .where('probe.at', '>=', since)
        .where('probe.outcome', 'in', PROBE_FAILURES)
        .select('sip_gateways.voip_carrier_sid'),
    ),
  ])
  return (
    rows
      .where('is_active', '=', 1)
      .where(eb.or([eb('name', 'in', [...called, '']), isSuspected]))
      // of more than can be judged, those with a sign of trouble first
      .orderBy(eb.case().when(isSuspected).then(0).else(1).end())
      .orderBy('name')
      .orderBy('voip_carrier_sid')
      .limit(HEALTH_MAX + 1)
      .execute()
  )
}
