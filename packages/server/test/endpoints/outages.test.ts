import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { cuttable } from '../cut-database.ts'
import { allRows } from '../rows.ts'
import { type StripeStandIn, stripeStandIn } from '../stand-ins/stripe.ts'
import { caseCount, report } from '../trust.ts'
import { ask, createWorld, endpoints, type World } from './lines.ts'

/**
 * The database goes away in the middle of every write: at its commit, and before each of its
 * statements. The response is 503, and nothing is half-written. Payments are not here: they store
 * their intents, and billing/recovery.test.ts cuts them at every step.
 */
const writes = endpoints.filter(
  ({ e, title }) =>
    e.method !== 'GET' && e.access !== 'public' && !title.startsWith('subscriptions.'),
)
/** Number of statements of a write to cut at, in addition to the commit. */
const STEPS = caseCount(1, 1_000)

let stripe: StripeStandIn
type Open = {
  hosted: boolean
  t: TestApp
  w: World
  database: ReturnType<typeof cuttable>
  /** All rows, unless something has been written since. */
  rows?: Record<string, string[]> | undefined
}
let open: Open | undefined
beforeAll(async () => {
  stripe = await stripeStandIn()
})
const close = async () => {
  open?.database.restore()
  await open?.t.close()
  open = undefined
}
afterAll(async () => {
  await close()
  await stripe.close()
})

async function serverFor(hosted: boolean) {
  if (open?.hosted === hosted) return open
  await close()
  const t = await testApp(hosted ? stripe.environment : {})
  open = { hosted, t, w: await createWorld(t), database: cuttable(t.db) }
  return open
}

const isCommit = (statement: string) => /^\s*commit/i.test(statement)

/**
 * Endpoints without a transaction: each statement leaves a valid state, and repeating the request
 * completes it.
 */
const REPEATABLE = /^session\.logout$/

/** Counters and times of use change on their own. */
const isPartOfWrite = (statement: string) =>
  /^\s*(?:insert|update|delete|replace)/i.test(statement) &&
  !/switchroom_live|last_(?:used|seen)/.test(statement)

describe.each(writes.toSorted((a, b) => Number(!!a.e.hosted) - Number(!!b.e.hosted)))(
  '$title',
  ({ title, e, line }) => {
    it('is all or nothing', async () => {
      const server = await serverFor(e.hosted ?? false)
      const { t, w, database } = server
      const who = line.reach === 'admin' ? 'admin' : line.reach === 'provider' ? 'sp1' : 'a1'
      const before = server.rows ?? (await allRows(t.db))
      server.rows = undefined
      const askWithCut = async (isCut: (sql: string, number: number) => boolean) => {
        database.cutAt(isCut)
        const answer = await ask(t, who, e, line, w)
        return { status: answer.status, sent: database.mend() }
      }
      const { status, sent } = await askWithCut(isCommit)
      // a single statement cannot be halved
      if (!sent.some(isCommit)) {
        if (!REPEATABLE.test(title)) expect(sent.filter(isPartOfWrite).length).toBeLessThan(2)
        return
      }
      // imports stream their result
      if (!e.takesCsv) expect(status).toBe(503)
      expect(await allRows(t.db)).toEqual(before)
      const begin = sent.findIndex((statement) => /^\s*(?:begin|start)/i.test(statement)) + 1
      const inside = Array.from({ length: sent.length - 1 - begin }, (_, i) => begin + 1 + i)
      // evenly chosen, the last first
      const every = Math.max(1, Math.ceil(inside.length / STEPS))
      const chosen = inside.reverse().filter((_, i) => i % every === 0)
      for (const number of chosen) {
        const answer = await askWithCut((_, n) => n === number)
        if (!e.takesCsv) expect(answer.status, sent[number - 1]).toBe(503)
        expect(await allRows(t.db), sent[number - 1]).toEqual(before)
      }
      server.rows = before
      report({
        part: 'database lost in the middle of a write',
        tried: 1 + chosen.length,
        found: { 'undone entirely': 1 + chosen.length },
      })
    })
  },
)
