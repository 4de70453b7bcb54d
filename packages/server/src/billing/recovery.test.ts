import { api, OUTCOME_UNKNOWN, STILL_PROCESSING } from '@switchroom/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestBilling, testBilling } from '../../test/billing.ts'
import { reconcile, reconcileDue, scheduleReconciles } from './reconcile.ts'

let t: TestBilling
beforeEach(async () => {
  t = await testBilling()
})
afterEach(() => t.close())

const subscription = () => [...t.billing.subscriptions.values()][0]!

describe('Stripe events', () => {
  it('are accepted only with a valid, recent signature', async () => {
    await t.upgrade()
    const event = t.billing.events.at(-1)
    expect((await t.tell(event, { secret: 'whsec_forged' })).statusCode).toBe(400)
    expect((await t.tell(event, { at: Date.now() - 3_600_000 })).statusCode).toBe(400)
    const unsigned = await t.app.inject({ method: 'POST', url: '/stripe/webhook', payload: event! })
    expect(unsigned.statusCode).toBe(400)
    const events = () => t.db.selectFrom('switchroom_billing_events').selectAll().execute()
    expect(await events()).toEqual([])
    expect((await t.tell(event)).statusCode).toBe(204)
    expect((await t.tell(event)).statusCode).toBe(204)
    expect(await events()).toHaveLength(1)
  })

  it('are accepted on both paths', async () => {
    const { payload, header } = t.stripe.signed({ id: 'evt_1', type: 'x', data: { object: {} } })
    const headers = { 'content-type': 'application/json', 'stripe-signature': header }
    for (const url of ['/stripe/webhook', '//stripe/webhook'])
      expect((await t.app.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(204)
  })

  it('may arrive late, in any order and more than once', async () => {
    const answer = (await t.upgrade('a1', 'pm_card_authenticationRequired')).json()
    t.stripe.authenticate(answer.client_secret.split('_secret_')[0], true)
    const card = { action: 'update-payment-method', payment_method_id: 'pm_card_mastercard' }
    await t.change('a1', card)
    await t.change('a1', { action: 'update-quantities', products: t.capacity(9) })
    const events = [...t.billing.events, ...t.billing.events].reverse()
    for (const event of events) await t.tell(event)
    expect(await t.state()).toMatchObject({
      plan_type: 'paid',
      periods: [{ pending: 0, voice_call_session: 9, card_type: 'mastercard' }],
    })
    expect(t.charged()).toHaveLength(2)
  })

  it('do not reactivate a deactivated account', async () => {
    await t.upgrade()
    await t.db
      .updateTable('accounts')
      .set({ is_active: 0 })
      .where('account_sid', '=', t.sids.a1)
      .execute()
    await t.tell(t.billing.events.at(-1))
    expect((await t.state()).is_active).toBe(0)
  })
})

describe('a Stripe request without a response', () => {
  it('is not repeated when Stripe has charged', async () => {
    t.stripe.fault((c) => (c.method === 'POST' && c.path === 'subscriptions' ? 'after' : undefined))
    const answer = await t.upgrade()
    expect([answer.statusCode, answer.json().msg]).toEqual([503, OUTCOME_UNKNOWN])
    expect(t.charged()).toEqual([5000])
    t.stripe.fault()
    // the person tries again
    expect((await t.upgrade()).json()).toMatchObject({ status: 'success', chargedAmount: 5000 })
    expect(t.charged()).toEqual([5000])
    expect(await t.state()).toMatchObject({ plan_type: 'paid', periods: [{ pending: 0 }] })
  })

  it('does not charge twice when it is retried while still running', async () => {
    t.stripe.fault((c) => (c.method === 'POST' && c.path === 'subscriptions' ? 'late' : undefined))
    expect((await t.upgrade()).statusCode).toBe(503)
    expect(t.charged()).toEqual([])
    t.stripe.fault()
    expect((await t.upgrade()).json()).toMatchObject({ status: 'success' })
    expect(t.charged()).toEqual([5000])
  })

  it('blocks the downgrade until its outcome is known', async () => {
    t.stripe.fault((c) =>
      c.method === 'POST' && c.path === 'subscriptions' ? 'before' : undefined,
    )
    await t.upgrade()
    t.stripe.fault()
    const answer = await t.change('a1', { action: 'downgrade-to-free' })
    expect([answer.statusCode, answer.json().msg]).toEqual([422, STILL_PROCESSING])
    // nor does another refusal mean that the first wish came to nothing
    const card = await t.change('a1', {
      action: 'update-payment-method',
      payment_method_id: 'pm_x_y',
    })
    expect([card.statusCode, card.json().msg]).toEqual([422, STILL_PROCESSING])
    expect((await t.upgrade()).json()).toMatchObject({ status: 'success' })
    expect(t.charged()).toEqual([5000])
  })

  it('is reconciled when Stripe has charged', async () => {
    t.stripe.fault((c) => (c.method === 'POST' && c.path === 'subscriptions' ? 'after' : undefined))
    await t.upgrade()
    t.stripe.fault()
    await reconcileDue(t.ctx, Date.now() + 10_000)
    expect(await t.state()).toMatchObject({ plan_type: 'paid', periods: [{ pending: 0 }] })
    expect(t.charged()).toEqual([5000])
  })

  it('does not charge later when Stripe has not charged', async () => {
    t.stripe.fault((c) =>
      c.method === 'POST' && c.path === 'subscriptions' ? 'before' : undefined,
    )
    expect((await t.upgrade()).statusCode).toBe(503)
    t.stripe.fault()
    // a call that may still be in progress is waited for
    const other = await t.upgrade('a1', 'pm_card_visa', 7)
    expect([other.statusCode, other.json().msg]).toEqual([422, STILL_PROCESSING])
    await reconcileDue(t.ctx, Date.now() + 5 * 60_000)
    expect(t.charged()).toEqual([])
    expect(await t.state()).toMatchObject({ plan_type: 'trial', periods: [] })
    expect((await t.upgrade('a1', 'pm_card_visa', 7)).json().status).toBe('success')
    expect(t.charged()).toEqual([7000])
  })

  it('is reported as unreachable when nothing is answered', async () => {
    t.stripe.fault(() => 'before')
    const answer = await t.request('a1', 'GET', '/Prices')
    expect(answer.statusCode).toBe(503)
    expect(answer.body).not.toContain('127.0.0.1')
  })
})

describe('a process that dies at any step', () => {
  /** Every call of the provider that the work makes, in order: it hangs there, before or after it was done. */
  const works = {
    'an upgrade': () => t.upgrade(),
    'a change of quantities': () =>
      t.change('a1', { action: 'update-quantities', products: t.capacity(8) }),
    'a change of the card': () =>
      t.change('a1', { action: 'update-payment-method', payment_method_id: 'pm_card_mastercard' }),
    'a downgrade': () => t.change('a1', { action: 'downgrade-to-free' }),
  }

  it.each(Object.entries(works))(
    'in %s leaves the correct state and one payment',
    async (name, work) => {
      const prepare = async () => {
        if (name !== 'an upgrade') await t.upgrade()
      }
      await prepare()
      const from = t.stripe.calls.length
      await work()
      const steps = t.stripe.calls.length - from
      const paid = t.charged().length
      expect(steps).toBeGreaterThan(3)

      for (let step = 1; step <= steps; step++)
        for (const hang of ['hang before', 'hang after'] as const) {
          await t.close()
          t = await testBilling()
          await prepare()
          let n = 0
          let reportHang: () => void = () => {}
          const hangs = new Promise<void>((resolve) => {
            reportHang = resolve
          })
          t.stripe.fault(() => {
            if (++n < step) return undefined
            reportHang()
            return n === step ? hang : 'before'
          })
          const dead = work()
          await hangs
          t.stripe.fault()

          // another process looks, when the first one's time is over and once more
          const label = `${name}, step ${step}, ${hang}`
          await reconcile(t.ctx, t.sids.a1, Date.now() + 70_000)
          await reconcile(t.ctx, t.sids.a1, Date.now() + 400_000)
          const { plan_type, periods, stripe_customer_id } = await t.state()
          const live = [...t.billing.subscriptions.values()].filter((s) => s.status === 'active')
          expect(live.length, label).toBeLessThanOrEqual(1)
          expect(plan_type, label).toBe(live[0] ? 'paid' : 'trial')
          expect(t.charged().length, label).toBeLessThanOrEqual(paid)
          if (live[0]) {
            expect(periods, label).toMatchObject([
              { pending: 0, stripe_subscription_id: live[0].id },
            ])
            const [bought] = live[0].items
            expect(periods, label).toMatchObject([{ voice_call_session: bought!.quantity }])
            const card = t.billing.customers.get(stripe_customer_id!)!.default_payment_method
            expect(periods[0]!.stripe_payment_method_id, label).toBe(card)
          } else expect(periods, label).toEqual([])
          const open = await t.db
            .selectFrom('switchroom_billing_intents')
            .select('action')
            .where('status', 'in', ['noted', 'asked'])
            .execute()
          expect(open, label).toEqual([])

          // the person tries again, and is charged once in all
          const charges = t.charged().length
          const expected =
            name === 'an upgrade' || name === 'a change of quantities' ? paid : charges
          if (charges < expected) expect((await work()).json().status, label).toBe('success')
          expect(t.charged().length, label).toBe(expected)
          expect(t.billing.customers.size, label).toBeLessThanOrEqual(1)

          // and the first process, should it still live, does nothing any longer
          const calls = t.stripe.calls.length
          t.stripe.wake()
          await dead
          expect(t.stripe.calls.length, label).toBe(calls)
          expect(t.charged().length, label).toBe(expected)
        }
    },
  )
})

describe('a deleted account', () => {
  const remove = () => t.request('admin', 'DELETE', `/Accounts/${t.sids.a1}`, {})
  const clear = () => t.db.deleteFrom('api_keys').where('account_sid', '=', t.sids.a1).execute()

  it('is not charged any more', async () => {
    await t.upgrade()
    await clear()
    expect((await remove()).statusCode).toBe(204)
    await reconcileDue(t.ctx)
    expect(subscription().status).toBe('canceled')
    expect([...t.billing.customers.values()][0]!.deleted).toBe(true)
    expect(await t.db.selectFrom('switchroom_billing_accounts').selectAll().execute()).toEqual([])
  })

  it('is not charged any more even if Stripe was unreachable', async () => {
    await t.upgrade()
    await clear()
    await remove()
    t.stripe.fault(() => 'before')
    await reconcileDue(t.ctx)
    expect(subscription().status).toBe('active')
    t.stripe.fault()
    await reconcileDue(t.ctx, Date.now() + 3_600_000)
    expect(subscription().status).toBe('canceled')
  })
})

describe('the background job', () => {
  it('moves an expired trial to the free plan', async () => {
    await t.db
      .updateTable('accounts')
      .set({ trial_end_date: '2026-01-01 00:00:00' })
      .where('account_sid', '=', t.sids.a1)
      .execute()
    await scheduleReconciles(t.ctx)
    expect(await t.state()).toMatchObject({ plan_type: 'free', periods: [{ device: 1 }] })
    expect((await t.state(t.sids.a2)).plan_type).toBe('trial')
    const { data } = await t.as('a1')(api.audit.list, { query: { page: 1 } })
    expect(data[0]).toMatchObject({
      actor: 'Switchroom',
      kind: 'subscription',
      before: { plan_type: 'trial' },
      after: { plan_type: 'free' },
    })
  })

  it('reconciles an account that another server has subscribed', async () => {
    await t.upgrade()
    await t.db.deleteFrom('switchroom_billing_accounts').execute()
    subscription().items[0]!.quantity = 12
    await scheduleReconciles(t.ctx)
    await reconcileDue(t.ctx)
    expect(await t.state()).toMatchObject({ periods: [{ voice_call_session: 12 }] })
  })
})

it('reports two subscriptions of one customer to the operator', async () => {
  await t.upgrade()
  const first = subscription()
  t.billing.subscriptions.set('sub_2', { ...first, id: 'sub_2' })
  await reconcile(t.ctx, t.sids.a1)
  expect((await t.state()).periods).toMatchObject([{ stripe_subscription_id: first.id }])
  expect(t.lines.join()).toContain('account has more than one paid subscription')
})

it('changes nothing when Stripe knows none of our customers', async () => {
  await t.upgrade()
  const before = await t.state()
  t.billing.customers.clear()
  await reconcile(t.ctx, t.sids.a1)
  expect(await t.state()).toEqual(before)
})
