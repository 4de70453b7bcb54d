import { randomUUID } from 'node:crypto'
import { api, type Endpoint, NO_SMS_PROVIDER } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type TestApp, testApp } from './app.ts'
import { type StripeStandIn, stripeStandIn } from './stand-ins/stripe.ts'

/** Hostile or accidental values in place of text. */
const CORPUS: Record<string, unknown> = {
  quotes: `'"\`; drop table accounts; --`,
  wildcards: '%_%*?',
  operators: '{"$ne":null}',
  'an object': { $gt: '' },
  'an array': ['a', 'b'],
  'a number': 1e21,
  true: true,
  NUL: 'a\0b',
  'a lone surrogate': 'a\ud800b',
  emoji: '😀 名前 عربى',
  'an override': '\u202e\u0000\u200b',
  'a path': '../../../../etc/passwd',
  markup: '<script>alert(1)</script>',
  'a long text': 'x'.repeat(90_000),
  'a trailing space': 'name ',
  empty: '',
  nothing: null,
}

const all = Object.entries(api).flatMap(([group, endpoints]) =>
  Object.entries(endpoints as Record<string, Endpoint>).map(([name, e]) => ({
    title: `${group}.${name}`,
    e,
  })),
)

/** The fields of an object schema, through refinements and transforms. */
function members(schema: z.ZodType | undefined): string[] {
  if (!schema) return []
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    properties?: object
  }
  return Object.keys(json.properties ?? {})
}

let stripe: StripeStandIn
let open: { hosted: boolean; t: TestApp } | undefined
beforeAll(async () => {
  stripe = await stripeStandIn()
})
afterAll(async () => {
  await open?.t.close()
  await stripe.close()
})

/** Reuses the last server, unless a request has ended its sessions or deleted the account. */
async function freshServer(hosted: boolean) {
  if (open?.hosted === hosted) {
    const { t } = open
    const account = await t.request('a1', 'GET', `/Accounts/${t.sids.a1}`)
    const admin = await t.request('admin', 'GET', '/Users/me')
    if (account.statusCode === 200 && admin.statusCode === 200) return t
  }
  await open?.t.close()
  open = undefined
  open = { hosted, t: await testApp(hosted ? stripe.environment : {}) }
  return open.t
}

const plainFirst = all.toSorted((a, b) => Number(a.e.hosted ?? false) - Number(b.e.hosted ?? false))

describe.each(plainFirst)('$title', ({ e }) => {
  let t: TestApp
  beforeAll(async () => {
    t = await freshServer(e.hosted ?? false)
  })
  // only accounts subscribe
  const who = e.hosted && e.access === 'account' ? 'a1' : 'admin'

  const fill = (sid: string) => e.path.replace(/:\w+/g, sid)
  const expectHandled = (status: number, what: string, body: string) => {
    // the platform's own status when there is no SMS carrier
    if (e === api.messaging.send && body.includes(NO_SMS_PROVIDER)) return
    expect(status, `${what}: ${body}`).toBeLessThan(500)
  }

  it('answers hostile fields with an error or the right data', async () => {
    const sid = t.sids.a1
    for (const [what, value] of Object.entries(CORPUS))
      for (const member of members(e.body)) {
        const { statusCode, body } = await t.request(who, e.method, fill(sid), {
          [member]: value,
        })
        expectHandled(statusCode, `${member} is ${what}`, body)
      }
  })

  it('answers hostile queries and paths with an error or the right data', async () => {
    for (const [what, value] of Object.entries(CORPUS)) {
      const text = encodeURIComponent(
        (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed().slice(0, 4_000),
      )
      for (const member of [...members(e.query), 'unknown']) {
        const path = `${fill(t.sids.a1)}?${member}=${text}&${member}[x]=${text}`
        const { statusCode, body } = await t.request(who, e.method, path)
        expectHandled(statusCode, `${member} is ${what}`, body)
      }
      if (!e.params) continue
      const { statusCode, body } = await t.request(who, e.method, fill(text))
      expectHandled(statusCode, `the path is ${what}`, body)
      if (text.length > 0 && text.length < 100) expect([400, 404], body).toContain(statusCode)
    }
  })

  if (e.method === 'GET') return
  it.each([
    ['broken JSON', '{"a":', 'application/json', 400],
    ['no object', '"text"', 'application/json', 400],
    ['a list', '[]', 'application/json', 400],
    ['deep nesting', `${'['.repeat(40_000)}${']'.repeat(40_000)}`, 'application/json', 400],
    [
      'too much',
      JSON.stringify({ a: 'x'.repeat((e.maxBody ?? 0) + 1_000_000) }),
      'application/json',
      413,
    ],
    ['a foreign type', '<a/>', 'text/xml', 400],
    [
      'a prototype',
      '{"__proto__":{"admin":true},"constructor":{"prototype":{"x":1}}}',
      'application/json',
      400,
    ],
  ])('rejects %s', async (_, payload, type, status) => {
    const answer = await t.app.inject({
      method: e.method,
      url: `/v1${fill(randomUUID())}`,
      payload,
      headers: { 'content-type': type, authorization: `Bearer ${t.bearer.admin}` },
    })
    if (!e.body) return expect(answer.statusCode).toBeLessThan(500)
    // none of these is a valid file
    if (e.takesCsv || e.takesFile) return expect(answer.statusCode).toBe(400)
    // some accept a list, but the resource does not exist
    if (payload === '[]' && e.body.safeParse([]).success) return expect(answer.statusCode).toBe(404)
    expect(answer.statusCode, answer.body).toBe(status)
    expect(answer.json()).toMatchObject({ msg: expect.any(String), issues: expect.any(Array) })
  })
})
