import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApp } from './app.ts'
import { chosen } from './database.ts'
import {
  callerOf,
  corpus,
  expectHandled,
  hostileEndpoints,
  hostileServers,
  inAddress,
  isRefused,
  members,
  pathOf,
} from './hostile.ts'
import { type StripeStandIn, stripeStandIn } from './stand-ins/stripe.ts'
import { sample } from './trust.ts'

// Hostile values that reach a handler: schemas accept them. `hostile-bodies.test.ts` sends all that are refused before.

let stripe: StripeStandIn
const servers = hostileServers(() => stripe)
beforeAll(async () => {
  stripe = await stripeStandIn()
})
afterAll(async () => {
  await servers.close()
  await stripe.close()
})

const accepted = hostileEndpoints.map(({ title, e, index }) => {
  const bodies = corpus.flatMap(([what, value]) =>
    members(e.body)
      .filter((member) => !isRefused(e.body!, { [member]: value }))
      .map((member) => ({ what: `${member} is ${what}`, body: { [member]: value } })),
  )
  const queries = corpus.flatMap(([what, value]) =>
    members(e.query)
      .filter((member) => !isRefused(e.query!, { [member]: inAddress(value) }))
      .map((member) => ({ what: `${member} is ${what}`, query: { [member]: inAddress(value) } })),
  )
  // all are looked up in the same way
  const paths = e.params ? sample(corpus, chosen === 'mysql' ? 1 : 3, index) : []
  return { title, e, bodies, queries, paths }
})

describe.each(
  accepted.filter(({ bodies, queries, paths }) => bodies.length + queries.length + paths.length),
)('$title', ({ e, bodies, queries, paths }) => {
  let t: TestApp
  beforeAll(async () => {
    t = await servers.for(e)
  })

  if (bodies.length > 0)
    it('answers hostile fields with an error or the right data', async () => {
      for (const { what, body } of bodies) {
        const answer = await t.request(callerOf(e), e.method, pathOf(e, t.sids.a1), body)
        expectHandled(e, answer.statusCode, what, answer.body)
      }
    })

  if (queries.length > 0)
    it('answers hostile queries with an error or the right data', async () => {
      for (const { what, query } of queries) {
        const path = `${pathOf(e, t.sids.a1)}?${new URLSearchParams(query)}`
        const answer = await t.request(callerOf(e), e.method, path)
        expectHandled(e, answer.statusCode, what, answer.body)
      }
    })

  if (paths.length > 0)
    it('answers hostile paths with an error or the right data', async () => {
      for (const [what, value] of paths) {
        const text = inAddress(value)
        const path = pathOf(e, text)
        const { statusCode, body } = await t.request(callerOf(e), e.method, path)
        expectHandled(e, statusCode, `the path is ${what}`, body)
        const isShort = text.length > 0 && encodeURIComponent(text).length < 100
        if (isShort) expect([400, 404], body).toContain(statusCode)
      }
    })
})
