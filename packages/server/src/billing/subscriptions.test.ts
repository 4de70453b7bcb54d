import { api, MASK, PRICE_CHANGED, TOO_MANY_CARDS } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type TestBilling, testBilling } from '../../test/billing.ts'
import { SECRET_KEY, WEBHOOK_SECRET } from '../../test/stand-ins/stripe.ts'
import { CARDS } from '../../test/stand-ins/stripe-billing.ts'
import { reconcileDue } from './reconcile.ts'

let t: TestBilling
beforeEach(async () => {
  t = await testBilling()
})
afterEach(() => t.close())

const subscription = () => [...t.billing.subscriptions.values()][0]!

describe('the price list', () => {
  it('has the generally available products, sessions first', async () => {
    const prices = await t.as('a1')(api.subscriptions.prices, {})
    expect(prices.map((p) => [p.category, p.name])).toEqual([
      ['voice_call_session', 'concurrent call session'],
      ['device', 'registered device'],
    ])
    expect(prices[0]!.prices).toMatchObject([
      { billing_scheme: 'per_unit', unit_amount: 1000, currency: 'usd', tiers: null },
    ])
    expect(prices[1]!.prices[0]!.tiers).toMatchObject([{ up_to: 10 }, { up_to: null }])
  })

  it('has the account’s own offer, if there is one', async () => {
    const own = t.billing.addProduct('voice_call_session', 'for a1')
    const price = t.billing.addPrice(own, { unit_amount: 900 })
    const [sessions] = await t.as('a1')(api.subscriptions.prices, {})
    await t.db
      .insertInto('account_offers')
      .values({
        account_offer_sid: crypto.randomUUID(),
        account_sid: t.sids.a1,
        product_sid: sessions!.product_sid,
        stripe_product_id: own,
      })
      .execute()
    const of = async (who: string) =>
      (await t.as(who)(api.subscriptions.prices, {}))[0]!.prices[0]!.stripe_price_id
    expect(await of('a1')).toBe(price)
    expect(await of('a2')).toBe(t.prices.sessions)
    // and no other account gets it by naming it
    const [wish] = t.capacity(5)
    const answer = await t.upgrade('a2', 'pm_card_visa', 5, {
      products: [{ ...wish, price_id: price }],
    })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().issues).toEqual([
      { path: ['products', 0, 'price_id'], message: 'No such price' },
    ])
  })
})

describe('an upgrade', () => {
  it('is paid and takes effect immediately', async () => {
    const answer = await t.upgrade()
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({
      status: 'success',
      chargedAmount: 5000,
      currency: 'usd',
      statementDescriptor: 'SWITCHROOM TEST',
    })
    expect(t.charged()).toEqual([5000])
    const { plan_type, is_active, periods, limits } = await t.state()
    expect({ plan_type, is_active }).toEqual({ plan_type: 'paid', is_active: 1 })
    expect(periods).toMatchObject([
      { pending: 0, voice_call_session: 5, device: 0, card_type: 'visa', exp_year: 2031 },
    ])
    expect(limits).toEqual({ voice_call_session: 5, device: 25 })
    expect(t.ctx.box.open(periods[0]!.last4!)).toBe('4242')
    const { subscription, api_keys, static_ips } = await t.as('a1')(api.users.me, {})
    expect(api_keys).toMatchObject([{ token: MASK, api_key_sid: expect.any(String) }])
    expect(static_ips).toEqual([])
    expect(subscription).toMatchObject({
      status: 'active',
      last4: '4242',
      card_type: 'visa',
      statement_descriptor: 'SWITCHROOM TEST',
      products: [
        { name: 'concurrent call session', quantity: 5 },
        { name: 'registered device', quantity: 0 },
      ],
    })
  })

  it.each([
    [{ products: [] }, 'missing products'],
    [{ payment_method_id: undefined }, 'missing payment_method_id'],
    [{ action: 'gift' }, 'invalid or missing action'],
  ])('is rejected for invalid input: %j', async (without, message) => {
    const answer = await t.upgrade('a1', 'pm_card_visa', 5, without)
    expect([answer.statusCode, answer.json().msg]).toEqual([400, message])
    expect(t.charged()).toEqual([])
  })

  it.each([4, 0, 1001, 5.5, -1, '5', null])('to %j sessions is rejected', async (quantity) => {
    const answer = await t.upgrade('a1', 'pm_card_visa', quantity as number)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().issues[0].path).toEqual(['products', 0, 'quantity'])
    expect(t.stripe.calls.filter((c) => c.path === 'subscriptions')).toEqual([])
  })

  it('is rejected for 201 devices, a duplicate product or no session product', async () => {
    const [sessions, devices] = t.capacity(5, 201)
    for (const products of [
      [sessions, devices],
      [sessions, sessions],
      [{ ...devices, quantity: 1 }],
    ])
      expect((await t.upgrade('a1', 'pm_card_visa', 5, { products })).statusCode).toBe(400)
  })

  it('charges nothing when the price differs from the one shown', async () => {
    t.billing.setPrice(t.prices.sessions, { unit_amount: 1200 })
    const answer = await t.upgrade('a1', 'pm_card_visa', 5, { expected: { monthly_cost: 5000 } })
    expect([answer.statusCode, answer.json().msg]).toEqual([422, PRICE_CHANGED])
    expect(t.charged()).toEqual([])
    const again = await t.upgrade('a1', 'pm_card_visa', 5, { expected: { monthly_cost: 6000 } })
    expect(again.json()).toMatchObject({ status: 'success', chargedAmount: 6000 })
  })

  it('reports why the card was declined, and accepts another card', async () => {
    const answer = await t.upgrade('a1', 'pm_card_visa_chargeDeclined')
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({
      status: 'card error',
      reason: 'Your card was declined.',
    })
    expect((await t.state()).plan_type).toBe('trial')
    expect((await t.upgrade()).json().status).toBe('success')
    expect(t.charged()).toEqual([5000])
    expect((await t.state()).periods).toHaveLength(1)
  })

  it('is completed with another card after a declined payment', async () => {
    const answer = await t.upgrade('a1', 'pm_card_chargeCustomerFail')
    expect(answer.json()).toMatchObject({
      status: 'card error',
      reason: 'Your card was declined.',
      client_secret: expect.stringContaining('_secret_'),
    })
    expect((await t.state()).plan_type).toBe('trial')
    const change = { action: 'update-payment-method', payment_method_id: 'pm_card_mastercard' }
    const paid = await t.change('a1', change)
    expect([paid.statusCode, paid.json()]).toEqual([200, { status: 'success' }])
    expect(t.charged()).toEqual([5000])
    expect(await t.state()).toMatchObject({
      plan_type: 'paid',
      periods: [{ pending: 0, card_type: 'mastercard', voice_call_session: 5 }],
    })
  })

  it('waits for 3-D Secure, and starts when that is confirmed', async () => {
    const answer = (await t.upgrade('a1', 'pm_card_authenticationRequired')).json()
    expect(answer).toMatchObject({ status: 'action required', client_secret: expect.any(String) })
    expect(await t.state()).toMatchObject({ plan_type: 'trial', periods: [{ pending: 1 }] })
    t.stripe.authenticate(answer.client_secret.split('_secret_')[0], true)
    await t.tell(t.billing.events.at(-1))
    expect(await t.state()).toMatchObject({
      plan_type: 'paid',
      periods: [{ pending: 0, voice_call_session: 5 }],
    })
    expect(t.charged()).toEqual([5000])
  })

  it('is continued after an abandoned 3-D Secure check', async () => {
    const { client_secret } = (await t.upgrade('a1', 'pm_card_authenticationRequired')).json()
    const finish = () => t.change('a1', { action: 'finish-payment' })
    const answer = await finish()
    expect([answer.statusCode, answer.json()]).toMatchObject([
      200,
      { status: 'action required', client_secret },
    ])
    // no event arrives, but the page polls
    t.stripe.authenticate(client_secret.split('_secret_')[0], true)
    expect((await finish()).json()).toMatchObject({ status: 'success', chargedAmount: 5000 })
    expect((await t.state()).plan_type).toBe('paid')
  })

  it('reports a failed 3-D Secure check, and can be restarted with other quantities', async () => {
    const answer = (await t.upgrade('a1', 'pm_card_authenticationRequired')).json()
    t.stripe.authenticate(answer.client_secret.split('_secret_')[0], false)
    await t.tell(t.billing.events.at(-1))
    const { subscription } = await t.as('a1')(api.users.me, {})
    expect(subscription).toMatchObject({
      products: [],
      payment_problem: expect.stringContaining('unable to authenticate'),
    })
    expect((await t.upgrade('a1', 'pm_card_visa', 7)).json()).toMatchObject({
      status: 'success',
      chargedAmount: 7000,
    })
    expect(t.charged()).toEqual([7000])
    expect([...t.billing.subscriptions.values()].map((s) => s.status)).toEqual([
      'incomplete_expired',
      'active',
    ])
  })

  it('is rejected for an account with a paid plan', async () => {
    await t.upgrade()
    const again = await t.upgrade()
    expect(again.statusCode).toBe(422)
    expect(t.charged()).toEqual([5000])
  })

  it('is paid once when submitted twice', async () => {
    const answers = await Promise.all([t.upgrade(), t.upgrade(), t.upgrade()])
    const statuses = answers.map((a) => a.statusCode).sort()
    expect(statuses).toEqual([201, 422, 422])
    expect(t.charged()).toEqual([5000])
  })
})

describe('a change of quantities', () => {
  beforeEach(async () => {
    await t.upgrade()
  })
  const quantities = (sessions: number, devices: number, more: object = {}) =>
    t.change('a1', {
      action: 'update-quantities',
      products: t.capacity(sessions, devices),
      ...more,
    })

  it('costs what the preview showed', async () => {
    const preview = await quantities(8, 10, { dry_run: true })
    expect(preview.statusCode).toBe(201)
    const shown = preview.json()
    expect(shown).toMatchObject({ currency: 'usd', monthly_cost: 8500 })
    expect(shown.prorated_cost).toBeGreaterThan(3400)
    expect(shown.next_invoice_date).toMatch(/^\w{3} \w{3} \d\d \d{4}$/)
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      vi.stubEnv('TZ', zone)
      const elsewhere = (await quantities(8, 10, { dry_run: true })).json()
      vi.unstubAllEnvs()
      expect(elsewhere.next_invoice_date, zone).toBe(shown.next_invoice_date)
    }
    expect(await t.state()).toMatchObject({ periods: [{ voice_call_session: 5 }] })
    const { monthly_cost, prorated_cost, proration_date } = shown
    const expected = { monthly_cost, prorated_cost, proration_date }
    const answer = await quantities(8, 10, { expected })
    expect([answer.statusCode, answer.json()]).toEqual([201, { status: 'success' }])
    expect(t.charged()).toEqual([5000, prorated_cost])
    expect(await t.state()).toMatchObject({
      periods: [{ voice_call_session: 8, device: 10, pending: 0 }],
      limits: { voice_call_session: 8, device: 90 },
    })
    const ended = await t.db
      .selectFrom('account_subscriptions')
      .select('change_reason')
      .where('effective_end_date', 'is not', null)
      .execute()
    expect(ended).toEqual([{ change_reason: 'change plan details' }])
  })

  it('is not applied on top of another user’s change', async () => {
    const { monthly_cost, prorated_cost, proration_date } = (
      await quantities(8, 0, { dry_run: true })
    ).json()
    await quantities(20, 0)
    const expected = { monthly_cost, prorated_cost, proration_date }
    const answer = await quantities(8, 0, { expected })
    expect([answer.statusCode, answer.json().msg]).toEqual([422, PRICE_CHANGED])
    expect(await t.state()).toMatchObject({ periods: [{ voice_call_session: 20 }] })
  })

  it.each([
    ['long past', -3_600],
    ['to come', 20 * 86_400],
  ])('does not prorate from a time %s', async (_, seconds) => {
    const { monthly_cost, proration_date } = (await quantities(8, 0, { dry_run: true })).json()
    const expected = { monthly_cost, proration_date: proration_date + seconds }
    const answer = await quantities(8, 0, { expected })
    expect([answer.statusCode, answer.json().msg]).toEqual([422, PRICE_CHANGED])
    expect(t.charged()).toEqual([5000])
  })

  it('becomes a credit when quantities decrease', async () => {
    await quantities(10, 0)
    const { prorated_cost } = (await quantities(6, 0, { dry_run: true })).json()
    expect(prorated_cost).toBeLessThan(0)
    const before = t.charged()
    expect((await quantities(6, 0)).json()).toEqual({ status: 'success' })
    expect(t.charged()).toEqual(before)
    expect([...t.billing.customers.values()][0]!.balance).toBeLessThan(0)
    expect(await t.state()).toMatchObject({ periods: [{ voice_call_session: 6 }] })
  })

  it('costs nothing when nothing changes', async () => {
    expect((await quantities(5, 0)).json()).toEqual({ status: 'success' })
    expect(t.charged()).toEqual([5000])
  })

  it('takes effect only when it is paid', async () => {
    const card = (payment_method_id: string) =>
      t.change('a1', { action: 'update-payment-method', payment_method_id })
    await card('pm_card_chargeCustomerFail')
    const answer = await quantities(8, 0)
    expect([answer.statusCode, answer.json()]).toEqual([
      201,
      { status: 'failed', reason: 'payment required' },
    ])
    expect(await t.state()).toMatchObject({ periods: [{ voice_call_session: 5 }] })
    const { subscription } = await t.as('a1')(api.users.me, {})
    expect(subscription!.payment_problem).toBe('Your card was declined.')
    expect((await card('pm_card_visa')).json()).toEqual({ status: 'success' })
    expect(await t.state()).toMatchObject({ periods: [{ voice_call_session: 8 }] })
    expect((await t.as('a1')(api.users.me, {})).subscription!.payment_problem).toBeUndefined()
  })

  it('takes effect when 3-D Secure is confirmed', async () => {
    await t.change('a1', {
      action: 'update-payment-method',
      payment_method_id: 'pm_card_authenticationRequired',
    })
    const answer = (await quantities(8, 0)).json()
    expect(answer.status).toBe('action required')
    t.stripe.authenticate(answer.client_secret.split('_secret_')[0], true)
    await t.tell(t.billing.events.at(-1))
    expect(await t.state()).toMatchObject({ periods: [{ voice_call_session: 8 }] })
  })

  it('is rejected for an account without a paid plan', async () => {
    const answer = await t.change('a2', { action: 'update-quantities', products: t.capacity(8) })
    expect(answer.statusCode).toBe(400)
  })
})

describe('a card', () => {
  it('is replaced, and the old one removed', async () => {
    await t.upgrade()
    const answer = await t.change('a1', {
      action: 'update-payment-method',
      payment_method_id: 'pm_card_mastercard',
    })
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'success' }])
    const { stripe_customer_id, periods } = await t.state()
    expect(periods).toMatchObject([{ card_type: 'mastercard' }])
    expect(t.ctx.box.open(periods[0]!.last4!)).toBe('4444')
    expect(t.billing.paymentMethodsOf(stripe_customer_id!)).toHaveLength(1)
  })

  it('stays when the new one is declined', async () => {
    await t.upgrade()
    const answer = await t.change('a1', {
      action: 'update-payment-method',
      payment_method_id: 'pm_card_visa_chargeDeclined',
    })
    expect(answer.json()).toEqual({ status: 'card error', reason: 'Your card was declined.' })
    expect((await t.state()).periods).toMatchObject([{ card_type: 'visa' }])
  })

  it('needs a customer', async () => {
    const answer = await t.change('a1', {
      action: 'update-payment-method',
      payment_method_id: 'pm_card_visa',
    })
    expect([answer.statusCode, answer.json().msg]).toEqual([
      400,
      `Account ${t.sids.a1} is not provisioned in Stripe`,
    ])
  })

  it('that is declined suspends the service until another one pays', async () => {
    await t.upgrade()
    await t.change('a1', {
      action: 'update-payment-method',
      payment_method_id: 'pm_card_chargeCustomerFail',
    })
    t.billing.endPeriod(subscription().id)
    await t.tell(t.billing.events.at(-1))
    const suspended = await t.state()
    expect(suspended.periods).toMatchObject([{ pending: 1, pending_reason: 'payment failed' }])
    expect(suspended.limits).toEqual({})
    const me = await t.as('a1')(api.users.me, {})
    expect(me.subscription).toMatchObject({
      status: 'suspended',
      payment_problem: 'Your card was declined.',
    })
    await t.change('a1', {
      action: 'update-payment-method',
      payment_method_id: 'pm_card_visa',
    })
    expect(await t.state()).toMatchObject({
      periods: [{ pending: 0, pending_reason: null }],
      limits: { voice_call_session: 5 },
    })
    expect(t.charged()).toEqual([5000, 5000])
  })
})

it('limits card attempts to twenty an hour', async () => {
  const tries = []
  for (let i = 0; i < 21; i++)
    tries.push((await t.upgrade('a1', 'pm_card_visa_chargeDeclined')).statusCode)
  expect(tries.slice(0, 20)).toEqual(tries.slice(0, 20).map(() => 201))
  const answer = await t.upgrade()
  expect([answer.statusCode, answer.json().msg]).toEqual([429, TOO_MANY_CARDS])
  expect((await t.upgrade('a2')).statusCode).toBe(201)
})

it('limits changes of the card as well', async () => {
  await t.upgrade()
  const change = async () =>
    (
      await t.change('a1', {
        action: 'update-payment-method',
        payment_method_id: 'pm_card_visa_chargeDeclined',
      })
    ).statusCode
  const tries = []
  for (let i = 0; i < 20; i++) tries.push(await change())
  expect(tries).toContain(429)
  expect(tries[0]).not.toBe(429)
})

describe('a downgrade', () => {
  const downgrade = () => t.change('a1', { action: 'downgrade-to-free' })

  it('takes effect when the period ends', async () => {
    await t.upgrade()
    const answer = await downgrade()
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'success' }])
    expect(await t.state()).toMatchObject({
      plan_type: 'paid',
      periods: [{ voice_call_session: 5 }],
    })
    const me = await t.as('a1')(api.users.me, {})
    expect(Date.parse(me.subscription!.ends_at!)).toBeGreaterThan(Date.now())
    expect((await t.request('a1', 'GET', '/Invoices')).statusCode).toBe(404)
    t.billing.endPeriod(subscription().id)
    await t.tell(t.billing.events.at(-1))
    expect(await t.state()).toMatchObject({
      plan_type: 'free',
      is_active: 1,
      periods: [{ voice_call_session: 1, device: 1, stripe_subscription_id: null }],
      limits: { voice_call_session: 1, device: 1 },
    })
    expect(t.charged()).toEqual([5000])
  })

  it('takes effect without an event', async () => {
    await t.upgrade()
    await downgrade()
    t.billing.endPeriod(subscription().id)
    await reconcileDue(t.ctx, Date.now() + 31 * 86_400_000)
    expect((await t.state()).plan_type).toBe('free')
  })

  it('can be undone', async () => {
    await t.upgrade()
    await downgrade()
    const answer = await t.change('a1', { action: 'keep-paid-plan' })
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'success' }])
    expect((await t.as('a1')(api.users.me, {})).subscription!.ends_at).toBeUndefined()
    t.billing.endPeriod(subscription().id)
    expect(t.charged()).toEqual([5000, 5000])
  })

  it('of a trial takes effect immediately', async () => {
    await downgrade()
    expect(await t.state()).toMatchObject({ plan_type: 'free', periods: [{ device: 1 }] })
  })
})

describe('invoices', () => {
  it('are the upcoming and the issued ones of this account', async () => {
    const asked = t.stripe.calls.length
    for (const who of ['a1', 'b1']) {
      expect((await t.request(who, 'GET', '/Invoices')).statusCode).toBe(404)
      expect((await t.request(who, 'GET', '/Subscriptions')).statusCode).toBe(404)
    }
    expect(t.stripe.calls).toHaveLength(asked)
    await t.upgrade()
    await t.upgrade('b1', 'pm_card_visa', 6)
    const next = await t.as('a1')(api.subscriptions.upcomingInvoice, {})
    expect(next).toMatchObject({ currency: 'usd', total: 5000 })
    expect(next.next_payment_attempt).toBeGreaterThan(Date.now() / 1000)
    const past = await t.as('a1')(api.subscriptions.pastInvoices, { query: {} })
    expect(past).toMatchObject({ has_more: false, data: [{ status: 'paid', amount_paid: 5000 }] })
    expect(await t.as('a1')(api.subscriptions.view, {})).toMatchObject({
      status: 'active',
      latest_invoice: { amount_paid: 5000 },
    })
    expect(await t.as('b1')(api.subscriptions.upcomingInvoice, {})).toMatchObject({ total: 6000 })
  })

  it('are missing for a customer without a plan, whatever others have', async () => {
    await t.upgrade()
    expect((await t.request('a2', 'GET', '/Invoices')).statusCode).toBe(404)
    await t.as('a2')(api.subscriptions.customer, {})
    expect((await t.request('a2', 'GET', '/Invoices')).statusCode).toBe(404)
    const { data } = await t.as('a2')(api.subscriptions.pastInvoices, { query: {} })
    expect(data).toEqual([])
  })

  it('are missing once Stripe has deleted the subscription', async () => {
    await t.upgrade()
    t.billing.subscriptions.clear()
    expect((await t.request('a1', 'GET', '/Subscriptions')).statusCode).toBe(404)
    const finish = await t.change('a2', { action: 'finish-payment' })
    expect([finish.statusCode, finish.json().msg]).toEqual([404, 'Not Found'])
  })
})

describe('the customer', () => {
  it('is created once, and removed when nothing is paid', async () => {
    const first = await t.as('a1')(api.subscriptions.customer, {})
    expect(await t.as('a1')(api.subscriptions.customer, {})).toEqual(first)
    expect(t.billing.customers.size).toBe(1)
    expect([...t.billing.customers.values()][0]).toMatchObject({
      email: 'a1@example.com',
      metadata: { account_sid: t.sids.a1 },
    })
    expect((await t.request('a1', 'DELETE', '/StripeCustomerId')).statusCode).toBe(204)
    expect((await t.request('a1', 'DELETE', '/StripeCustomerId')).statusCode).toBe(404)
    await t.upgrade()
    expect((await t.request('a1', 'DELETE', '/StripeCustomerId')).statusCode).toBe(422)
    expect(t.charged()).toEqual([5000])
  })
})

describe('access', () => {
  it('view-only users change nothing', async () => {
    for (const body of [{ action: 'downgrade-to-free' }, { action: 'update-quantities' }])
      expect((await t.change('a1-viewer', body)).statusCode).toBe(403)
    expect((await t.request('a1-viewer', 'GET', '/StripeCustomerId')).statusCode).toBe(404)
    expect(t.billing.customers.size).toBe(0)
  })

  it('changes are in the audit log, without the card', async () => {
    await t.upgrade()
    const log = await t.request('a1', 'GET', '/AuditLog?kind=subscription')
    expect(log.json()).toMatchObject([
      {
        actor: 'Payment provider',
        before: { plan_type: 'trial' },
        after: { plan_type: 'paid', voice_call_session: 5 },
      },
      { action: 'update', kind: 'subscription', account_sid: t.sids.a1, actor: 'a1' },
    ])
    expect(log.body).not.toContain('pm_')
  })

  it('Stripe keys are in no response, log or metric', async () => {
    t.stripe.fault((c) => (c.path === 'products' ? 'before' : undefined))
    const answers = [await t.request('a1', 'GET', '/Prices')]
    t.stripe.fault()
    answers.push(await t.upgrade(), await t.upgrade('a2', 'pm_card_authenticationRequired'))
    answers.push(await t.upgrade('b1', 'pm_nothing'))
    for (const path of [
      '/Subscriptions',
      '/Invoices',
      '/Users/me',
      '/StripeCustomerId',
      '/Accounts',
    ])
      answers.push(await t.request('a1', 'GET', path))
    answers.push(await t.tell({ id: 'evt_canary' }, { secret: 'whsec_wrong' }))
    answers.push(await t.app.inject('/metrics'), await t.app.inject('/config.js'))
    const seen = `${answers.map((a) => a.body).join('\n')}\n${t.lines.join('\n')}`
    expect(seen).not.toContain(SECRET_KEY)
    expect(seen).not.toContain(WEBHOOK_SECRET)
    expect(seen).not.toContain(CARDS.good)
    expect(t.lines.join('\n')).not.toContain('canaryclientsecret')
    const rows = JSON.stringify(
      await t.db.selectFrom('switchroom_billing_intents').selectAll().execute(),
    )
    expect(rows).not.toContain('canaryclientsecret')
  })
})
