import type { Flag } from '@switchroom/contract'

/** The same sequence for the same seed (mulberry32). */
export function chance(seed: number) {
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
export type Chance = ReturnType<typeof chance>

const BROKEN = ['+1', '(', '[1', '*', '1)', '\\', '^(44', '1**', '{2}(', '+']
const ODD = ['', '^$', '.', '.*', '^.*$', '\\d+9$', '[^1]', '1{2,}', '\\+44', '^\\+?44', '(?=1)1']

export function pattern(c: Chance) {
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

export const dialledNumber = (c: Chance) =>
  c.often(0.05)
    ? c.one(['', 'bob', '*98', '(12', '+', '^44', '[1', '1.1', '#31#', '44|45'])
    : `${c.often(0.15) ? '+' : ''}${c.digits(1, 12)}`

/** A provider, an account, carriers, routes, numbers: as tidy as people leave them. */
export function newWorld(c: Chance) {
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
export type World = ReturnType<typeof newWorld>
