import { randomBytes } from 'node:crypto'

/** Form keys, such as `items[0][price]`. */
export type Params = Record<string, string>

/** An error in the API's format. */
export class Refused extends Error {
  status: number
  error: Record<string, unknown>
  constructor(status: number, error: Record<string, unknown> & { message: string }) {
    super(error.message)
    this.status = status
    this.error = { type: status === 402 ? 'card_error' : 'invalid_request_error', ...error }
  }
}

type Thing = { id: string } & Record<string, unknown>
type Tier = { up_to: number | null; flat_amount: number | null; unit_amount: number | null }
type PriceRow = {
  id: string
  product: string
  active: boolean
  currency: string
  unit_amount: number | null
  tiers?: Tier[]
  tiers_mode?: 'volume' | 'graduated'
}
type Item = { id: string; price: string; quantity: number; metadata: Record<string, string> }
type Sub = {
  id: string
  customer: string
  status: string
  items: Item[]
  metadata: Record<string, string>
  period: { start: number; end: number }
  created: number
  cancel_at_period_end: boolean
  latest_invoice: string
  pending: { items: Item[]; expires_at: number } | null
}
type Line = { amount: number; proration: boolean; price: string; quantity: number }
type Invoice = {
  id: string
  customer: string
  subscription: string
  status: 'open' | 'paid' | 'void'
  total: number
  due: number
  currency: string
  created: number
  billing_reason: string
  lines: Line[]
  intent: string | null
}
type Intent = {
  id: string
  invoice: string
  customer: string
  amount: number
  currency: string
  status: 'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled'
  last_payment_error: Record<string, unknown> | null
  payment_method: string | null
}
type Card = { number: string; exp_month: number; exp_year: number }
type Method = { id: string; customer: string | null; card: Card }
type Customer = {
  id: string
  email: string | null
  name: string | null
  balance: number
  metadata: Record<string, string>
  default_payment_method: string | null
  deleted?: true
}

const MONTH = 30 * 86_400

/** Stripe's documented test card numbers. */
export const CARDS = {
  good: '4242424242424242',
  other: '5555555555554444',
  declined: '4000000000000002',
  poor: '4000000000009995',
  /** Can be saved, but charges fail. */
  uncharged: '4000000000000341',
  authenticate: '4000002760003184',
}
/** The same as Stripe's predefined payment methods. */
const READY: Record<string, string> = {
  pm_card_visa: CARDS.good,
  pm_card_mastercard: CARDS.other,
  pm_card_visa_chargeDeclined: CARDS.declined,
  pm_card_chargeCustomerFail: CARDS.uncharged,
  pm_card_authenticationRequired: CARDS.authenticate,
}
const DECLINE = { code: 'card_declined', message: 'Your card was declined.' }
const POOR = {
  code: 'card_declined',
  decline_code: 'insufficient_funds',
  message: 'Your card has insufficient funds.',
}

const newId = (kind: string) => `${kind}_${randomBytes(9).toString('hex')}`
const missing = (what: string, id: string) =>
  new Refused(404, { code: 'resource_missing', message: `No such ${what}: '${id}'` })

const members = (p: Params, prefix: string) =>
  Object.fromEntries(
    Object.entries(p).flatMap(([key, value]) => {
      const name = key.startsWith(`${prefix}[`) ? key.slice(prefix.length + 1, -1) : ''
      return name ? [[name, value]] : []
    }),
  )

function itemsIn(p: Params, prefix: string) {
  const rows: Record<string, string>[] = []
  const metadata: Record<string, string>[] = []
  for (const [key, value] of Object.entries(p)) {
    if (!key.startsWith(`${prefix}[`)) continue
    const [, index, name, more] = /^\[(\d+)\]\[(\w+)\](?:\[(\w+)\])?$/.exec(
      key.slice(prefix.length),
    )!
    const i = Number(index)
    rows[i] ??= {}
    metadata[i] ??= {}
    if (name === 'metadata') metadata[i][more!] = value
    else rows[i][name!] = value
  }
  return rows.map((row, i) => ({ ...row, metadata: metadata[i]! })) as {
    id?: string
    price?: string
    quantity?: string
    metadata: Record<string, string>
  }[]
}

/** Stripe's state: customers, cards, subscriptions and charges. Its clock can be moved. */
export function billing() {
  const customers = new Map<string, Customer>()
  const methods = new Map<string, Method>()
  const products: Thing[] = []
  const prices: PriceRow[] = []
  const subscriptions = new Map<string, Sub>()
  const invoices = new Map<string, Invoice>()
  const intents = new Map<string, Intent>()
  const events: (Thing & { type: string })[] = []
  /** The amounts that were charged, in cents. */
  const charges: { customer: string; invoice: string; amount: number }[] = []
  const clock = { ahead: 0 }
  const now = () => Math.floor(Date.now() / 1000) + clock.ahead

  const event = (type: string, object: unknown) =>
    events.push({
      id: newId('evt'),
      object: 'event',
      api_version: '2026-10-28.endive',
      created: now(),
      livemode: false,
      type,
      data: { object },
    })

  const of = <T>(map: Map<string, T>, what: string, id: string) => {
    const found = map.get(id)
    if (!found) throw missing(what, id)
    return found
  }
  const liveCustomer = (id: string) => {
    const found = of(customers, 'customer', id)
    if (found.deleted) throw missing('customer', id)
    return found
  }

  const shownMethod = ({ id, customer, card }: Method) => ({
    id,
    object: 'payment_method',
    type: 'card',
    customer,
    card: {
      brand: card.number.startsWith('5') ? 'mastercard' : 'visa',
      last4: card.number.slice(-4),
      exp_month: card.exp_month,
      exp_year: card.exp_year,
    },
  })
  const shownCustomer = (c: Customer, expand: string[] = []) => {
    if (c.deleted) return { id: c.id, object: 'customer', deleted: true }
    const method = c.default_payment_method
    const expanded = expand.includes('invoice_settings.default_payment_method') && method
    return {
      id: c.id,
      object: 'customer',
      email: c.email,
      name: c.name,
      balance: c.balance,
      metadata: c.metadata,
      invoice_settings: {
        default_payment_method: expanded ? shownMethod(methods.get(method)!) : method,
      },
    }
  }
  const shownPrice = (p: PriceRow, expand: string[] = []) => ({
    id: p.id,
    object: 'price',
    active: p.active,
    currency: p.currency,
    product: p.product,
    type: 'recurring',
    recurring: { interval: 'month', interval_count: 1, usage_type: 'licensed' },
    billing_scheme: p.tiers ? 'tiered' : 'per_unit',
    tiers_mode: p.tiers_mode ?? null,
    unit_amount: p.unit_amount,
    unit_amount_decimal: p.unit_amount === null ? null : String(p.unit_amount),
    ...(expand.includes('data.tiers') &&
      p.tiers && {
        tiers: p.tiers.map((t) => ({
          ...t,
          unit_amount_decimal: t.unit_amount === null ? null : String(t.unit_amount),
        })),
      }),
  })
  const shownItem = (item: Item, s: Sub) => ({
    id: item.id,
    object: 'subscription_item',
    quantity: item.quantity,
    metadata: item.metadata,
    price: shownPrice(prices.find((p) => p.id === item.price)!),
    subscription: s.id,
    current_period_start: s.period.start,
    current_period_end: s.period.end,
  })
  const shownIntent = (i: Intent) => ({
    id: i.id,
    object: 'payment_intent',
    amount: i.amount,
    amount_received: i.status === 'succeeded' ? i.amount : 0,
    currency: i.currency,
    customer: i.customer,
    status: i.status,
    client_secret: `${i.id}_secret_canaryclientsecret`,
    last_payment_error: i.last_payment_error,
    payment_method: i.payment_method,
    statement_descriptor: null,
    latest_charge:
      i.status === 'succeeded'
        ? { id: newId('ch'), calculated_statement_descriptor: 'SWITCHROOM TEST' }
        : null,
  })
  const shownInvoice = (i: Invoice, expand: string[] = []) => ({
    id: i.id,
    object: 'invoice',
    number: `TEST-${[...invoices.keys()].indexOf(i.id) + 1}`.padEnd(8, '0'),
    customer: i.customer,
    status: i.status,
    total: i.total,
    amount_due: i.due,
    amount_paid: i.status === 'paid' ? i.due : 0,
    currency: i.currency,
    created: i.created,
    billing_reason: i.billing_reason,
    next_payment_attempt: null,
    parent: {
      type: 'subscription_details',
      subscription_details: { subscription: i.subscription, metadata: {} },
    },
    hosted_invoice_url: `https://invoice.stripe.com/i/${i.id}`,
    invoice_pdf: `https://pay.stripe.com/invoice/${i.id}/pdf`,
    lines: { object: 'list', data: i.lines.map(shownLine), has_more: false, url: '/v1/lines' },
    ...(expand.includes('payments') && {
      payments: {
        object: 'list',
        has_more: false,
        url: '/v1/invoice_payments',
        data: i.intent
          ? [
              {
                id: `inpay_${i.intent.slice(3)}`,
                object: 'invoice_payment',
                is_default: true,
                status: i.status === 'paid' ? 'paid' : 'open',
                payment: { type: 'payment_intent', payment_intent: i.intent },
              },
            ]
          : [],
      },
    }),
  })
  const shownLine = (l: Line) => ({
    id: newId('il'),
    object: 'line_item',
    amount: l.amount,
    quantity: l.quantity,
    pricing: { type: 'price_details', price_details: { price: l.price } },
    parent: {
      type: 'subscription_item_details',
      subscription_item_details: { proration: l.proration },
    },
  })
  const below = (expand: string[], prefix: string) =>
    expand.flatMap((e) => (e.startsWith(`${prefix}.`) ? [e.slice(prefix.length + 1)] : []))
  const shownSub = (s: Sub, expand: string[] = []) => {
    const inner = below(expand, 'latest_invoice')
    const whole = expand.includes('latest_invoice') || inner.length > 0
    return {
      id: s.id,
      object: 'subscription',
      customer: s.customer,
      status: s.status,
      created: s.created,
      metadata: s.metadata,
      cancel_at_period_end: s.cancel_at_period_end,
      cancel_at: s.cancel_at_period_end ? s.period.end : null,
      collection_method: 'charge_automatically',
      billing_mode: { type: 'flexible' },
      items: {
        object: 'list',
        data: s.items.map((i) => shownItem(i, s)),
        has_more: false,
        url: '/v1/subscription_items',
      },
      pending_update: s.pending && {
        expires_at: s.pending.expires_at,
        subscription_items: s.pending.items.map((i) => shownItem(i, s)),
      },
      latest_invoice: whole
        ? shownInvoice(invoices.get(s.latest_invoice)!, inner)
        : s.latest_invoice,
    }
  }

  /** Tiered pricing as Stripe calculates it: a flat amount plus an amount per unit. */
  const costOf = (priceId: string, quantity: number) => {
    const price = prices.find((p) => p.id === priceId)!
    if (!price.tiers) return price.unit_amount! * quantity
    if (price.tiers_mode === 'graduated')
      return price.tiers.reduce((sum, t, i) => {
        const from = price.tiers![i - 1]?.up_to ?? 0
        const within = Math.min(quantity, t.up_to ?? quantity) - from
        return within > 0 ? sum + (t.flat_amount ?? 0) + (t.unit_amount ?? 0) * within : sum
      }, 0)
    if (quantity === 0) return 0
    const tier = price.tiers.find((t) => t.up_to === null || t.up_to >= quantity)!
    return (tier.flat_amount ?? 0) + (tier.unit_amount ?? 0) * quantity
  }
  const itemLines = (items: Item[]): Line[] =>
    items.map((i) => ({ ...i, amount: costOf(i.price, i.quantity), proration: false }))
  const prorations = (s: Sub, items: Item[], at: number): Line[] => {
    const left = (s.period.end - at) / (s.period.end - s.period.start)
    const part = (i: Item, sign: number) => ({
      ...i,
      amount: Math.round(sign * costOf(i.price, i.quantity) * left),
      proration: true,
    })
    const same = (i: Item) => items.some((j) => j.id === i.id && j.quantity === i.quantity)
    const was = (i: Item) => s.items.some((j) => j.id === i.id && j.quantity === i.quantity)
    return [
      ...s.items.filter((i) => !same(i)).map((i) => part(i, -1)),
      ...items.filter((i) => !was(i)).map((i) => part(i, 1)),
    ]
  }
  const sum = (lines: Line[]) => lines.reduce((all, l) => all + l.amount, 0)

  function applyPaid(invoice: Invoice) {
    invoice.status = 'paid'
    const s = subscriptions.get(invoice.subscription)!
    if (s.pending && s.latest_invoice === invoice.id) {
      s.items = s.pending.items
      s.pending = null
      event('customer.subscription.updated', shownSub(s))
    }
    if (['incomplete', 'past_due', 'unpaid'].includes(s.status)) {
      s.status = 'active'
      event('customer.subscription.updated', shownSub(s))
    }
    event('invoice.payment_succeeded', shownInvoice(invoice))
  }
  function take(intent: Intent, invoice: Invoice) {
    intent.status = 'succeeded'
    intent.last_payment_error = null
    charges.push({ customer: intent.customer, invoice: invoice.id, amount: intent.amount })
    event('payment_intent.succeeded', shownIntent(intent))
    applyPaid(invoice)
  }
  /** Charges the customer's card. */
  function attempt(invoice: Invoice, given?: string) {
    const intent = intents.get(invoice.intent!)!
    const customer = customers.get(invoice.customer)!
    const method = methods.get(given ?? customer.default_payment_method ?? '')
    if (!method)
      throw new Refused(400, {
        code: 'resource_missing',
        message:
          'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
      })
    intent.payment_method = method.id
    const refused = method.card.number === CARDS.uncharged
    if (refused) {
      intent.status = 'requires_payment_method'
      intent.last_payment_error = { type: 'card_error', ...DECLINE }
      event('invoice.payment_failed', shownInvoice(invoice))
    } else if (method.card.number === CARDS.authenticate) {
      intent.status = 'requires_action'
      event('invoice.payment_action_required', shownInvoice(invoice))
    } else take(intent, invoice)
  }
  function newInvoice(s: Sub, lines: Line[], billing_reason: string) {
    const customer = customers.get(s.customer)!
    const total = sum(lines)
    const currency = prices.find((p) => p.id === s.items[0]!.price)!.currency
    const due = Math.max(0, total + customer.balance)
    const invoice: Invoice = {
      ...{ id: newId('in'), customer: s.customer, subscription: s.id, status: 'open' },
      ...{ total, due, currency, created: now(), billing_reason, lines, intent: null },
    }
    customer.balance = Math.min(0, total + customer.balance)
    invoices.set(invoice.id, invoice)
    s.latest_invoice = invoice.id
    if (due === 0) {
      invoice.status = 'paid'
      event('invoice.payment_succeeded', shownInvoice(invoice))
      return invoice
    }
    const id = newId('pi')
    intents.set(id, {
      ...{ id, invoice: invoice.id, customer: s.customer, amount: due, currency },
      ...{ status: 'requires_payment_method', last_payment_error: null, payment_method: null },
    })
    invoice.intent = id
    return invoice
  }
  function voidOpen(invoice: Invoice) {
    if (invoice.status !== 'open')
      throw new Refused(400, { message: 'You can only pass in open invoices.' })
    invoice.status = 'void'
    const intent = invoice.intent && intents.get(invoice.intent)
    if (intent) intent.status = 'canceled'
    const s = subscriptions.get(invoice.subscription)!
    if (s.latest_invoice !== invoice.id) return
    s.pending = null
    if (s.status === 'incomplete') {
      s.status = 'incomplete_expired'
      event('customer.subscription.updated', shownSub(s))
    }
  }
  function end(s: Sub) {
    s.status = 'canceled'
    event('customer.subscription.deleted', shownSub(s))
  }
  const priced = (price: string | undefined) => {
    const found = prices.find((p) => p.id === price && p.active)
    if (!found) throw missing('price', price ?? '')
    return found.id
  }
  const counted = (quantity: string | undefined) => {
    if (!/^\d+$/.test(quantity ?? ''))
      throw new Refused(400, { code: 'parameter_invalid_integer', message: 'Invalid integer' })
    return Number(quantity)
  }
  /** The resulting items: changes applied, new ones added, the rest unchanged. */
  function changed(s: Sub, p: Params, prefix: string): Item[] {
    const items = s.items.map((i) => ({ ...i }))
    for (const row of itemsIn(p, prefix)) {
      if (!row.id) {
        const id = newId('si')
        const { metadata } = row
        items.push({ id, price: priced(row.price), quantity: counted(row.quantity), metadata })
        continue
      }
      const item = items.find((i) => i.id === row.id)
      if (!item) throw missing('subscription item', row.id)
      if (row.price) item.price = priced(row.price)
      if (row.quantity) item.quantity = counted(row.quantity)
    }
    return items
  }
  const dateIn = (s: Sub, date: string | undefined) => {
    const at = date === undefined ? now() : counted(date)
    if (at < s.period.start || at > s.period.end)
      throw new Refused(400, { message: 'Invalid proration date' })
    return at
  }

  return {
    events,
    charges,
    clock,
    customers,
    subscriptions,
    addProduct(category: string, name: string, more: Record<string, unknown> = {}) {
      const product = {
        ...{ id: newId('prod'), object: 'product', name, active: true, description: null },
        ...{ unit_label: `per ${name}`, metadata: { jambonz_category: category } },
        ...more,
      }
      products.push(product)
      return product.id
    },
    addPrice(product: string, price: Partial<PriceRow>) {
      const row = {
        ...{ id: newId('price'), product, active: true, currency: 'usd', unit_amount: null },
        ...price,
      }
      prices.push(row)
      return row.id
    },
    setPrice(id: string, change: Partial<PriceRow>) {
      Object.assign(prices.find((p) => p.id === id)!, change)
    },

    createCustomer(p: Params) {
      const customer: Customer = {
        ...{ id: newId('cus'), email: p.email ?? null, name: p.name ?? null, balance: 0 },
        ...{ metadata: members(p, 'metadata'), default_payment_method: null },
      }
      customers.set(customer.id, customer)
      return shownCustomer(customer)
    },
    customer: (id: string, expand: string[]) =>
      shownCustomer(of(customers, 'customer', id), expand),
    updateCustomer(id: string, p: Params) {
      const customer = liveCustomer(id)
      const method = p['invoice_settings[default_payment_method]']
      if (method !== undefined) {
        if (methods.get(method)?.customer !== id) throw missing('PaymentMethod', method)
        customer.default_payment_method = method
      }
      event('customer.updated', shownCustomer(customer))
      return shownCustomer(customer)
    },
    deleteCustomer(id: string) {
      const customer = liveCustomer(id)
      for (const s of subscriptions.values())
        if (s.customer === id && !['canceled', 'incomplete_expired'].includes(s.status)) end(s)
      for (const m of methods.values()) if (m.customer === id) m.customer = null
      customer.deleted = true
      event('customer.deleted', { id, object: 'customer' })
      return shownCustomer(customer)
    },
    createPaymentMethod(p: Params) {
      if (p.type !== 'card') throw new Refused(400, { message: 'Only cards here' })
      const number = p['card[number]'] ?? ''
      if (!Object.values(CARDS).includes(number))
        throw new Refused(402, {
          code: 'incorrect_number',
          message: 'Your card number is incorrect.',
        })
      const card = {
        number,
        exp_month: Number(p['card[exp_month]']),
        exp_year: Number(p['card[exp_year]']),
      }
      const method: Method = { id: newId('pm'), customer: null, card }
      methods.set(method.id, method)
      return shownMethod(method)
    },
    paymentMethod: (id: string) => shownMethod(of(methods, 'PaymentMethod', id)),
    paymentMethodsOf: (customer: string) =>
      [...methods.values()]
        .filter((m) => m.customer === liveCustomer(customer).id)
        .map(shownMethod),
    attach(id: string, customer: string) {
      liveCustomer(customer)
      const number = READY[id]
      const method: Method = number
        ? { id: newId('pm'), customer: null, card: { number, exp_month: 8, exp_year: 2031 } }
        : of(methods, 'PaymentMethod', id)
      if (method.card.number === CARDS.declined) throw new Refused(402, DECLINE)
      if (method.card.number === CARDS.poor) throw new Refused(402, POOR)
      if (method.customer && method.customer !== customer)
        throw new Refused(400, {
          message: 'The payment method you provided has already been attached to a customer.',
        })
      method.customer = customer
      methods.set(method.id, method)
      event('payment_method.attached', shownMethod(method))
      return shownMethod(method)
    },
    detach(id: string) {
      const method = of(methods, 'PaymentMethod', id)
      const customer = method.customer && customers.get(method.customer)
      if (!customer) throw new Refused(400, { message: 'The payment method is not attached' })
      if (customer.default_payment_method === id) customer.default_payment_method = null
      method.customer = null
      return shownMethod(method)
    },
    paymentIntent(id: string, p: Params) {
      const shown = shownIntent(of(intents, 'payment_intent', id))
      if (p.key && p.client_secret !== shown.client_secret) throw missing('payment_intent', id)
      return shown
    },
    products: (active?: string) =>
      products.filter((p) => active === undefined || String(p.active) === active),
    product: (id: string) => {
      const found = products.find((p) => p.id === id)
      if (!found) throw missing('product', id)
      return found
    },
    prices: (p: Params, expand: string[]) =>
      prices
        .filter(
          ({ product, active }) =>
            (!p.product || product === p.product) && (!p.active || String(active) === p.active),
        )
        .map((price) => shownPrice(price, expand)),

    createSubscription(p: Params, expand: string[]) {
      const customer = liveCustomer(p.customer ?? '')
      const rows = itemsIn(p, 'items')
      if (rows.length === 0 || rows.length > 20)
        throw new Refused(400, {
          code: 'parameter_missing',
          message: 'Missing required param: items',
        })
      const items = rows.map((row) => ({
        id: newId('si'),
        price: priced(row.price),
        quantity: counted(row.quantity ?? '1'),
        metadata: row.metadata,
      }))
      const id = newId('sub')
      const s: Sub = {
        ...{ id, customer: customer.id, status: 'incomplete', items, created: now() },
        ...{ metadata: members(p, 'metadata'), period: { start: now(), end: now() + MONTH } },
        ...{ cancel_at_period_end: false, latest_invoice: '', pending: null },
      }
      if (!customer.default_payment_method && !p.default_payment_method)
        throw new Refused(400, {
          code: 'resource_missing',
          message: 'This customer has no attached payment source or default payment method.',
        })
      subscriptions.set(id, s)
      event('customer.subscription.created', shownSub({ ...s, latest_invoice: '' }, []))
      const invoice = newInvoice(s, itemLines(items), 'subscription_create')
      if (invoice.intent) attempt(invoice, p.default_payment_method)
      else s.status = 'active'
      return shownSub(s, expand)
    },
    subscriptionsOf: (p: Params, expand: string[]) =>
      [...subscriptions.values()]
        .filter((s) => !p.customer || s.customer === p.customer)
        .filter((s) => p.status === 'all' || s.status === p.status || s.status !== 'canceled')
        .reverse()
        .map((s) =>
          shownSub(
            s,
            expand.map((e) => e.replace(/^data\./, '')),
          ),
        ),
    subscription: (id: string, expand: string[]) =>
      shownSub(of(subscriptions, 'subscription', id), expand),
    updateSubscription(id: string, p: Params, expand: string[]) {
      const s = of(subscriptions, 'subscription', id)
      if (['canceled', 'incomplete_expired'].includes(s.status)) throw missing('subscription', id)
      const pends = p.payment_behavior === 'pending_if_incomplete'
      if (pends && (p.cancel_at_period_end || Object.keys(members(p, 'metadata')).length > 0))
        throw new Refused(400, {
          message:
            'When `payment_behavior` is `pending_if_incomplete`, only some parameters may be passed.',
        })
      if (p.cancel_at_period_end !== undefined)
        s.cancel_at_period_end = p.cancel_at_period_end === 'true'
      Object.assign(s.metadata, members(p, 'metadata'))
      const items = changed(s, p, 'items')
      const lines = prorations(s, items, dateIn(s, p.proration_date))
      if (lines.length > 0) {
        if (p.proration_behavior !== 'always_invoice' || !pends)
          throw new Refused(400, { message: 'The stand-in knows always_invoice only' })
        if (s.pending) voidOpen(invoices.get(s.latest_invoice)!)
        s.pending = { items, expires_at: now() + 82_800 }
        const invoice = newInvoice(s, lines, 'subscription_update')
        if (invoice.intent) attempt(invoice)
        else {
          s.items = items
          s.pending = null
        }
      }
      event('customer.subscription.updated', shownSub(s))
      return shownSub(s, expand)
    },
    cancel(id: string) {
      const s = of(subscriptions, 'subscription', id)
      if (['canceled', 'incomplete_expired'].includes(s.status)) throw missing('subscription', id)
      end(s)
      return shownSub(s)
    },
    invoicesOf: (p: Params) =>
      [...invoices.values()]
        .filter((i) => !p.customer || i.customer === p.customer)
        .filter((i) => !p.status || i.status === p.status)
        .reverse()
        .map((i) => shownInvoice(i)),
    invoice: (id: string, expand: string[]) => shownInvoice(of(invoices, 'invoice', id), expand),
    pay(id: string, p: Params) {
      const invoice = of(invoices, 'invoice', id)
      if (invoice.status !== 'open')
        throw new Refused(400, { code: 'invoice_already_paid', message: 'Invoice is already paid' })
      attempt(invoice, p.payment_method)
      const intent = intents.get(invoice.intent!)!
      if (intent.status === 'requires_action')
        throw new Refused(402, {
          code: 'invoice_payment_intent_requires_action',
          message:
            'This payment requires additional user action before it can be completed successfully.',
        })
      if (intent.status === 'requires_payment_method') throw new Refused(402, DECLINE)
      return shownInvoice(invoice)
    },
    voidInvoice(id: string) {
      const invoice = of(invoices, 'invoice', id)
      voidOpen(invoice)
      return shownInvoice(invoice)
    },
    preview(p: Params) {
      const s = of(subscriptions, 'subscription', p.subscription ?? '')
      const nothing = new Refused(404, {
        code: 'invoice_upcoming_none',
        message: 'No upcoming invoices for customer',
      })
      if (p.customer && s.customer !== p.customer) throw nothing
      if (s.cancel_at_period_end || !['active', 'past_due'].includes(s.status)) throw nothing
      const items = changed(s, p, 'subscription_details[items]')
      const at = dateIn(s, p['subscription_details[proration_date]'])
      const lines = [...prorations(s, items, at), ...itemLines(items)]
      const balance = customers.get(s.customer)!.balance
      return {
        ...{ id: newId('upcoming_in'), object: 'invoice', customer: s.customer, status: 'draft' },
        ...{ currency: 'usd', total: sum(lines), amount_due: Math.max(0, sum(lines) + balance) },
        ...{ created: now(), next_payment_attempt: s.period.end + 3_600, period_end: s.period.end },
        lines: { object: 'list', data: lines.map(shownLine), has_more: false, url: '/v1/lines' },
      }
    },

    /** The user completes or fails the bank's authentication. */
    authenticate(id: string, confirmed: boolean) {
      const intent = of(intents, 'payment_intent', id)
      if (intent.status !== 'requires_action') return
      const invoice = invoices.get(intent.invoice)!
      if (confirmed) return take(intent, invoice)
      intent.status = 'requires_payment_method'
      intent.last_payment_error = {
        type: 'card_error',
        code: 'payment_intent_authentication_failure',
        message:
          'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
      }
      event('invoice.payment_failed', shownInvoice(invoice))
    },
    /** Advances a month: ends cancelled subscriptions, renews the rest. */
    endPeriod(id: string) {
      const s = of(subscriptions, 'subscription', id)
      clock.ahead += MONTH
      if (s.cancel_at_period_end) return end(s)
      s.period = { start: now(), end: now() + MONTH }
      const invoice = newInvoice(s, itemLines(s.items), 'subscription_cycle')
      if (!invoice.intent) return
      attempt(invoice)
      if (intents.get(invoice.intent)!.status === 'succeeded') return
      s.status = 'past_due'
      event('customer.subscription.updated', shownSub(s))
    },
    /** Advances a day: subscriptions without a first payment expire. */
    expire(id: string) {
      voidOpen(invoices.get(of(subscriptions, 'subscription', id).latest_invoice)!)
    },
  }
}
export type Billing = ReturnType<typeof billing>
