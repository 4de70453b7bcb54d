import { randomUUID } from 'node:crypto'
import { api, type Endpoint, NO_SMS_PROVIDER } from '@switchroom/contract'
import { expect } from 'vitest'
import { z } from 'zod'
import { textIssues } from '../src/http/text.ts'
import { type TestApp, testApp } from './app.ts'
import type { StripeStandIn } from './stand-ins/stripe.ts'

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
export const corpus = Object.entries(CORPUS)

const all = Object.entries(api).flatMap(([group, endpoints]) =>
  Object.entries(endpoints as Record<string, Endpoint>).map(([name, e]) => ({
    title: `${group}.${name}`,
    e,
  })),
)
/** Every endpoint, the hosted variant's last. */
export const hostileEndpoints = all
  .toSorted((a, b) => Number(a.e.hosted ?? false) - Number(b.e.hosted ?? false))
  .map((one, index) => ({ ...one, index }))

/** The fields of an object schema, through refinements and transforms. */
export function members(schema: z.ZodType | undefined): string[] {
  if (!schema) return []
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    properties?: object
  }
  return Object.keys(json.properties ?? {})
}

/** True if the server refuses this before it calls a handler, as `http/serve.ts` decides. */
export const isRefused = (schema: z.ZodType, value: unknown) =>
  textIssues(value).length > 0 || !schema.safeParse(value).success

/** A value as it is sent in an address. */
export const inAddress = (value: unknown) =>
  (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed().slice(0, 4_000)

export const pathOf = (e: Endpoint, sid: string = randomUUID()) =>
  e.path.replace(/:\w+/g, encodeURIComponent(sid))

/** Only accounts subscribe. */
export const callerOf = (e: Endpoint) => (e.hosted && e.access === 'account' ? 'a1' : 'admin')

export function expectHandled(e: Endpoint, status: number, what: string, body: string) {
  // the platform's own status when there is no SMS carrier
  if (e === api.messaging.send && body.includes(NO_SMS_PROVIDER)) return
  expect(status, `${what}: ${body}`).toBeLessThan(500)
}

/** Servers for a walk over `hostileEndpoints`, one at a time. */
export function hostileServers(stripe: () => StripeStandIn) {
  let open: { hosted: boolean; t: TestApp } | undefined
  return {
    /** Reuses the last server, unless a request has ended its sessions or deleted the account. */
    async for(e: Endpoint) {
      const hosted = e.hosted ?? false
      if (open?.hosted === hosted) {
        const { t } = open
        const account = await t.request('a1', 'GET', `/Accounts/${t.sids.a1}`)
        const admin = await t.request('admin', 'GET', '/Users/me')
        if (account.statusCode === 200 && admin.statusCode === 200) return t
      }
      await open?.t.close()
      open = undefined
      open = { hosted, t: await testApp(hosted ? stripe().environment : {}) }
      return open.t
    },
    close: async () => open?.t.close(),
  }
}
