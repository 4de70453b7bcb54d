import {
  type CallRoute,
  lintRoutes,
  type RoutingCarrier,
  type RoutingNumber,
  simulateInbound,
  simulateOutbound,
} from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kinds, testDatabase } from '../../../test/database.ts'
import { oracle } from '../../../test/oracle.ts'
import { chance, dialledNumber, newWorld, type World } from '../../../test/routing-world.ts'
import { caseCount, report } from '../../../test/trust.ts'
import { insertMany } from '../../db/insert-many.ts'
import type { Scope } from '../../http/scope.ts'
import * as carrierRows from './carrier-queries.ts'
import * as routing from './queries.ts'

const SEED = Number(process.env.ROUTING_SEED ?? 20_240_611)
const CASES = Number(process.env.ROUTING_CASES ?? caseCount(10_000, 1_000_000))
const PER_WORLD = 200
const AT_ONCE = 20

const everybody = { role: 'admin', view_only: false, force_change: false } as Scope

describe.skipIf(!kinds.includes('mysql'))('against the platform’s own lookups', () => {
  let test: Awaited<ReturnType<typeof testDatabase>>
  let platform: ReturnType<typeof oracle>
  beforeAll(async () => {
    test = await testDatabase('mysql')
    platform = oracle()
  })
  afterAll(async () => {
    await platform.close()
    await test.close()
  })

  /** The platform's result, or undefined if its lookup threw. */
  const orUndefined = <T>(lookup: Promise<T>) => lookup.catch(() => undefined)

  it(`agrees on ${CASES} calls (seed ${SEED})`, { timeout: 3_600_000 }, async () => {
    report({ part: 'calls routed as the platform routes them', tried: CASES })
    const seen = { routed: 0, random: 0, failed: 0, answered: 0, threw: 0, hidden: 0 }
    const wrong: object[] = []
    for (let w = 0; w * PER_WORLD < CASES; w++) {
      const c = chance(SEED + w)
      const world = newWorld(c)
      await test.db.transaction().execute(async (tx) => {
        for (const [table, rows] of Object.entries(world.rows))
          if (rows.length > 0) await insertMany(tx, table as 'lcr', rows)
      })
      const read = await readBack(world)
      const calls = Array.from({ length: PER_WORLD }, () => ({
        number: dialledNumber(c),
        called: c.often(0.7) ? c.one(world.pool) : c.digits(3, 6),
        carrier: c.one(world.rows.voip_carriers).voip_carrier_sid,
      }))
      const hidden = new Set(
        lintRoutes({ routes: read.routes ?? [], carriers: read.carriers, owner: world.owner })
          .filter((f) => f.rule === 'shadowed' || f.rule === 'duplicate')
          .map((f) => f.route),
      )
      seen.hidden += hidden.size
      for (let i = 0; i < calls.length; i += AT_ONCE)
        await Promise.all(
          calls.slice(i, i + AT_ONCE).map(async ({ number, called, carrier }) => {
            const ours = simulateOutbound({ ...read, owner: world.owner, number })
            const chosen = ours.route === null ? undefined : ours.carriers[0]
            const expected = await platform.lookupCarrierByAccountLcr(
              world.owner.account_sid,
              number,
            )
            if (chosen !== expected || (ours.route !== null && hidden.has(ours.route)))
              wrong.push({ seed: SEED + w, number, ours, theirs: expected, routes: read.routes })
            seen[ours.outcome]++
            if (ours.steps.some((s) => s.kind === 'route' && s.result === 'failed')) seen.threw++

            const answer = simulatedAnswer(world, called, carrier)
            const app = await orUndefined(platform.lookupAppByPhoneNumber(called, carrier))
            if (answer.application !== (app?.application_sid ?? null))
              wrong.push({ seed: SEED + w, called, carrier, answer, app })
            if (answer.outcome === 'answered') seen.answered++
          }),
        )
      wrong.push(...(await atRandom(world, read)))
      expect(wrong.slice(0, 3)).toEqual([])
    }
    // a generator that never gets anywhere would agree with everybody
    for (const [what, times] of Object.entries(seen))
      expect(times, what).toBeGreaterThan(CASES / 1_000)
  })

  /** Reads the routes back as the server does, so that their order is tested too. */
  async function readBack({ owner }: World) {
    const [set] = await routing.setsOf(test.db, owner)
    const routes = set && (await routing.routesOf(test.db, set.lcr_sid))
    const named = (routes ?? []).flatMap((r) =>
      r.lcr_carrier_set_entries.map((e) => e.voip_carrier_sid),
    )
    return { routes, carriers: await carrierRows.carriersFor(test.db, everybody, owner, named) }
  }

  /** Random choice and the gateways of every carrier, for any dialled number. */
  async function atRandom(
    { owner, rows }: World,
    { carriers }: { carriers: RoutingCarrier[] },
  ): Promise<object[]> {
    const ours = simulateOutbound({ routes: undefined, carriers, owner, number: '1' })
    const wrong: object[] = []
    for (let i = 0; i < 8; i++) {
      const expected = await platform.lookupOutboundCarrierForAccount(owner.account_sid)
      const possible = expected ? ours.carriers.includes(expected) : ours.carriers.length === 0
      if (!possible) wrong.push({ random: ours.carriers, theirs: expected, rows })
    }
    for (const { voip_carrier_sid, sip_gateways } of carriers) {
      const expected = (await platform.lookupSipGatewaysByCarrier(voip_carrier_sid))
        .filter((g) => g.outbound)
        .map((g) => g.sip_gateway_sid)
      if (String(expected) !== String(sip_gateways.map((g) => g.sip_gateway_sid)))
        wrong.push({ gateways: sip_gateways, theirs: expected })
    }
    return wrong
  }
})

const SOURCE = '192.0.2.1'

/** The platform gets the carrier directly; here the call comes from one of its gateways. */
function simulatedAnswer({ rows }: World, number: string, sid: string) {
  const from = rows.voip_carriers.find((c) => c.voip_carrier_sid === sid)!
  const carrier: RoutingCarrier = {
    ...from,
    is_active: 1,
    service_provider_sid: 'any',
    sip_gateways: [
      {
        sip_gateway_sid: 'one',
        ipv4: SOURCE,
        netmask: 32,
        port: null,
        inbound: 1,
        outbound: 0,
        is_active: 1,
      },
    ],
  }
  return simulateInbound({
    source: SOURCE,
    number,
    account_sid: null,
    carriers: [carrier],
    numbers: rows.phone_numbers satisfies RoutingNumber[],
    callRoutes: rows.call_routes satisfies CallRoute[],
    applications: {},
  })
}
