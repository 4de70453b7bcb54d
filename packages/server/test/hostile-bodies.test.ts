import type { Endpoint } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApp } from './app.ts'
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

/**
 * Hostile requests that are refused before a handler: by the parser, by limits, or by a schema. `hostile.test.ts` tries
 * every value of every member on the schemas while it chooses requests; here, each endpoint words some refusals.
 */

let stripe: StripeStandIn
const servers = hostileServers(() => stripe)
beforeAll(async () => {
  stripe = await stripeStandIn()
})
afterAll(async () => {
  await servers.close()
  await stripe.close()
})

const MOST = 102_400
const limitOf = (e: Endpoint) => e.maxBody ?? MOST

/**
 * Group of endpoints that take the same bodies. Bodies too long for the parsers are expensive, and are sent to one
 * endpoint of each group.
 */
const bodyKind = (e: Endpoint) =>
  [e.method, e.maxBody, e.takesCsv, e.takesFile, Boolean(e.body)].join()
const firstOfKind = new Map(
  hostileEndpoints.toReversed().map(({ title, e }) => [bodyKind(e), title]),
)

const MALFORMED = [
  ['broken JSON', '{"a":', 'application/json', 400],
  ['no object', '"text"', 'application/json', 400],
  ['a list', '[]', 'application/json', 400],
  ['a foreign type', '<a/>', 'text/xml', 400],
  [
    'a prototype',
    '{"__proto__":{"admin":true},"constructor":{"prototype":{"x":1}}}',
    'application/json',
    400,
  ],
] as const
const DEEP = `${'['.repeat(40_000)}${']'.repeat(40_000)}`

describe.each(hostileEndpoints)('$title', ({ title, e, index }) => {
  let t: TestApp
  beforeAll(async () => {
    t = await servers.for(e)
  })

  if (members(e.body).length > 0)
    it('refuses hostile fields', async () => {
      for (const [what, value] of sample(corpus, 5, index)) {
        const refused = members(e.body).filter((name) => isRefused(e.body!, { [name]: value }))
        // more of the long text than one would be too long for the parser
        const sent = String(value).length > 1_000 ? sample(refused, 1, index) : refused
        if (sent.length === 0) continue
        const body = Object.fromEntries(sent.map((name) => [name, value]))
        const answer = await t.request(callerOf(e), e.method, pathOf(e, t.sids.a1), body)
        expectHandled(e, answer.statusCode, `${sent} are ${what}`, answer.body)
      }
    })

  it('answers hostile and unknown queries with an error or the right data', async () => {
    for (const [what, value] of sample(corpus, 3, index)) {
      const text = inAddress(value)
      const refused = members(e.query).filter((name) => isRefused(e.query!, { [name]: text }))
      const query = new URLSearchParams()
      for (const name of [...refused, 'unknown']) {
        query.append(name, text)
        query.append(`${name}[x]`, text)
      }
      const path = `${pathOf(e, t.sids.a1)}?${query}`
      const { statusCode, body } = await t.request(callerOf(e), e.method, path)
      expectHandled(e, statusCode, `${[...query.keys()]} are ${what}`, body)
    }
  })

  if (e.method === 'GET') return
  const malformed: (readonly [string, string, string, number, Record<string, string>?])[] = [
    ...MALFORMED,
    [
      'too much, as it says',
      '{}',
      'application/json',
      413,
      { 'content-length': `${limitOf(e) + 1}` },
    ],
  ]
  if (sample([firstOfKind.get(bodyKind(e)), title], 1, 0).includes(title)) {
    const tooMuch = JSON.stringify({ a: 'x'.repeat(limitOf(e)) })
    malformed.push(['deep nesting', DEEP, 'application/json', 400])
    malformed.push(['too much', tooMuch, 'application/json', 413])
  }

  it('rejects malformed bodies', async () => {
    for (const [what, payload, type, status, headers] of malformed) {
      const answer = await t.app.inject({
        method: e.method,
        url: `/v1${pathOf(e)}`,
        payload,
        headers: { 'content-type': type, authorization: `Bearer ${t.bearer.admin}`, ...headers },
      })
      const found = `${what}: ${answer.body}`
      if (!e.body) {
        expect(answer.statusCode, found).toBeLessThan(500)
        continue
      }
      // none of these is a valid file
      if (e.takesCsv || e.takesFile) {
        expect(answer.statusCode, found).toBe(400)
        continue
      }
      // some accept a list, but the resource does not exist
      if (payload === '[]' && e.body.safeParse([]).success) {
        expect(answer.statusCode, found).toBe(404)
        continue
      }
      expect(answer.statusCode, found).toBe(status)
      expect(answer.json()).toMatchObject({ msg: expect.any(String), issues: expect.any(Array) })
    }
  })
})
