import { createHmac, randomUUID } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Billing, billing, type Params, Refused } from './stripe-billing.ts'

/** The API version of the SDK. */
const VERSION = '2026-10-28.endive'
export const SECRET_KEY = 'sk_test_canarysecretkey'
export const PUBLISHABLE_KEY = 'pk_test_publishable'
export const WEBHOOK_SECRET = 'whsec_canarywebhooksecret'

type Call = { method: string; path: string; params: Params }
/**
 * How a call fails: the network breaks before or after it is processed, or there is no response. A call
 * that is late is processed after the next one of its kind.
 */
export type Fault = 'before' | 'after' | 'late' | 'hang before' | 'hang after' | undefined

type Route = {
  method: 'GET' | 'POST' | 'DELETE'
  path: RegExp
  /** Form keys without indexes; `metadata[*]` stands for any. */
  takes: string[]
  /** Calls that the publishable key may make. */
  published?: true
  do: (b: Billing, params: Params, id: string) => unknown
}

const EXPAND = 'expand[]'
const PAGE = ['limit', 'starting_after', EXPAND]
const preview = (key: string) => `subscription_details[${key}]`

const ROUTES: Route[] = [
  {
    method: 'GET',
    path: /^balance$/,
    takes: [],
    do: () => ({ object: 'balance', available: [], pending: [], livemode: false }),
  },
  {
    method: 'POST',
    path: /^customers$/,
    takes: ['name', 'email', 'metadata[*]', EXPAND],
    do: (b, p) => b.createCustomer(p),
  },
  {
    method: 'GET',
    path: /^customers\/(\w+)$/,
    takes: [EXPAND],
    do: (b, p, id) => b.customer(id, expands(p)),
  },
  {
    method: 'POST',
    path: /^customers\/(\w+)$/,
    takes: ['name', 'email', 'metadata[*]', 'invoice_settings[default_payment_method]', EXPAND],
    do: (b, p, id) => b.updateCustomer(id, p),
  },
  {
    method: 'DELETE',
    path: /^customers\/(\w+)$/,
    takes: [],
    do: (b, _, id) => b.deleteCustomer(id),
  },
  {
    method: 'POST',
    path: /^payment_methods$/,
    takes: ['key', 'type', 'card[number]', 'card[exp_month]', 'card[exp_year]', 'card[cvc]'],
    published: true,
    do: (b, p) => b.createPaymentMethod(p),
  },
  {
    method: 'GET',
    path: /^payment_methods$/,
    takes: ['customer', 'type', ...PAGE],
    do: (b, p) => page(p, b.paymentMethodsOf(p.customer ?? '')),
  },
  {
    method: 'GET',
    path: /^payment_methods\/(\w+)$/,
    takes: [EXPAND],
    do: (b, _, id) => b.paymentMethod(id),
  },
  {
    method: 'POST',
    path: /^payment_methods\/(\w+)\/attach$/,
    takes: ['customer', EXPAND],
    do: (b, p, id) => b.attach(id, p.customer ?? ''),
  },
  {
    method: 'POST',
    path: /^payment_methods\/(\w+)\/detach$/,
    takes: [EXPAND],
    do: (b, _, id) => b.detach(id),
  },
  {
    method: 'GET',
    path: /^payment_intents\/(\w+)$/,
    takes: ['key', 'client_secret', EXPAND],
    published: true,
    do: (b, p, id) => b.paymentIntent(id, p),
  },
  {
    method: 'GET',
    path: /^products$/,
    takes: ['active', ...PAGE],
    do: (b, p) => page(p, b.products(p.active)),
  },
  {
    method: 'GET',
    path: /^products\/(\w+)$/,
    takes: [EXPAND],
    do: (b, _, id) => b.product(id),
  },
  {
    method: 'GET',
    path: /^prices$/,
    takes: ['product', 'active', 'type', ...PAGE],
    do: (b, p) => page(p, b.prices(p, expands(p))),
  },
  {
    method: 'POST',
    path: /^subscriptions$/,
    takes: [
      'customer',
      'items[][price]',
      'items[][quantity]',
      'items[][metadata][*]',
      'metadata[*]',
      'payment_behavior',
      'default_payment_method',
      'payment_settings[payment_method_types][]',
      EXPAND,
    ],
    do: (b, p) => b.createSubscription(p, expands(p)),
  },
  {
    method: 'GET',
    path: /^subscriptions$/,
    takes: ['customer', 'status', ...PAGE],
    do: (b, p) => page(p, b.subscriptionsOf(p, expands(p))),
  },
  {
    method: 'GET',
    path: /^subscriptions\/(\w+)$/,
    takes: [EXPAND],
    do: (b, p, id) => b.subscription(id, expands(p)),
  },
  {
    method: 'POST',
    path: /^subscriptions\/(\w+)$/,
    takes: [
      'items[][id]',
      'items[][price]',
      'items[][quantity]',
      'metadata[*]',
      'proration_behavior',
      'proration_date',
      'payment_behavior',
      'cancel_at_period_end',
      EXPAND,
    ],
    do: (b, p, id) => b.updateSubscription(id, p, expands(p)),
  },
  {
    method: 'DELETE',
    path: /^subscriptions\/(\w+)$/,
    takes: ['invoice_now', 'prorate', EXPAND],
    do: (b, _, id) => b.cancel(id),
  },
  {
    method: 'GET',
    path: /^invoices$/,
    takes: ['customer', 'status', 'subscription', ...PAGE],
    do: (b, p) => page(p, b.invoicesOf(p)),
  },
  {
    method: 'POST',
    path: /^invoices\/create_preview$/,
    takes: [
      'customer',
      'subscription',
      `${preview('items')}[][id]`,
      `${preview('items')}[][price]`,
      `${preview('items')}[][quantity]`,
      preview('proration_behavior'),
      preview('proration_date'),
      EXPAND,
    ],
    do: (b, p) => b.preview(p),
  },
  {
    method: 'GET',
    path: /^invoices\/(\w+)$/,
    takes: [EXPAND],
    do: (b, p, id) => b.invoice(id, expands(p)),
  },
  {
    method: 'POST',
    path: /^invoices\/(\w+)\/pay$/,
    takes: ['payment_method', 'off_session', EXPAND],
    do: (b, p, id) => b.pay(id, p),
  },
  {
    method: 'POST',
    path: /^invoices\/(\w+)\/void$/,
    takes: [EXPAND],
    do: (b, _, id) => b.voidInvoice(id),
  },
]

const plainKey = (key: string) => key.replace(/\[\d+\]/g, '[]').replace(/^expand\[\]$/, EXPAND)
const isAllowed = (key: string, takes: string[]) =>
  takes.some((t) =>
    t.endsWith('[*]') ? key.startsWith(t.slice(0, -2)) && /\[\w+\]$/.test(key) : t === key,
  )
const expands = (p: Params) =>
  Object.entries(p).flatMap(([key, value]) => (plainKey(key) === EXPAND ? [value] : []))

function page(p: Params, all: { id: string }[]) {
  const limit = Number(p.limit ?? 10)
  if (!(limit >= 1 && limit <= 100)) throw new Refused(400, { message: 'Invalid limit' })
  const from = p.starting_after ? all.findIndex((o) => o.id === p.starting_after) + 1 : 0
  if (p.starting_after && from === 0)
    throw new Refused(404, { code: 'resource_missing', message: 'No such object' })
  return {
    object: 'list',
    url: '/v1/list',
    data: all.slice(from, from + limit),
    has_more: all.length > from + limit,
  }
}

/** The parts of Stripe's documented HTTP API that are used here. Rejects anything else. */
export async function stripeStandIn() {
  const b = billing()
  const calls: Call[] = []
  const hanging: http.ServerResponse[] = []
  const late: { call: Call; arrive: () => void }[] = []
  const replies = new Map<string, { fingerprint: string; status: number; body: string }>()
  const state: { fault: (call: Call) => Fault; webhook: string | undefined } = {
    fault: () => undefined,
    webhook: undefined,
  }

  const answer = (call: Call, headers: http.IncomingHttpHeaders) => {
    const route = ROUTES.find((r) => r.method === call.method && r.path.test(call.path))
    if (!route)
      throw new Refused(404, { message: `Unrecognized request URL (${call.method} ${call.path})` })
    const key = headers.authorization?.replace(/^Bearer /, '') ?? call.params.key
    if (key !== SECRET_KEY && !(route.published && key === PUBLISHABLE_KEY))
      throw new Refused(401, { message: 'Invalid API Key provided' })
    if (key === SECRET_KEY && headers['stripe-version'] !== VERSION)
      throw new Refused(400, {
        message: `Invalid Stripe API version: ${headers['stripe-version']}`,
      })
    for (const param of Object.keys(call.params))
      if (!isAllowed(plainKey(param), route.takes))
        throw new Refused(400, {
          code: 'parameter_unknown',
          message: `Received unknown parameter: ${param}`,
          param,
        })
    return route.do(b, call.params, route.path.exec(call.path)![1] ?? '')
  }

  function respond(call: Call, headers: http.IncomingHttpHeaders) {
    const key = call.method === 'POST' ? (headers['idempotency-key'] as string) : undefined
    const fingerprint = JSON.stringify([call.path, call.params])
    const earlier = key ? replies.get(key) : undefined
    if (earlier) {
      if (earlier.fingerprint === fingerprint) return { ...earlier, replayed: true }
      const message =
        'Keys for idempotent requests can only be used with the same parameters they were first used with.'
      const error = { type: 'idempotency_error', message }
      return { status: 400, body: JSON.stringify({ error }) }
    }
    let status = 200
    let body: string
    let kept = true
    try {
      body = JSON.stringify(answer(call, headers))
    } catch (e) {
      if (!(e instanceof Refused)) throw e
      status = e.status
      // requests rejected before processing may be repeated with the same idempotency key
      kept = status === 402
      body = JSON.stringify({ error: e.error })
    }
    if (key && kept) replies.set(key, { fingerprint, status, body })
    return { status, body }
  }

  const server = http.createServer(async (request, reply) => {
    const url = new URL(request.url!, 'http://stripe')
    let text = ''
    for await (const chunk of request) text += chunk
    const fail = (status: number, message: string) =>
      reply
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { type: 'invalid_request_error', message } }))
    const path = /^\/v1\/(.+)$/.exec(url.pathname)?.[1]
    if (!path) return fail(404, 'Unrecognized request URL')
    const type = request.headers['content-type'] ?? ''
    if (request.method === 'POST' && text && !type.startsWith('application/x-www-form-urlencoded'))
      return fail(400, 'Invalid request: the body is no form')
    const params = Object.fromEntries([...url.searchParams, ...new URLSearchParams(text)])
    const call: Call = { method: request.method!, path, params }
    calls.push(call)
    const fault = state.fault(call)
    if (fault === 'before') return request.socket.destroy()
    if (fault === 'hang before') return void hanging.push(reply)
    if (fault === 'late') {
      late.push({ call, arrive: () => respond(call, request.headers) })
      return request.socket.destroy()
    }
    const { status, body, ...more } = respond(call, request.headers)
    const same = (other: Call) => other.method === call.method && other.path === call.path
    if (late.some((l) => same(l.call))) for (const { arrive } of late.splice(0)) arrive()
    void deliver()
    if (fault === 'after') return request.socket.destroy()
    if (fault === 'hang after') return void hanging.push(reply)
    reply
      .writeHead(status, {
        'content-type': 'application/json',
        'request-id': `req_${randomUUID().slice(0, 14)}`,
        ...('replayed' in more && { 'idempotent-replayed': 'true' }),
      })
      .end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  /** A webhook event, signed independently of the SDK. */
  const signed = (event: unknown, { secret = WEBHOOK_SECRET, at = Date.now() } = {}) => {
    const payload = JSON.stringify(event)
    const t = Math.floor(at / 1000)
    const v1 = createHmac('sha256', secret).update(`${t}.${payload}`).digest('hex')
    return { payload, header: `t=${t},v1=${v1}` }
  }

  let delivered = 0
  let delivering: Promise<void> = Promise.resolve()
  /** Delivers events in order, each once, without retries. */
  function deliver() {
    delivering = delivering.then(async () => {
      while (state.webhook && delivered < b.events.length) {
        const { payload, header } = signed(b.events[delivered++])
        await fetch(state.webhook, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'stripe-signature': header },
          body: payload,
        }).catch(() => undefined)
      }
    })
    return delivering
  }

  return {
    url,
    /** The settings for the server under test. */
    environment: {
      ENABLE_HOSTED_SYSTEM: '1',
      STRIPE_API_KEY: SECRET_KEY,
      STRIPE_BASE_URL: url,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_PUBLISHABLE_KEY: PUBLISHABLE_KEY,
    },
    calls,
    billing: b,
    signed,
    /** The URL for events; undefined to send none. */
    sendEventsTo(webhook: string | undefined) {
      state.webhook = webhook
    },
    deliver,
    fault(fault: (call: Call) => Fault = () => undefined) {
      state.fault = fault
    },
    /** Closes connections that wait for a response that never comes. */
    wake() {
      const error = { type: 'invalid_request_error', message: 'Too late' }
      for (const reply of hanging.splice(0))
        reply.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
    },
    /** The user completes or fails the bank's authentication. */
    authenticate(payment_intent: string, confirmed: boolean) {
      b.authenticate(payment_intent, confirmed)
      void deliver()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
export type StripeStandIn = Awaited<ReturnType<typeof stripeStandIn>>
