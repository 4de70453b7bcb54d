import {
  type CallRoute,
  type Flag,
  lintRoutes,
  type RoutingCarrier,
  type RoutingNumber,
  simulateInbound,
  simulateOutbound,
} from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kinds, testDatabase } from '../../../test/database.ts'
import { oracle } from '../../../test/oracle.ts'
import { caseCount, report } from '../../../test/trust.ts'
import { insertMany } from '../../db/insert-many.ts'
import type { Scope } from '../../http/scope.ts'
import * as routing from './queries.ts'

const SEED = Number(process.env.ROUTING_SEED ?? 20_240_611)
const CASES = Number(process.env.ROUTING_CASES ?? caseCount(10_000, 1_000_000))
const PER_WORLD = 200
const AT_ONCE = 20

const everybody = { role: 'admin', view_only: false, force_change: false } as Scope

/** The same sequence for the same seed (mulberry32). */
function chance(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (n: number) => Math.floor(next() * n)
  const pickFrom = <T>(of: readonly T[]) => of[below(of.length)]!
  const chance = (share: number) => next() < share
  const flag = (share: number): Flag => (chance(share) ? 1 : 0)
  const digits = (least: number, most: number) =>
    Array.from({ length: least + below(most - least + 1) }, () => below(10)).join('')
  const hex = (length: number) => Array.from({ length }, () => below(16).toString(16)).join('')
  const sid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`
  const listOf = <T>(least: number, most: number, make: (i: number) => T) =>
    Array.from({ length: least + below(most - least + 1) }, (_, i) => make(i))
  return { below, one: pickFrom, often: chance, flag, digits, sid, some: listOf }
}
type Chance = ReturnType<typeof chance>

const BROKEN = ['+1', '(', '[1', '*', '1)', '\\', '^(44', '1**', '{2}(', '+']
const ODD = ['', '^$', '.', '.*', '^.*$', '\\d+9$', '[^1]', '1{2,}', '\\+44', '^\\+?44', '(?=1)1']

function pattern(c: Chance) {
  const [a, b] = [c.digits(1, 3), c.digits(1, 3)]
  if (c.often(0.06)) return c.one(BROKEN)
  if (c.often(0.2)) return c.one(ODD)
  return c.one([
    a,
    `^${a}`,
    `^${a}$`,
    `${a}$`,
    `^${a}\\d{${1 + c.below(9)}}$`,
    `^[${a}]${b}`,
    `^(${a}|${b})`,
    `${a}|^${b}`,
    `^${a}.*`,
    `^${a[0]}[0-${5 + c.below(5)}]`,
    `^${a}?${b}`,
    `\\d{${2 + c.below(6)}}${a}`,
    `^\\+${a}`,
  ])
}

const dialledNumber = (c: Chance) =>
  c.often(0.05)
    ? c.one(['', 'bob', '*98', '(12', '+', '^44', '[1', '1.1', '#31#', '44|45'])
    : `${c.often(0.15) ? '+' : ''}${c.digits(1, 12)}`

/** A provider, an account, carriers, routes, numbers: as tidy as people leave them. */
function newWorld(c: Chance) {
  const [service_provider_sid, account_sid, neighbour] = [c.sid(), c.sid(), c.sid()]
  const applications = c.some(2, 4, () => c.sid())
  const carriers = c.some(1, 6, (i) => ({
    voip_carrier_sid: c.sid(),
    name: `carrier ${i}`,
    account_sid: c.one([account_sid, null, null, neighbour]),
    service_provider_sid: c.often(0.9) ? service_provider_sid : null,
    application_sid: c.often(0.4) ? c.one(applications) : null,
    is_active: c.flag(0.7),
  }))
  const sip_gateways = carriers.flatMap(({ voip_carrier_sid }) =>
    c.some(0, 3, () => ({
      sip_gateway_sid: c.sid(),
      voip_carrier_sid,
      ipv4: `10.0.0.${c.below(250)}`,
      port: 5060,
      inbound: c.flag(0.5),
      outbound: c.flag(0.6),
      is_active: c.flag(0.7),
    })),
  )
  const set = (owner: { account_sid?: string; service_provider_sid?: string }) => ({
    lcr_sid: c.sid(),
    name: 'routes',
    is_active: c.flag(0.8),
    account_sid: null,
    service_provider_sid: null,
    ...owner,
  })
  const lcr = [
    ...(c.often(0.7) ? [set({ account_sid })] : []),
    ...(c.often(0.4) ? [set({ service_provider_sid })] : []),
  ]
  const lcr_routes = lcr.flatMap(({ lcr_sid }) =>
    c.some(0, 9, () => ({
      lcr_route_sid: c.sid(),
      lcr_sid,
      regex: pattern(c),
      description: c.often(0.2) ? 'somewhere' : null,
      priority: c.often(0.1) ? 9999 : c.below(12),
    })),
  )
  const lcr_carrier_set_entry = lcr_routes.flatMap(({ lcr_route_sid }) =>
    c.some(c.often(0.15) ? 0 : 1, c.often(0.15) ? 0 : 3, () => ({
      lcr_carrier_set_entry_sid: c.sid(),
      lcr_route_sid,
      voip_carrier_sid: c.one(carriers).voip_carrier_sid,
      priority: c.below(4),
      workload: c.below(100),
    })),
  )
  const pool = c.some(5, 30, () => c.digits(3, 6))
  const phone_numbers = carriers.flatMap(({ voip_carrier_sid }) =>
    [...new Set(c.some(0, 12, () => c.one(pool)))].map((number) => ({
      phone_number_sid: c.sid(),
      number,
      voip_carrier_sid,
      account_sid: c.often(0.8) ? account_sid : null,
      application_sid: c.often(0.4) ? c.one(applications) : null,
    })),
  )
  const call_routes = c.some(0, 3, (priority) => ({
    call_route_sid: c.sid(),
    account_sid,
    regex: pattern(c),
    priority,
    application_sid: c.one(applications),
  }))
  return {
    owner: { account_sid, service_provider_sid },
    pool,
    rows: {
      service_providers: [{ service_provider_sid, name: service_provider_sid }],
      accounts: [account_sid, neighbour].map((sid) => ({
        account_sid: sid,
        service_provider_sid,
        name: sid,
        webhook_secret: 'secret',
      })),
      applications: applications.map((application_sid) => ({
        application_sid,
        account_sid,
        name: application_sid,
      })),
      voip_carriers: carriers,
      sip_gateways,
      lcr,
      lcr_routes,
      lcr_carrier_set_entry,
      phone_numbers,
      call_routes,
    },
  }
}
type World = ReturnType<typeof newWorld>

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

  /** What the platform finds, or that it threw. */
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

  /** As the server reads it, so that its order is judged too. */
  async function readBack({ owner }: World) {
    const [set] = await routing.setsOf(test.db, owner)
    const routes = set && (await routing.routesOf(test.db, set.lcr_sid))
    const named = (routes ?? []).flatMap((r) =>
      r.lcr_carrier_set_entries.map((e) => e.voip_carrier_sid),
    )
    return { routes, carriers: await routing.carriersFor(test.db, everybody, owner, named) }
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
