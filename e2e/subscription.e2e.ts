import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { type StripeStandIn, stripeStandIn } from '../packages/server/test/stand-ins/stripe.ts'
import { CARDS } from '../packages/server/test/stand-ins/stripe-billing.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessible.ts'
import { expectNoTrouble, openPage, signIn, toast, told } from './browser.ts'
import { databasesOf } from './databases.ts'
import { api, logIn, PASSWORD, type Switchroom, startSwitchroom } from './harness.ts'
import { servePayments } from './payment-page.ts'

const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'
const PAY = /^Pay .* and Upgrade to Paid Plan$/

/** A hosted platform that sells capacity, and ann with an account on it. */
async function platform(database: 'sqlite' | 'mysql') {
  const stripe = await stripeStandIn()
  const { billing } = stripe
  const session = billing.addProduct('voice_call_session', 'concurrent call session', {
    metadata: { jambonz_category: 'voice_call_session', availability: 'general' },
    unit_label: 'per session',
  })
  billing.addPrice(session, {
    tiers_mode: 'volume',
    tiers: [
      { up_to: 10, flat_amount: 10_000, unit_amount: null },
      { up_to: null, flat_amount: null, unit_amount: 900 },
    ],
  })
  const device = billing.addProduct('device', 'registered device', {
    metadata: { jambonz_category: 'device', availability: 'general' },
    unit_label: 'per device',
  })
  billing.addPrice(device, { unit_amount: 50 })
  const server = await startSwitchroom(database, stripe.environment)
  stripe.sendEventsTo(`${server.url}/stripe/webhook`)
  const token = await logIn(server.url)
  const { sid } = await api<{ sid: string }>(server.url, token, 'POST', '/Accounts', {
    name: 'Acme East',
    sip_realm: 'acme.sip.example.com',
    service_provider_sid: SP,
  })
  const person = (name: string, more: object = {}) =>
    api(server.url, token, 'POST', '/Users', {
      name,
      email: `${name}@example.org`,
      initial_password: PASSWORD,
      force_change: 0,
      account_sid: sid,
      ...more,
    })
  await person('ann')
  await person('viewer', { is_view_only: 1 })
  const here = `${server.url}/internal/accounts/${sid}`
  return {
    stripe,
    server,
    here,
    charged: () => billing.charges.map(({ amount }: { amount: number }) => amount),
    stop: async () => {
      await server.stop()
      await stripe.close()
    },
  }
}

async function story(
  name: string,
  database: 'sqlite' | 'mysql',
  tell: (
    page: Page,
    p: { stripe: StripeStandIn; server: Switchroom; here: string; charged: () => number[] },
  ) => Promise<void>,
) {
  const p = await platform(database)
  const page = await openPage()
  try {
    await servePayments(page, p.stripe)
    await told(page, `subscription-${name}-${database}`, async () => {
      await signIn(page, p.server.url, 'ann')
      await tell(page, p)
      expectNoTrouble(page)
    })
  } finally {
    await page.context().close()
    await p.stop()
  }
}

const fields = (page: Page) => page.frameLocator('iframe[title="Secure payment input frame"]')
async function enter(page: Page, card: string) {
  await fields(page).getByLabel('Card number').fill(card)
  await fields(page).getByLabel('Expiration date').fill('08 / 31')
  await fields(page).getByLabel('Security code').fill('123')
}
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
const sessions = (page: Page) => page.getByLabel('Maximum concurrent call sessions')
const bank = (page: Page, answer: 'Complete' | 'Fail') =>
  page.frameLocator('iframe[title="3D Secure"]').getByRole('link', { name: answer })

async function subscribe(page: Page, here: string, card = CARDS.good) {
  await page.goto(`${here}/subscription`)
  await enter(page, card)
  await button(page, PAY).click()
}

it.each(databasesOf('subscription'))(
  'goes from trial to paid, and back at the end of the month (%s)',
  (database) =>
    story('paid', database, async (page, { here, charged, stripe }) => {
      await page.getByText('You are currently on the Free plan (trial period).').waitFor()
      const outside: string[] = []
      page.on('request', (r) => r.url().includes('stripe.com') && outside.push(r.url()))
      await page.goto(`${here}/edit`)
      await page.getByRole('heading', { name: 'Your Subscription' }).waitFor()
      // nothing is fetched from elsewhere before somebody pays
      expect(outside).toEqual([])
      await page.getByRole('link', { name: 'Upgrade to a Paid Subscription' }).click()
      await page.getByRole('heading', { name: 'Upgrade your Subscription' }).waitFor()

      await page.getByText('All units are billed at the price of the range you reach.').waitFor()
      await button(page, 'Pay $100.00 and Upgrade to Paid Plan').waitFor()
      await sessions(page).fill('4')
      await page.getByText('Must be at least 5').waitFor()
      await sessions(page).fill('1001')
      await page.getByText('At most 1,000').waitFor()
      await sessions(page).fill('20')
      await page.getByText('With 20 call sessions you can register').waitFor()
      await button(page, 'Would you like to purchase additional device registrations?').press(
        'Enter',
      )
      const devices = page.getByLabel('Additional device registrations')
      await devices.and(page.locator(':focus')).fill('10')
      await page.getByText(/With 20 call sessions and 10 .* can register 150 concurrent/).waitFor()
      await page.getByText('accept at most 110 registered devices').waitFor()
      await fields(page).getByLabel('Card number').waitFor()
      await expectAccessible(page, 'the upgrade')
      await expectNoSidewaysScroll(page, 'the upgrade')
      await button(page, 'Pay $185.00 and Upgrade to Paid Plan').click()
      await page.getByText('Your card number is incomplete.').waitFor()
      await enter(page, CARDS.good)
      await sessions(page).press('Enter')
      expect(charged()).toEqual([])
      await button(page, 'Pay $185.00 and Upgrade to Paid Plan').dblclick()
      await toast(page, 'Payment completed successfully')
      await page.waitForURL(/\/edit$/)
      expect(charged()).toEqual([18_500])
      await page
        .getByText('includes capacity for 20 simultaneous calls, and 150 registered devices')
        .waitFor()
      await page.getByText('accept at most 110 registered devices').waitFor()
      await page.getByText(/You are billed \$185\.00 on \w{3} \d\d, \d{4}\./).waitFor()
      await page.getByRole('heading', { name: 'Invoices' }).waitFor()
      await page.getByRole('cell', { name: '$185.00' }).waitFor()
      await expectAccessible(page, 'an account that pays')
      await expectNoSidewaysScroll(page, 'an account that pays')

      // whoever has paid is not asked to pay again
      await page.goto(`${here}/subscription`)
      await page.waitForURL(/modify-subscription$/)

      await button(page, 'Return to free plan').click()
      await page.getByText('will take effect at the beginning of the next billing cycle').waitFor()
      await page
        .getByText(/maximum of 1 simultaneous call session and 1 registered device/)
        .waitFor()
      await expectAccessible(page, 'the way back to the free plan')
      await page.getByRole('dialog').getByRole('button', { name: 'Return to free plan' }).click()
      await toast(page, 'Downgrade to free plan completed successfully')
      await page.getByText(/Your paid plan ends on/).waitFor()
      await page.getByText('Your paid subscription includes capacity for 20').waitFor()
      await button(page, 'Keep my paid plan').click()
      await page.getByText(/You are billed \$185\.00/).waitFor()

      await page.getByRole('link', { name: 'Modify My Subscription' }).click()
      await button(page, 'Return to free plan').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Return to free plan' }).click()
      await toast(page, 'Downgrade to free plan completed successfully')
      const [subscription] = [...stripe.billing.subscriptions.keys()]
      stripe.billing.endPeriod(subscription!)
      await stripe.deliver()
      await page.reload()
      await page.getByText('You are currently on the Free plan (trial period expired).').waitFor()
      // as the dialog said
      await page.getByText('limited to 1 simultaneous call and 1 registered device').waitFor()
      expect(await page.getByText('accept at most').count()).toBe(0)
      await page.getByRole('link', { name: 'Upgrade to a Paid Subscription' }).click()
      await button(page, 'Would you like to purchase additional device registrations?').waitFor()
      expect(charged()).toEqual([18_500])
    }),
)

it.each(databasesOf('subscription'))(
  'says why a card was refused, and takes another (%s)',
  (database) =>
    story('refused', database, async (page, { here, charged, stripe }) => {
      await subscribe(page, here, CARDS.declined)
      await page.getByText('Your card was declined.').waitFor()
      expect(charged()).toEqual([])
      await expectAccessible(page, 'a refused card')
      // one that can be kept and not be charged: the order stands, and waits for a card
      await enter(page, CARDS.uncharged)
      await button(page, /^Pay/).click()
      await page.getByText('Your card was declined.').waitFor()
      expect(charged()).toEqual([])
      await page.goto(`${here}/edit`)
      await page.getByRole('link', { name: 'Finish your payment' }).click()
      await enter(page, CARDS.good)
      await button(page, 'Pay with this card').click()
      await toast(page, 'Payment completed successfully')
      expect(charged()).toEqual([10_000])
      await page.getByText('Your paid subscription includes capacity for 5').waitFor()

      // a month later the card pays no more
      const newCard = async (card: string) => {
        await page.getByRole('link', { name: 'Manage Payment Info' }).first().click()
        await button(page, 'Change Payment Info').click()
        await enter(page, card)
        await button(page, 'Save New Card').click()
        await toast(page, 'Card saved')
      }
      await newCard(CARDS.uncharged)
      stripe.billing.endPeriod([...stripe.billing.subscriptions.keys()][0]!)
      await stripe.deliver()
      await page.reload()
      await page.getByText('Your service is suspended: a payment failed.').waitFor()
      expect(await page.getByText('includes capacity for').count()).toBe(0)
      await page.getByRole('link', { name: 'Modify My Subscription' }).click()
      await page.getByRole('heading', { name: 'Configure Your Subscription' }).waitFor()
      await page.getByText('Your service is suspended: a payment failed.').waitFor()
      expect(await sessions(page).count()).toBe(0)
      await expectAccessible(page, 'a plan that is suspended')
      await newCard(CARDS.other)
      await page.getByText('Your paid subscription includes capacity for 5').waitFor()
      expect(charged()).toEqual([10_000, 10_000])
    }),
)

it.each(databasesOf('subscription'))(
  'asks the bank, also after the page was closed meanwhile (%s)',
  (database) =>
    story('bank', database, async (page, { here, charged }) => {
      await subscribe(page, here, CARDS.authenticate)
      // a click on a frame that has just appeared is dropped by the browser
      await bank(page, 'Fail').press('Enter')
      await page.getByText('We are unable to authenticate your payment method.').waitFor()
      expect(charged()).toEqual([])
      await enter(page, CARDS.authenticate)
      await button(page, /^Pay/).click()
      await bank(page, 'Complete').waitFor()

      // the browser is closed over the question; the page that is opened later knows of it
      await page.goto('about:blank')
      await page.goto(`${here}/edit`)
      await page.getByText('Your paid subscription').waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Finish your payment' }).click()
      await expectAccessible(page, 'a payment that is not finished')
      await button(page, 'Confirm with your bank').click()
      await bank(page, 'Complete').press('Enter')
      await toast(page, 'Payment completed successfully')
      expect(charged()).toEqual([10_000])
      await page.getByText('Your paid subscription includes capacity for 5').waitFor()
    }),
)

it.each(databasesOf('subscription'))('changes capacity and card (%s)', (database) =>
  story('changes', database, async (page, { here, charged, stripe }) => {
    await subscribe(page, here)
    await toast(page, 'Payment completed successfully')
    await page.getByRole('link', { name: 'Modify My Subscription' }).click()
    await page.getByRole('heading', { name: 'Configure Your Subscription' }).waitFor()
    expect(await button(page, 'Review Changes').isDisabled()).toBe(true)
    await sessions(page).fill('20')
    await sessions(page).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Confirm Changes' })
    await dialog.getByText('20 simultaneous calls').waitFor()
    await dialog
      .getByText(/Your new monthly charge will be \$180\.00, and you will immediately be charged/)
      .waitFor()
    await expectAccessible(page, 'the preview of a change')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(charged()).toEqual([10_000])
    await button(page, 'Review Changes').press('Enter')
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).dblclick()
    await toast(page, 'Your subscription capacity has been successfully modified.')
    await page.getByText('includes capacity for 20 simultaneous calls').waitFor()
    expect(charged()).toEqual([10_000, 8_000])

    await page.getByRole('link', { name: 'Manage Payment Info' }).click()
    await page.getByText('**** **** **** 4242').waitFor()
    await page.getByText('8/2031').waitFor()
    await page.locator('.sidebar-link[aria-current]', { hasText: 'Account' }).waitFor()
    await expectAccessible(page, 'the card')
    await expectNoSidewaysScroll(page, 'the card')
    await button(page, 'Change Payment Info').press('Enter')
    const form = page.getByRole('form', { name: 'New Payment Information' })
    await form.and(page.locator(':focus')).waitFor()
    await button(page, 'Cancel').press('Enter')
    await button(page, 'Change Payment Info').and(page.locator(':focus')).press('Enter')
    await enter(page, CARDS.declined)
    await button(page, 'Save New Card').click()
    await page.getByText('Your card was declined.').waitFor()
    await enter(page, CARDS.uncharged)
    await button(page, 'Save New Card').click()
    await toast(page, 'Card saved')
    await page.getByRole('link', { name: 'Manage Payment Info' }).click()
    await page.getByText('**** **** **** 0341').waitFor()

    // more than the card can pay is not granted, and once it can, it is
    await page.goto(`${here}/modify-subscription`)
    await sessions(page).fill('30')
    await button(page, 'Review Changes').click()
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
    await page.getByText('The additional capacity you that you requested could not').waitFor()
    await page.getByRole('alert').getByRole('link', { name: 'Manage Payment Info' }).click()
    await button(page, 'Change Payment Info').click()
    await enter(page, CARDS.other)
    await button(page, 'Save New Card').click()
    await toast(page, 'Card saved')
    await stripe.deliver()
    await page.reload()
    await page.getByText('includes capacity for 30 simultaneous calls').waitFor()
    expect(charged()).toEqual([10_000, 8_000, 9_000])
  }),
)

it.each(databasesOf('subscription'))('asks the bank before more is granted (%s)', (database) =>
  story('bank-changes', database, async (page, { here, charged }) => {
    await subscribe(page, here, CARDS.authenticate)
    // a click on a frame that has just appeared is dropped by the browser
    await bank(page, 'Complete').press('Enter')
    await toast(page, 'Payment completed successfully')
    expect(charged()).toEqual([10_000])

    const more = async () => {
      await button(page, 'Review Changes').click()
      const dialog = page.getByRole('dialog', { name: 'Confirm Changes' })
      await dialog.getByText('20 simultaneous calls').waitFor()
      await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
    }
    await page.goto(`${here}/modify-subscription`)
    await sessions(page).fill('20')
    await more()
    await bank(page, 'Fail').press('Enter')
    await page.getByText('We are unable to authenticate your payment method.').waitFor()
    expect(charged()).toEqual([10_000])
    await more()
    await bank(page, 'Complete').waitFor()

    // the page is closed over the question: nothing is granted, and the question is there again
    await page.goto('about:blank')
    await page.goto(`${here}/edit`)
    await page.getByText('includes capacity for 5 simultaneous calls').waitFor()
    await page.getByText('Your bank asks you to confirm the payment.').waitFor()
    await page.getByRole('link', { name: 'Modify My Subscription' }).click()
    await button(page, 'Confirm with your bank').click()
    await bank(page, 'Complete').press('Enter')
    await toast(page, 'Your subscription capacity has been successfully modified.')
    await page.getByText('includes capacity for 20 simultaneous calls').waitFor()
    expect(charged()).toEqual([10_000, 8_000])
  }),
)

it.each(databasesOf('subscription'))(
  'pays once when the provider charges and does not answer (%s)',
  (database) =>
    story('silence', database, async (page, { server, here, charged, stripe }) => {
      stripe.fault(({ method, path }) =>
        method === 'POST' && path === 'subscriptions' ? 'after' : undefined,
      )
      await subscribe(page, here)
      await page.getByText('you will not be charged twice').waitFor()
      stripe.fault()
      await button(page, PAY).click()
      // whatever that is answered, the page says what is true
      await page.getByText('You are on the paid plan.').waitFor()
      expect(charged()).toEqual([10_000])
      stripe.fault(() => 'before')
      const other = await openPage()
      await signIn(other, server.url, 'ann')
      await other.goto(`${here}/modify-subscription`)
      // in its place, and as a notice
      await other.getByText('The payment provider cannot be reached.').first().waitFor()
      stripe.fault()
      await button(other, 'Try again').click()
      await sessions(other).waitFor()
      await other.context().close()
    }),
)

it('explains why there is no payment form, and tries again', () =>
  story('no-script', 'sqlite', async (page, { here }) => {
    await page.context().unroute('https://js.stripe.com/**')
    await page.context().route('https://js.stripe.com/**', (route) => route.abort())
    const explained = page.getByText('The payment form could not be loaded from js.stripe.com.')
    await page.clock.install()
    await page.goto(`${here}/subscription`)
    await explained.waitFor()
    // packets that are dropped: it neither comes nor fails
    await page.context().unroute('https://js.stripe.com/**')
    await page.context().route('https://js.stripe.com/**', () => undefined)
    await button(page, 'Try again').click()
    await page.getByLabel('Loading the payment form').waitFor()
    await expect
      .poll(async () => {
        await page.clock.fastForward(10_000)
        return explained.isVisible()
      })
      .toBe(true)
    expect(await button(page, PAY).isDisabled()).toBe(true)
    await expectAccessible(page, 'a payment form that is not there')
    await expectNoSidewaysScroll(page, 'a payment form that is not there')
    await page.context().unroute('https://js.stripe.com/**')
    await page.context().unroute('https://hooks.stripe.com/**')
    await page.context().unroute('https://api.stripe.com/**')
    await servePayments(page, { url: '', authenticate: () => undefined })
    await button(page, 'Try again').click()
    await fields(page).getByLabel('Card number').waitFor()
  }))

it('shows a view-only user everything, and lets nothing be changed', () =>
  story('view-only', 'sqlite', async (page, { server, here }) => {
    await subscribe(page, here)
    await toast(page, 'Payment completed successfully')
    const viewer = await openPage()
    await signIn(viewer, server.url, 'viewer')
    await viewer.getByText('Your paid subscription includes capacity for 5').waitFor()
    for (const name of ['Manage Payment Info', 'Modify My Subscription'])
      expect(await viewer.getByRole('link', { name }).count()).toBe(0)
    await viewer.goto(`${here}/modify-subscription`)
    expect(await sessions(viewer).getAttribute('readonly')).not.toBeNull()
    await viewer.goto(`${here}/manage-payment`)
    await viewer.getByText('**** **** **** 4242').waitFor()
    expect(await viewer.getByRole('main').getByRole('button').count()).toBe(0)
    expectNoTrouble(viewer)
    await viewer.context().close()
  }))
