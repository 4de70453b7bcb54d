import { randomUUID } from 'node:crypto'
import {
  type Flag,
  lintRoutes,
  ROUTING_RULES,
  type Route,
  type RoutingRule,
  simulateOutbound,
} from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { oracle } from '../../../test/oracle.ts'
import { insertMany } from '../../db/insert-many.ts'
import type { Scope } from '../../http/scope.ts'
import * as carrierRows from './carrier-queries.ts'
import * as routing from './queries.ts'

const everybody = { role: 'admin', view_only: false, force_change: false } as Scope

type Carriers = 'good' | 'other' | 'off' | 'mute' | 'asleep' | 'foreign'
type Case = {
  rule: RoutingRule
  routes: [regex: string, priority: number, ...carriers: Carriers[]][]
  /** The index of the route that is found fault with. */
  at: number | null
  fix?: object
  /** A number, whom its call was surely meant for, and who gets it. */
  number: string
  meant: Carriers | undefined
  gets: Carriers | undefined
}

const cases: Case[] = [
  {
    rule: 'bad-pattern',
    routes: [
      ['+1', 1, 'other'],
      ['.*', 9999, 'good'],
    ],
    at: 0,
    fix: { pattern: '^\\+1' },
    number: '442079460958',
    meant: 'good',
    gets: undefined,
  },
  {
    rule: 'unanchored',
    routes: [
      ['44', 1, 'other'],
      ['.*', 9999, 'good'],
    ],
    at: 0,
    fix: { pattern: '^44' },
    number: '15005554400',
    meant: 'good',
    gets: 'other',
  },
  {
    rule: 'unanchored',
    routes: [
      ['44|^33', 1, 'other'],
      ['.*', 9999, 'good'],
    ],
    at: 0,
    fix: { pattern: '^(?:44|^33)' },
    number: '15005554400',
    meant: 'good',
    gets: 'other',
  },
  {
    rule: 'plus',
    routes: [
      ['^447', 1, 'good'],
      ['^\\+?49', 2, 'good'],
      ['.*', 9999, 'other'],
    ],
    at: 0,
    fix: { pattern: '^\\+?447' },
    number: '+447700900123',
    meant: 'good',
    gets: 'other',
  },
  {
    rule: 'duplicate',
    routes: [
      ['^44', 1, 'other'],
      ['^44', 2, 'good'],
      ['.*', 9999, 'other'],
    ],
    at: 1,
    fix: { remove: true },
    number: '442079460958',
    meant: 'good',
    gets: 'other',
  },
  {
    rule: 'shadowed',
    routes: [
      ['^4[0-9]', 1, 'other'],
      ['^44(20|28)', 2, 'other'],
      ['^442', 3, 'good'],
      ['.*', 9999, 'other'],
    ],
    at: 2,
    fix: { remove: true },
    number: '442079460958',
    meant: 'good',
    gets: 'other',
  },
  {
    rule: 'same-priority',
    routes: [
      ['^44', 1, 'good'],
      ['^4.2', 1, 'other'],
      ['.*', 9999, 'other'],
    ],
    at: 1,
    number: '332079460958',
    meant: 'other',
    gets: 'other',
  },
  {
    rule: 'no-carrier',
    routes: [
      ['^44', 1],
      ['.*', 9999, 'other'],
    ],
    at: 0,
    number: '442079460958',
    meant: undefined,
    gets: 'other',
  },
  {
    rule: 'unused-carrier',
    routes: [['.*', 9999, 'mute', 'good']],
    at: 0,
    number: '442079460958',
    meant: 'good',
    gets: 'mute',
  },
  ...(['inactive-carrier', 'no-gateway', 'no-gateway', 'foreign-carrier'] as const).map(
    (rule, i): Case => {
      const gets = (['off', 'mute', 'asleep', 'foreign'] as const)[i]!
      return {
        rule,
        routes: [
          ['^44', 1, gets],
          ['.*', 9999, 'good'],
        ],
        at: 0,
        number: '442079460958',
        meant: 'good',
        gets,
      }
    },
  ),
  {
    rule: 'missing-default',
    routes: [['^44', 1, 'good']],
    at: null,
    number: '15005550100',
    meant: 'good',
    gets: undefined,
  },
  {
    rule: 'slow-pattern',
    routes: [
      ['^(4+)+$', 1, 'good'],
      ['.*', 9999, 'other'],
    ],
    at: 0,
    number: '15005550100',
    meant: 'other',
    gets: 'other',
  },
]

describe('what the linter finds', () => {
  let test: Awaited<ReturnType<typeof testDatabase>>
  let platform: ReturnType<typeof oracle> | undefined
  beforeAll(async () => {
    test = await testDatabase()
    platform = test.kind === 'mysql' ? oracle() : undefined
  })
  afterAll(async () => {
    await platform?.close()
    await test.close()
  })

  it.each(cases)('$rule at $at of $routes', async ({ rule, routes, at, fix, ...call }) => {
    const { owner, sids } = await createTable(routes)
    const [set] = await routing.setsOf(test.db, owner)
    const stored = await routing.routesOf(test.db, set!.lcr_sid)
    const carriers = await carrierRows.carriersFor(test.db, everybody, owner, Object.values(sids))
    const index = (n: number | null) =>
      n === null ? null : stored.findIndex((r) => r.description === String(n))
    const findings = lintRoutes({ routes: stored, carriers, owner })
    const finding = findings.find((f) => f.rule === rule && f.route === index(at))
    expect(finding, JSON.stringify(findings)).toBeDefined()
    expect(finding!.fix).toEqual(fix)

    const simulated = (number: string) => {
      const result = simulateOutbound({ number, owner, routes: stored, carriers })
      return result.route === null ? undefined : result.carriers[0]
    }
    const platformResult = (number: string) =>
      platform
        ? platform.lookupCarrierByAccountLcr(owner.account_sid, number)
        : Promise.resolve(simulated(number))
    const gets = call.gets && sids[call.gets]
    expect(await platformResult(call.number)).toBe(gets)
    expect(simulated(call.number)).toBe(gets)
    // the finding's own number shows it too
    expect(simulated(finding!.example)).toBe(await platformResult(finding!.example))
    if (call.meant !== call.gets) expect(simulated(finding!.example)).toBe(gets)
    if (fix && 'pattern' in fix) await expectFixed(stored, index(at)!, String(fix.pattern))

    async function expectFixed(before: Route[], n: number, regex: string) {
      const after = before.map((r, i) => (i === n ? { ...r, regex } : r))
      const next = simulateOutbound({ number: call.number, owner, routes: after, carriers })
      expect(next.carriers[0]).toBe(sids[call.meant!])
    }
  })

  it('has a case for every rule', () => {
    expect(new Set(cases.map((c) => c.rule))).toEqual(new Set(ROUTING_RULES))
  })

  it('finds nothing in correct routes', async () => {
    const { owner, sids } = await createTable([
      ['^1', 1, 'good'],
      ['^\\+?44', 2, 'other'],
      ['^4[0-357-9]\\d{3,}$', 3, 'good'],
      ['^\\+?(33|49)', 4, 'other'],
      ['.*', 9999, 'good'],
    ])
    const [set] = await routing.setsOf(test.db, owner)
    const routes = await routing.routesOf(test.db, set!.lcr_sid)
    const carriers = await carrierRows.carriersFor(test.db, everybody, owner, Object.values(sids))
    expect(lintRoutes({ routes, carriers, owner })).toEqual([])
  })

  async function createTable(routes: Case['routes']) {
    const owner = { account_sid: randomUUID(), service_provider_sid: randomUUID() }
    const neighbour = randomUUID()
    const sids = Object.fromEntries(
      ['good', 'other', 'off', 'mute', 'asleep', 'foreign'].map((name) => [name, randomUUID()]),
    ) as Record<Carriers, string>
    const lcr_sid = randomUUID()
    const { db } = test
    await insertMany(db, 'service_providers', [
      { service_provider_sid: owner.service_provider_sid, name: owner.service_provider_sid },
    ])
    await insertMany(
      db,
      'accounts',
      [owner.account_sid, neighbour].map((account_sid) => ({
        account_sid,
        service_provider_sid: owner.service_provider_sid,
        name: account_sid,
        webhook_secret: 'secret',
      })),
    )
    await insertMany(
      db,
      'voip_carriers',
      Object.entries(sids).map(([name, voip_carrier_sid]) => ({
        voip_carrier_sid,
        name,
        account_sid: name === 'foreign' ? neighbour : owner.account_sid,
        service_provider_sid: owner.service_provider_sid,
        is_active: name === 'off' ? 0 : 1,
      })),
    )
    await insertMany(
      db,
      'sip_gateways',
      Object.entries(sids).map(([name, voip_carrier_sid]) => ({
        sip_gateway_sid: randomUUID(),
        voip_carrier_sid,
        ipv4: '203.0.113.10',
        port: 5060,
        inbound: 1,
        outbound: (name === 'mute' ? 0 : 1) satisfies Flag,
        is_active: (name === 'asleep' ? 0 : 1) satisfies Flag,
      })),
    )
    await insertMany(db, 'lcr', [{ lcr_sid, name: 'routes', account_sid: owner.account_sid }])
    for (const [i, [regex, priority, ...carriers]] of routes.entries()) {
      // equals come in the order of their sids
      const lcr_route_sid = `${i}${randomUUID().slice(1)}`
      await insertMany(db, 'lcr_routes', [
        { lcr_route_sid, lcr_sid, regex, priority, description: String(i) },
      ])
      if (carriers.length === 0) continue
      await insertMany(
        db,
        'lcr_carrier_set_entry',
        carriers.map((name, n) => ({
          lcr_carrier_set_entry_sid: randomUUID(),
          lcr_route_sid,
          voip_carrier_sid: sids[name],
          priority: n,
          workload: 1,
        })),
      )
    }
    return { owner, sids }
  }
})
