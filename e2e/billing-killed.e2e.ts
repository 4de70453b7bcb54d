import { expect, it } from 'vitest'
import { stripeStandIn } from '../packages/server/test/stand-ins/stripe.ts'
import { report } from '../packages/server/test/trust.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, startSwitchroom } from './harness.ts'

type Call = { method: string; path: string; params: Record<string, string> }
type Sid = { sid: string }
type Stripe = Awaited<ReturnType<typeof stripeStandIn>>

const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'
/** How many Stripe calls an upgrade makes, from creating the customer to reading the result. */
const STEPS = 8

/** The account whose upgrade a call belongs to. */
function accountOf({ billing }: Stripe, { path, params }: Call) {
  if (path === 'customers') return params['metadata[account_sid]']
  const customer = params.customer ?? /^customers\/(\w+)$/.exec(path)?.[1] ?? ''
  return billing.customers.get(customer)?.metadata.account_sid
}

it.each(databasesFor('billing-killed'))(
  'charges nobody twice when the server is killed at every step of an upgrade (%s)',
  async (database) => {
    const stripe = await stripeStandIn()
    const { billing } = stripe
    const product = (category: string) =>
      billing.addProduct(category, category, {
        metadata: { jambonz_category: category, availability: 'general' },
      })
    const price_id = billing.addPrice(product('voice_call_session'), { unit_amount: 1000 })
    billing.addPrice(product('device'), { unit_amount: 50 })
    const server = await startSwitchroom(database, stripe.environment)
    const token = await fetchToken(server.url)
    const callAs = <T>(as: string, method: string, path: string, body?: unknown) =>
      api<T>(server.url, as, method, path, body)

    // one customer for each step, killed before and after Stripe handles it
    const hangPoints = new Map<string, { step: number; how: 'hang before' | 'hang after' }>()
    const keys = new Map<string, string>()
    for (let step = 1; step <= STEPS; step++)
      for (const how of ['hang before', 'hang after'] as const) {
        const account = { name: `step ${step} ${how}`, service_provider_sid: SP }
        const { sid } = await callAs<Sid>(token, 'POST', '/Accounts', account)
        const key = await callAs<{ token: string }>(token, 'POST', '/ApiKeys', { account_sid: sid })
        hangPoints.set(sid, { step, how })
        keys.set(sid, key.token)
      }
    const [first] = keys.values()
    const prices = await callAs<{ product_sid: string; category: string }[]>(
      first!,
      'GET',
      '/Prices',
    )
    const { product_sid } = prices.find((p) => p.category === 'voice_call_session')!
    const upgrade = (key: string) =>
      callAs<{ status: string }>(key, 'POST', '/Subscriptions', {
        action: 'upgrade-to-paid',
        payment_method_id: 'pm_card_visa',
        products: [{ price_id, product_sid, quantity: 5 }],
      })

    const counts = new Map<string, number>()
    let hanging = 0
    stripe.fault((c) => {
      const sid = accountOf(stripe, c)
      const where = sid && hangPoints.get(sid)
      if (!sid || !where) return undefined
      const n = (counts.get(sid) ?? 0) + 1
      counts.set(sid, n)
      if (n === where.step) hanging++
      return n >= where.step ? where.how : undefined
    })
    const requests = [...keys.values()].map((key) => upgrade(key).catch(() => undefined))
    await expect.poll(() => hanging, { timeout: 60_000 }).toBe(hangPoints.size)
    await server.kill('SIGKILL')
    await Promise.all(requests)
    stripe.fault()
    const chargesBefore = billing.charges.length
    expect(chargesBefore).toBeGreaterThan(STEPS / 2)
    expect(chargesBefore).toBeLessThan(hangPoints.size)

    // 90 seconds later, when every lease has expired
    await server.start(90_000)
    const plans = async () => {
      const all = await callAs<{ account_sid: string; plan_type: string }[]>(
        token,
        'GET',
        '/Accounts',
      )
      return new Map(all.map((a) => [a.account_sid, a.plan_type]))
    }
    const payingAccounts = () =>
      [...billing.subscriptions.values()]
        .filter((s) => s.status === 'active')
        .map((s) => s.metadata.account_sid!)
    await expect
      .poll(
        async () => {
          const now = await plans()
          return [...hangPoints.keys()].filter((sid) => now.get(sid) === 'paid').sort()
        },
        { timeout: 120_000, interval: 300 },
      )
      .toEqual(payingAccounts().sort())
    expect(billing.charges).toHaveLength(chargesBefore)
    report({
      part: 'kill -9 at every step of an upgrade',
      tried: hangPoints.size,
      found: { charged: chargesBefore },
      database,
    })

    // accounts that were not charged can upgrade, at once or when the first attempt has failed
    const unpaid = [...keys].filter(([sid]) => !payingAccounts().includes(sid))
    await Promise.all(
      unpaid.map(([sid, key]) =>
        expect
          .poll(() => upgrade(key).then(({ status }) => status, String), {
            timeout: 180_000,
            interval: 500,
            message: JSON.stringify(hangPoints.get(sid)),
          })
          .toBe('success'),
      ),
    )
    const each = [...hangPoints.keys()].map(
      (sid) =>
        billing.charges.filter(
          (c) => billing.customers.get(c.customer)!.metadata.account_sid === sid,
        ).length,
    )
    expect(each).toEqual(each.map(() => 1))
    const now = await plans()
    expect([...hangPoints.keys()].map((sid) => now.get(sid))).toEqual(each.map(() => 'paid'))
    await server.stop()
    await stripe.close()
  },
)
