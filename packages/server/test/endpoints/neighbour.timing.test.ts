import { COSTS, type Cost, costOf, type Endpoint } from '@switchroom/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { type TestApp, testApp } from '../app.ts'
import { type StripeStandIn, stripeStandIn } from '../stand-ins/stripe.ts'
import { recordStatements } from '../statements.ts'
import { caseCount, report } from '../trust.ts'
import { ask, createWorld, endpoints, type Line, type World } from './lines.ts'
import { addManyRows } from './many-rows.ts'

/**
 * One tenant calls an endpoint as hard as its turns allow, in an account with many rows, and another waits for its
 * cheapest read. `npm test` calls one endpoint of each cost and counts the statements of others that run in the
 * meantime; `npm run trust` calls every endpoint of the contract, and measures.
 */
const isLong = caseCount(0, 1) > 0
const ROWS = caseCount(2_000, 100_000)
const AT_ONCE = 40
const READS = caseCount(5, 100)
/** Limits while expensive work runs, of which only some runs at once. */
const MOST_STATEMENTS = AT_ONCE
const MOST_P99_MS = 100

const statements = recordStatements()
let stripe: StripeStandIn
let open: { hosted: boolean; t: TestApp; w: World } | undefined
beforeAll(async () => {
  stripe = await stripeStandIn()
})
afterAll(async () => {
  await open?.t.close()
  await stripe.close()
})

async function server(hosted: boolean) {
  if (open?.hosted === hosted) return open
  await open?.t.close()
  const t = await testApp(hosted ? stripe.environment : {}, undefined, statements.tracing, {
    onFile: true,
  })
  const w = await createWorld(t)
  await addManyRows(t, ROWS)
  open = { hosted, t, w }
  return open
}

/** Whose request it is, and who waits. */
const TENANTS: Record<Line['reach'], [string, string]> = {
  account: ['a1', 'a2'],
  shared: ['a1', 'a2'],
  'signed-in': ['a1', 'a2'],
  provider: ['sp1', 'b1'],
  admin: ['admin', 'b1'],
  public: ['', 'b1'],
}

type Case = { title: string; e: Endpoint; line: Line; cost: Cost | undefined }

/** A request as its line has it, and as a search where it can be one. */
function* waysToCall(title: string, e: Endpoint, line: Line): Generator<Case> {
  const fields = e.query instanceof z.ZodObject ? Object.keys(e.query.shape) : []
  const searched = ['filter', 'said'].filter((field) => fields.includes(field) && !e.file)
  for (const more of [{}, ...searched.map((field) => ({ page: '1', [field]: 'word' }))]) {
    const asked: Line = { ...line, query: (w) => ({ ...line.query?.(w), ...more }) }
    const how = new URLSearchParams(more).toString()
    const cost = costOf(e, asked.query!({} as World))
    yield { title: how ? `${title} ?${how}` : title, e, line: asked, cost }
  }
}

const all = endpoints
  .flatMap(({ title, e, line }) => [...waysToCall(title, e, line)])
  // endpoints that delete or use up what others need come last, each variant on a server of its own
  .toSorted((a, b) => Number(!!a.line.destroys) - Number(!!b.line.destroys))
  .toSorted((a, b) => Number(!!a.e.hosted) - Number(!!b.e.hosted))
const oneOfEachCost = COSTS.map((cost) => all.find((one) => one.cost === cost)!)

it.each(isLong ? all : oneOfEachCost)('$title leaves the neighbour its reads', async (one) => {
  const { e, line, title } = one
  const { t, w } = await server(e.hosted ?? false)
  const [tenant, neighbour] = TENANTS[line.reach]
  let isOver = false
  const load = Array.from({ length: AT_ONCE }, async () => {
    while (!isOver) {
      await ask(t, tenant, e, line, w)
      // its answer has to reach it
      await new Promise(setImmediate)
      t.lines.length = 0
    }
  })
  const took: number[] = []
  const ran: number[] = []
  for (let i = 0; i < READS; i++) {
    const before = statements.begun.length
    const began = performance.now()
    const { statusCode } = await t.request(neighbour, 'GET', '/Users/me')
    took.push(performance.now() - began)
    ran.push(statements.begun.length - before)
    expect(statusCode).toBe(200)
    await new Promise(setImmediate)
  }
  isOver = true
  await Promise.all(load)
  if (!isLong) {
    expect(Math.max(...ran)).toBeLessThanOrEqual(MOST_STATEMENTS)
    return
  }
  const p99 = took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99) - 1]!
  report({ part: 'a neighbour’s reads beside each endpoint', tried: READS })
  console.log(`${title}: p99 ${p99.toFixed(1)} ms`)
  expect(p99).toBeLessThanOrEqual(MOST_P99_MS)
})
