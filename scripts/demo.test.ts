import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { callsOf, type Plan } from './demo/calls.ts'
import { openFolder, removeFolder } from './demo/folder.ts'
import { incidentAround } from './demo/incident.ts'
import { countryOf } from './demo/numbers.ts'
import { PlatformRedis } from './demo/platform/redis.ts'
import { DEGRADED, PROVIDERS } from './demo/tenants.ts'
import type { Account, ApplicationKind } from './demo/world.ts'

describe('the folder of the demo', () => {
  let parent: string
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'switchroom-demo-'))
  })
  afterEach(() => rmSync(parent, { recursive: true, force: true }))
  const fresh = { seed: 's', scale: 1, began: 1, password: 'p', incidents: [] }
  const filled = { world: { accounts: [] }, api_key: 'k', until: 2 }

  it('is never one that the demo did not make', () => {
    writeFileSync(join(parent, 'switchroom.db'), 'precious')
    expect(() => openFolder(parent, fresh)).toThrow('was not made by the demo')
    expect(() => removeFolder(parent)).toThrow('was not made by the demo')
    expect(readFileSync(join(parent, 'switchroom.db'), 'utf8')).toBe('precious')
  })

  it('is removed with all that is in it, and nothing beside it', () => {
    const folder = join(parent, 'demo')
    openFolder(folder, fresh).release()
    mkdirSync(join(folder, 'traces'))
    writeFileSync(join(parent, 'beside'), '')
    expect(removeFolder(folder)).toBe(true)
    expect(removeFolder(folder)).toBe(false)
    expect([existsSync(folder), existsSync(join(parent, 'beside'))]).toEqual([false, true])
  })

  it('is not touched while another process runs the demo in it', () => {
    const folder = join(parent, 'demo')
    const { state, save } = openFolder(folder, fresh)
    // the parent of this process runs
    state.pid = process.ppid
    save()
    expect(() => openFolder(folder, fresh)).toThrow('is running')
    expect(() => removeFolder(folder)).toThrow('is running')
  })

  it('goes on with what was filled, and begins anew where it was not', () => {
    const folder = join(parent, 'demo')
    openFolder(folder, fresh).release()
    writeFileSync(join(folder, 'half'), '')
    const second = openFolder(folder, { ...fresh, password: 'q' })
    expect([second.state.password, existsSync(join(folder, 'half'))]).toEqual(['q', false])
    second.state.filled = filled
    second.release()
    expect(openFolder(folder, fresh).state).toMatchObject({ password: 'q', filled })
  })
})

describe('the calls of the demo', () => {
  const kinds: ApplicationKind[] = ['assistant', 'menu', 'reminder', 'agent']
  const accounts = PROVIDERS.flatMap(({ accounts, name: provider, carriers: _ }) =>
    accounts.map(
      ([name, city, sector, size]): Account => ({
        sid: name,
        name,
        provider,
        provider_sid: provider,
        realm: 'a.example.com',
        sector,
        country: countryOf(city),
        size,
        phones: ['reception'],
        numbers: ['1', '2', '3', '4'],
        applications: kinds.map((kind) => ({
          sid: kind,
          kind,
          name: kind,
          url: 'https://x.example',
        })),
      }),
    ),
  )
  // a Wednesday
  const began = Date.UTC(2026, 0, 14, 15)
  const plan: Plan = {
    seed: 's',
    scale: 1,
    world: { accounts },
    began,
    traced_from: began - 3_600_000,
    incidents: [incidentAround(began)],
  }
  // its busy hours are those of the machine's zone
  beforeAll(() => void vi.stubEnv('TZ', 'UTC'))
  afterAll(() => void vi.unstubAllEnvs())
  const callsOfHour = (from: number) =>
    Array.from({ length: 60 }, (_, i) => callsOf(plan, from / 60_000 + i)).flat()

  it('are the same whenever they are asked for', () => {
    expect(callsOf(plan, began / 60_000)).toEqual(callsOf(plan, began / 60_000))
  })

  it('mostly succeed, until a carrier goes wrong', () => {
    const shareOf = (calls: ReturnType<typeof callsOfHour>, status: number) =>
      calls.filter((c) => c.status === status).length / calls.length
    const before = callsOfHour(began - 5 * 3_600_000)
    expect(before.length).toBeGreaterThan(150)
    expect(shareOf(before, 200)).toBeGreaterThan(0.8)
    expect(shareOf(before, 503)).toBeLessThan(0.03)
    const since = callsOfHour(began).filter((c) => c.trunk === 'Albion Wholesale')
    expect(shareOf(since, 503)).toBeGreaterThan(0.15)
  })

  it('go to another carrier once somebody has routed them there', () => {
    const refused = (calls: ReturnType<typeof callsOfHour>) =>
      calls.filter((c) => c.direction === 'outbound' && c.to.startsWith(DEGRADED.prefix))
    const usual = callsOfHour(began)
    expect(refused(usual).some((c) => c.trunk === DEGRADED.carrier)).toBe(true)
    const detour = 'Thameslane'
    const after = Array.from({ length: 60 }, (_, i) =>
      callsOf({ ...plan, detour }, began / 60_000 + i),
    ).flat()
    const trunksOf = new Set(refused(after).map((c) => c.trunk))
    expect([trunksOf.has(detour), trunksOf.has(DEGRADED.carrier)]).toEqual([true, false])
  })

  it('say in record, trace and SIP alike who hung up', () => {
    const reasons = Map.groupBy(
      callsOfHour(began - 3_600_000).filter(({ answered_at }) => answered_at !== undefined),
      ({ direction, ended_by }) => `${direction}, ${ended_by}`,
    )
    const said = [...reasons].map(([who, calls]) => [who, new Set(calls.map((c) => c.reason))])
    expect(Object.fromEntries(said)).toEqual({
      'inbound, caller': new Set(['caller hungup']),
      'inbound, jambonz': new Set(['called party hungup']),
      'outbound, caller': new Set(['called party hungup']),
      'outbound, jambonz': new Set(['caller hungup']),
    })
  })

  it('have spans within the call, each below one that exists', () => {
    const told = callsOfHour(began).flatMap(({ story }) => story ?? [])
    expect(told.length).toBeGreaterThan(50)
    for (const { spans, ended_ms } of told) {
      const ids = new Set(spans.map(({ id }) => id))
      expect(ids.size).toBe(spans.length)
      const [root] = spans
      for (const { start, end, parent } of spans) {
        expect(parent === undefined || ids.has(parent)).toBe(true)
        expect(start >= 0 && start <= end && end <= root!.end).toBe(true)
      }
      expect(root!.end).toBeGreaterThanOrEqual(ended_ms)
    }
  })
})

it('plays a Redis that the platform’s client understands', async () => {
  const server = await PlatformRedis.listen(0)
  const redis = new Redis({ port: server.port })
  try {
    await redis.set('login:1', '1', 'EX', 60)
    expect(await redis.mget('login:1', 'none')).toEqual(['1', null])
    const counted = await redis.multi().incr('login:1').expire('login:1', 60).exec()
    expect(counted).toEqual([
      [null, 2],
      [null, 1],
    ])
    server.keys.keep(
      'active',
      new Map([
        ['call:a:1', 5],
        ['call:b:2', 7],
      ]),
    )
    expect(await redis.zrevrange('active', 0, 10, 'WITHSCORES')).toEqual([
      ...['call:b:2', '7'],
      ...['call:a:1', '5'],
    ])
    const found: string[] = []
    for await (const some of redis.zscanStream('active', { match: 'call:a:*' })) found.push(...some)
    expect(found).toEqual(['call:a:1', '5'])
    expect(await redis.del('login:1', 'none')).toBe(1)
    await expect(redis.flushall()).rejects.toThrow('unknown command')
    // a command may arrive in two parts
    const long = 'é'.repeat(100_000)
    await redis.set('long', long)
    expect(await redis.mget('long')).toEqual([long])
  } finally {
    redis.disconnect()
    await once(redis, 'close')
    server.close()
  }
})
