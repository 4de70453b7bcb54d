import { type Cost, costOf, type Endpoint } from '@switchroom/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { Failure } from '../../src/http/failure.ts'
import type { FairQueue } from '../../src/http/fair-queue.ts'
import { limitsOf } from '../../src/http/turns.ts'
import { type TestApp, testApp } from '../app.ts'
import { ask, createWorld, endpoints, type Line, type World } from './lines.ts'

/**
 * One tenant asks for everything that costs, many times at once: no more of it runs at a time than one tenant may, and
 * another tenant's turn comes before the rest of it.
 */
let t: TestApp
let w: World
beforeAll(async () => {
  t = await testApp({}, undefined, undefined, { ownApp: true })
  w = await createWorld(t)
})
afterAll(() => t.close())

type Query = Record<string, string>
const withQuery = (line: Line, more: Query): Line => ({
  ...line,
  query: (w) => ({ ...line.query?.(w), ...more }),
})

/** A request as its line has it, and as a search. */
function* waysToCall(e: Endpoint, line: Line): Generator<{ line: Line; cost: Cost }> {
  const fields = e.query instanceof z.ZodObject ? Object.keys(e.query.shape) : []
  const queries: Query[] = [
    {},
    ...['filter', 'said']
      .filter((field) => fields.includes(field) && !e.file)
      .map((field) => ({ page: '1', [field]: 'word' })),
  ]
  for (const query of queries) {
    const asked = withQuery(line, query)
    const cost = costOf(e, asked.query!({} as World))
    if (cost) yield { line: asked, cost }
  }
}

const costly = endpoints
  .filter(({ e }) => !e.hosted)
  .flatMap(({ title, e, line }) =>
    [...waysToCall(e, line)].map((way) => ({ ...way, e, title: `${title} (${way.cost})` })),
  )

/** Work that waits for `open` in place of the queue's own, and who it was of when it began. */
function gated(queue: FairQueue) {
  const gate = Promise.withResolvers<void>()
  const begun: string[] = []
  let running = new Map<string, number>()
  let most = 0
  const run = (lane: Parameters<FairQueue>[0], _: unknown, left?: AbortSignal) => {
    const name = JSON.stringify(lane)
    return queue(
      lane,
      async (): Promise<never> => {
        begun.push(name)
        running.set(name, (running.get(name) ?? 0) + 1)
        most = Math.max(most, ...running.values())
        await gate.promise
        // others see it run
        await new Promise(setImmediate)
        running = running.set(name, running.get(name)! - 1)
        throw new Failure('forbidden', 'done')
      },
      left,
    )
  }
  return {
    queue: Object.assign(run, queue) as FairQueue,
    begun,
    open: gate.resolve,
    mostAtOnce: () => most,
  }
}

const DONE = expect.stringContaining('"msg":"done"')

/** Who asks too often, and a neighbour: administrators and strangers of one network have none. */
const TENANTS: Record<Line['reach'], [string, string | undefined]> = {
  account: ['a1', 'a2'],
  shared: ['a1', 'a2'],
  'signed-in': ['a1', 'a2'],
  provider: ['sp1', 'sp2'],
  admin: ['admin', undefined],
  public: ['', undefined],
}

it('finds lists, searches, files, changes of many rows and figures among the endpoints', () => {
  const costs = new Set(costly.map(({ cost }) => cost))
  expect([...costs].sort()).toEqual(
    [
      'changes',
      'comparisons',
      'exports',
      'figures',
      'imports',
      'lists',
      'searches',
      'simulations',
    ].sort(),
  )
})

it.each(costly)('$title leaves turns to others', async ({ e, line, cost }) => {
  const { atOncePerLane, perLane } = limitsOf(cost)
  const [tenant, neighbour] = TENANTS[line.reach]
  const own = t.ctx.memory.turns[cost]
  const { queue, begun, open, mostAtOnce } = gated(own)
  t.ctx.memory.turns[cost] = queue
  try {
    const waiting = Math.min(perLane, 4)
    const loads = () => own.load().map(({ running, waiting }) => running + waiting)
    const many = Array.from({ length: atOncePerLane + waiting }, () => ask(t, tenant, e, line, w))
    await expect.poll(loads).toEqual([atOncePerLane + waiting])
    const other = neighbour && ask(t, neighbour, e, line, w)
    if (other) await expect.poll(loads).toEqual([atOncePerLane + waiting, 1])
    open()
    for (const { status, body } of await Promise.all(many))
      expect({ status, body }).toMatchObject({ status: 403, body: DONE })
    expect(mostAtOnce()).toBe(atOncePerLane)
    if (!other) return
    expect(await other).toMatchObject({ status: 403, body: DONE })
    const [first] = begun
    // at once, or after those that ran already and one more
    expect(begun.findIndex((name) => name !== first)).toBeLessThanOrEqual(atOncePerLane + 1)
  } finally {
    t.ctx.memory.turns[cost] = own
  }
})

it('refuses what is too much, and says what is busy and when to come again', async () => {
  const { atOncePerLane, perLane } = limitsOf('exports')
  const own = t.ctx.memory.turns.exports
  const { queue, open } = gated(own)
  t.ctx.memory.turns.exports = queue
  const ask = (who: string) => t.request(who, 'GET', '/PhoneNumbers/Export')
  const many = Array.from({ length: atOncePerLane + perLane }, () => ask('a1'))
  await expect.poll(() => own.load()).toMatchObject([{ running: atOncePerLane, waiting: perLane }])
  const refused = await ask('a1')
  expect(refused.statusCode).toBe(429)
  expect(refused.json()).toMatchObject({
    code: 'too_many',
    msg: 'The server is still busy exporting for you. Please try again in 1 second.',
  })
  expect(refused.headers['retry-after']).toBe('1')
  const metrics = (await t.app.inject('/metrics')).body
  expect(metrics).toContain(
    `switchroom_turns_requests{work="exports",state="running"} ${atOncePerLane}\n`,
  )
  expect(metrics).toContain(
    `switchroom_turns_requests{work="exports",state="waiting"} ${perLane}\n`,
  )
  expect(metrics).toContain('switchroom_turns_refused_total{work="exports"} 1\n')
  open()
  await Promise.all(many)
  t.ctx.memory.turns.exports = own
})
