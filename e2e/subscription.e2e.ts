import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { type StripeStandIn, stripeStandIn } from '../packages/server/test/stand-ins/stripe.ts'
import { CARDS } from '../packages/server/test/stand-ins/stripe-billing.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, expectToast, logIn, openPage, reportFailures } from './browser.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, PASSWORD, type Switchroom, startSwitchroom } from './harness.ts'
import { servePayments } from './payment-page.ts'
import { shareWorld } from './world.ts'

const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'
const PAY = /^Pay .* and Upgrade to Paid Plan$/

/** A hosted platform that sells capacity. */
async function startPlatform() {
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
  const server = await startSwitchroom(databasesFor('subscription')[0], stripe.environment)
  stripe.sendEventsTo(`${server.url}/stripe/webhook`)
  return { stripe, server, admin: await fetchToken(server.url) }
}
type Platform = Awaited<ReturnType<typeof startPlatform>>

let platform: Platform
shareWorld(
  async () => {
    platform = await startPlatform()
  },
  async () => {
    await platform.server.stop()
    await platform.stripe.close()
  },
)

/** A new account of this name with a user and one who may only view. */
async function addAccount(name: string, { stripe, server, admin }: Platform) {
  const { billing } = stripe
  // months that an earlier test let pass
  billing.clock.ahead = 0
  const before = { charges: billing.charges.length, subscriptions: billing.subscriptions.size }
  const post = <T>(path: string, body: object) => api<T>(server.url, admin, 'POST', path, body)
  const { sid } = await post<{ sid: string }>('/Accounts', {
    name,
    sip_realm: `${name}.sip.example.com`,
    service_provider_sid: SP,
  })
  const addUser = async (user: string, more: object = {}) => {
    await post('/Users', {
      name: user,
      email: `${user}@example.org`,
      initial_password: PASSWORD,
      force_change: 0,
      account_sid: sid,
      ...more,
    })
    return user
  }
  return {
    accountUrl: `${server.url}/internal/accounts/${sid}`,
    user: await addUser(`${name}-user`),
    viewer: await addUser(`${name}-viewer`, { is_view_only: 1 }),
    /** Everything charged since the account was added. */
    charged: () =>
      billing.charges.slice(before.charges).map(({ amount }: { amount: number }) => amount),
    /** The first subscription since the account was added. */
    subscription: () => [...billing.subscriptions.keys()][before.subscriptions]!,
  }
}
type Account = Awaited<ReturnType<typeof addAccount>>

async function withHostedPlatform(
  name: string,
  run: (page: Page, p: { stripe: StripeStandIn; server: Switchroom } & Account) => Promise<void>,
) {
  const account = await addAccount(name, platform)
  const page = await openPage()
  try {
    await servePayments(page, platform.stripe)
    await reportFailures(page, `subscription-${name}`, async () => {
      await logIn(page, platform.server.url, account.user)
      await run(page, { ...platform, ...account })
      expectNoErrors(page)
    })
  } finally {
    platform.stripe.fault()
    await page.context().close()
  }
}

const fields = (page: Page) => page.frameLocator('iframe[title="Secure payment input frame"]')
async function enterCard(page: Page, card: string) {
  await fields(page).getByLabel('Card number').fill(card)
  await fields(page).getByLabel('Expiration date').fill('08 / 31')
  await fields(page).getByLabel('Security code').fill('123')
}
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
const sessions = (page: Page) => page.getByLabel('Maximum concurrent call sessions')
const answerBank = (page: Page, answer: 'Complete' | 'Fail') =>
  page.frameLocator('iframe[title="3D Secure"]').getByRole('link', { name: answer })

async function subscribe(page: Page, accountUrl: string, card = CARDS.good) {
  await page.goto(`${accountUrl}/subscription`)
  await enterCard(page, card)
  await button(page, PAY).click()
}

it('upgrades from trial to paid, and downgrades at the end of the month', () =>
  withHostedPlatform('paid', async (page, p) => {
    const { accountUrl, charged, stripe, subscription } = p
    await page.getByText('You are currently on the Free plan (trial period).').waitFor()
    const outside: string[] = []
    page.on('request', (r) => r.url().includes('stripe.com') && outside.push(r.url()))
    await page.goto(`${accountUrl}/edit`)
    await page.getByRole('heading', { name: 'Your Subscription' }).waitFor()
    // nothing is fetched from Stripe before payment
    expect(outside).toEqual([])
    await page.getByRole('link', { name: 'Upgrade to a paid subscription' }).click()
    await page.getByRole('heading', { name: 'Upgrade your Subscription' }).waitFor()

    await page.getByText('All units are billed at the price of the range you reach.').waitFor()
    await button(page, 'Pay $100.00 and Upgrade to Paid Plan').waitFor()
    await sessions(page).fill('4')
    await page.getByText('Must be at least 5').waitFor()
    await sessions(page).fill('1001')
    await page.getByText('At most 1,000').waitFor()
    await sessions(page).fill('20')
    await page.getByText('With 20 call sessions you can register').waitFor()
    await button(page, 'Would you like to purchase additional device registrations?').press('Enter')
    const devices = page.getByLabel('Additional device registrations')
    await devices.and(page.locator(':focus')).fill('10')
    await page.getByText(/With 20 call sessions and 10 .* can register 150 concurrent/).waitFor()
    await page.getByText('accept at most 110 registered devices').waitFor()
    await fields(page).getByLabel('Card number').waitFor()
    await expectAccessible(page, 'the upgrade')
    await expectNoSidewaysScroll(page, 'the upgrade')
    await button(page, 'Pay $185.00 and Upgrade to Paid Plan').click()
    await page.getByText('Your card number is incomplete.').waitFor()
    await enterCard(page, CARDS.good)
    await sessions(page).press('Enter')
    expect(charged()).toEqual([])
    await button(page, 'Pay $185.00 and Upgrade to Paid Plan').dblclick()
    await expectToast(page, 'Payment completed successfully')
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

    // paid accounts are not asked to pay again
    await page.goto(`${accountUrl}/subscription`)
    await page.waitForURL(/modify-subscription$/)

    await button(page, 'Return to free plan').click()
    await page.getByText('will take effect at the beginning of the next billing cycle').waitFor()
    await page.getByText(/maximum of 1 simultaneous call session and 1 registered device/).waitFor()
    await expectAccessible(page, 'the way back to the free plan')
    await page.getByRole('dialog').getByRole('button', { name: 'Return to free plan' }).click()
    await expectToast(page, 'Downgrade to free plan completed successfully')
    await page.getByText(/Your paid plan ends on/).waitFor()
    await page.getByText('Your paid subscription includes capacity for 20').waitFor()
    await button(page, 'Keep my paid plan').click()
    await page.getByText(/You are billed \$185\.00/).waitFor()

    await page.getByRole('link', { name: 'Modify my subscription' }).click()
    await button(page, 'Return to free plan').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Return to free plan' }).click()
    await expectToast(page, 'Downgrade to free plan completed successfully')
    stripe.billing.endPeriod(subscription())
    await stripe.deliver()
    await page.reload()
    await page.getByText('You are currently on the Free plan (trial period expired).').waitFor()
    // as the dialog said
    await page.getByText('limited to 1 simultaneous call and 1 registered device').waitFor()
    expect(await page.getByText('accept at most').count()).toBe(0)
    await page.getByRole('link', { name: 'Upgrade to a paid subscription' }).click()
    await button(page, 'Would you like to purchase additional device registrations?').waitFor()
    expect(charged()).toEqual([18_500])
  }))

it('says why a card was declined, and accepts another', () =>
  withHostedPlatform('refused', async (page, p) => {
    const { accountUrl, charged, stripe, subscription } = p
    await subscribe(page, accountUrl, CARDS.declined)
    await page.getByText('Your card was declined.').waitFor()
    expect(charged()).toEqual([])
    await expectAccessible(page, 'a refused card')
    // the payment provider need not say why
    await page.route('**/api/v1/Subscriptions', (route) =>
      route.fulfill({ json: { status: 'card error' } }),
    )
    await enterCard(page, CARDS.good)
    await button(page, /^Pay/).click()
    await page.getByText('Something went wrong, please try again.').waitFor()
    await page.unroute('**/api/v1/Subscriptions')
    // a card that attaches but cannot be charged: the subscription waits for another card
    await enterCard(page, CARDS.uncharged)
    await button(page, /^Pay/).click()
    await page.getByText('Your card was declined.').waitFor()
    expect(charged()).toEqual([])
    await page.goto(`${accountUrl}/edit`)
    await page.getByRole('link', { name: 'Finish your payment' }).click()
    await enterCard(page, CARDS.good)
    await button(page, 'Pay with this card').click()
    await expectToast(page, 'Payment completed successfully')
    expect(charged()).toEqual([10_000])
    await page.getByText('Your paid subscription includes capacity for 5').waitFor()

    // a month later the card is declined
    const newCard = async (card: string) => {
      await page.getByRole('link', { name: 'Manage Payment Info' }).first().click()
      await button(page, 'Change Payment Info').click()
      await enterCard(page, card)
      await button(page, 'Save New Card').click()
      await expectToast(page, 'Card saved')
    }
    await newCard(CARDS.uncharged)
    stripe.billing.endPeriod(subscription())
    await stripe.deliver()
    await page.reload()
    await page.getByText('Your service is suspended: a payment failed.').waitFor()
    expect(await page.getByText('includes capacity for').count()).toBe(0)
    await page.getByRole('link', { name: 'Modify my subscription' }).click()
    await page.getByRole('heading', { name: 'Configure Your Subscription' }).waitFor()
    await page.getByText('Your service is suspended: a payment failed.').waitFor()
    expect(await sessions(page).count()).toBe(0)
    await expectAccessible(page, 'a plan that is suspended')
    await newCard(CARDS.other)
    await page.getByText('Your paid subscription includes capacity for 5').waitFor()
    expect(charged()).toEqual([10_000, 10_000])
  }))

it('runs the bank’s challenge, even after the page was closed', () =>
  withHostedPlatform('bank', async (page, { accountUrl, charged }) => {
    await subscribe(page, accountUrl, CARDS.authenticate)
    // the browser drops clicks on an iframe that has just appeared
    await answerBank(page, 'Fail').press('Enter')
    await page.getByText('We are unable to authenticate your payment method.').waitFor()
    expect(charged()).toEqual([])
    await enterCard(page, CARDS.authenticate)
    await button(page, /^Pay/).click()
    await answerBank(page, 'Complete').waitFor()

    // closed during the bank's challenge; a page opened later continues it
    await page.goto('about:blank')
    await page.goto(`${accountUrl}/edit`)
    await page.getByText('Your paid subscription').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Finish your payment' }).click()
    await expectAccessible(page, 'a payment that is not finished')
    await button(page, 'Confirm with your bank').click()
    await answerBank(page, 'Complete').press('Enter')
    await expectToast(page, 'Payment completed successfully')
    expect(charged()).toEqual([10_000])
    await page.getByText('Your paid subscription includes capacity for 5').waitFor()
  }))

it('changes capacity and card', () =>
  withHostedPlatform('changes', async (page, { accountUrl, charged, stripe }) => {
    await subscribe(page, accountUrl)
    await expectToast(page, 'Payment completed successfully')
    await page.getByRole('link', { name: 'Modify my subscription' }).click()
    await page.getByRole('heading', { name: 'Configure Your Subscription' }).waitFor()
    expect(await button(page, 'Review Changes').isDisabled()).toBe(true)
    await sessions(page).fill('20')
    await sessions(page).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Confirm changes' })
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
    await expectToast(page, 'Your subscription capacity has been successfully modified.')
    await page.getByText('includes capacity for 20 simultaneous calls').waitFor()
    expect(charged()).toEqual([10_000, 8_000])

    await page.getByRole('link', { name: 'Manage Payment Info' }).click()
    await page.getByText('**** **** **** 4242').waitFor()
    await page.getByText('8/2031').waitFor()
    await page.locator('.sidebar-link[aria-current]', { hasText: 'Account' }).waitFor()
    await expectAccessible(page, 'the card')
    await expectNoSidewaysScroll(page, 'the card')
    await button(page, 'Change Payment Info').press('Enter')
    const form = page.getByRole('form', { name: 'New payment information' })
    await form.and(page.locator(':focus')).waitFor()
    await button(page, 'Cancel').press('Enter')
    await button(page, 'Change Payment Info').and(page.locator(':focus')).press('Enter')
    await enterCard(page, CARDS.declined)
    await button(page, 'Save New Card').click()
    await page.getByText('Your card was declined.').waitFor()
    await enterCard(page, CARDS.uncharged)
    await button(page, 'Save New Card').click()
    await expectToast(page, 'Card saved')
    await page.getByRole('link', { name: 'Manage Payment Info' }).click()
    await page.getByText('**** **** **** 0341').waitFor()

    // more capacity is granted only once the card can pay for it
    await page.goto(`${accountUrl}/modify-subscription`)
    await sessions(page).fill('30')
    await button(page, 'Review Changes').click()
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
    await page.getByText('The additional capacity you that you requested could not').waitFor()
    await page.getByRole('alert').getByRole('link', { name: 'Manage Payment Info' }).click()
    await button(page, 'Change Payment Info').click()
    await enterCard(page, CARDS.other)
    await button(page, 'Save New Card').click()
    await expectToast(page, 'Card saved')
    await stripe.deliver()
    await page.reload()
    await page.getByText('includes capacity for 30 simultaneous calls').waitFor()
    expect(charged()).toEqual([10_000, 8_000, 9_000])
  }))

it('runs the bank’s challenge before granting more capacity', () =>
  withHostedPlatform('bank-changes', async (page, { accountUrl, charged }) => {
    await subscribe(page, accountUrl, CARDS.authenticate)
    // the browser drops clicks on an iframe that has just appeared
    await answerBank(page, 'Complete').press('Enter')
    await expectToast(page, 'Payment completed successfully')
    expect(charged()).toEqual([10_000])

    const more = async () => {
      await button(page, 'Review Changes').click()
      const dialog = page.getByRole('dialog', { name: 'Confirm changes' })
      await dialog.getByText('20 simultaneous calls').waitFor()
      await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
    }
    await page.goto(`${accountUrl}/modify-subscription`)
    await sessions(page).fill('20')
    await more()
    await answerBank(page, 'Fail').press('Enter')
    await page.getByText('The additional capacity you that you requested could not').waitFor()
    expect(charged()).toEqual([10_000])
    await more()
    await answerBank(page, 'Complete').waitFor()

    // closed during the bank's challenge: nothing is granted, and the challenge appears again
    await page.goto('about:blank')
    await page.goto(`${accountUrl}/edit`)
    await page.getByText('includes capacity for 5 simultaneous calls').waitFor()
    await page.getByText('Your bank asks you to confirm the payment.').waitFor()
    await page.getByRole('link', { name: 'Modify my subscription' }).click()
    await button(page, 'Confirm with your bank').click()
    await answerBank(page, 'Complete').press('Enter')
    await expectToast(page, 'Your subscription capacity has been successfully modified.')
    await page.getByText('includes capacity for 20 simultaneous calls').waitFor()
    expect(charged()).toEqual([10_000, 8_000])
  }))

it('pays once when the provider charges and does not answer', () =>
  withHostedPlatform('silence', async (page, { server, user, accountUrl, charged, stripe }) => {
    stripe.fault(({ method, path }) =>
      method === 'POST' && path === 'subscriptions' ? 'after' : undefined,
    )
    await subscribe(page, accountUrl)
    await page.getByText('you will not be charged twice').waitFor()
    stripe.fault()
    // the page may find out by itself; however it is answered, it shows the actual state
    const paid = page.getByText('You are on the paid plan.')
    await Promise.race([button(page, PAY).click(), paid.waitFor()])
    await paid.waitFor()
    expect(charged()).toEqual([10_000])
    stripe.fault(() => 'before')
    const other = await openPage()
    await logIn(other, server.url, user)
    await other.goto(`${accountUrl}/modify-subscription`)
    // in place, and as a toast
    await other.getByText('The payment provider cannot be reached.').first().waitFor()
    stripe.fault()
    await button(other, 'Try again').click()
    await sessions(other).waitFor()
    await other.context().close()
  }))

it('explains why there is no payment form, and retries', () =>
  withHostedPlatform('no-script', async (page, { accountUrl }) => {
    await page.context().unroute('https://js.stripe.com/**')
    await page.context().route('https://js.stripe.com/**', (route) => route.abort())
    const explained = page.getByText('The payment form could not be loaded from js.stripe.com.')
    await page.clock.install()
    await page.goto(`${accountUrl}/subscription`)
    await explained.waitFor()
    // dropped packets: the script neither loads nor fails
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

it('shows view-only users everything, without actions', () =>
  withHostedPlatform('view-only', async (page, { server, viewer: name, accountUrl }) => {
    await subscribe(page, accountUrl)
    await expectToast(page, 'Payment completed successfully')
    const viewer = await openPage()
    await logIn(viewer, server.url, name)
    await viewer.getByText('Your paid subscription includes capacity for 5').waitFor()
    for (const name of ['Manage Payment Info', 'Modify my subscription'])
      expect(await viewer.getByRole('link', { name }).count()).toBe(0)
    await viewer.goto(`${accountUrl}/modify-subscription`)
    expect(await sessions(viewer).getAttribute('readonly')).not.toBeNull()
    await viewer.goto(`${accountUrl}/manage-payment`)
    await viewer.getByText('**** **** **** 4242').waitFor()
    expect(await viewer.getByRole('main').getByRole('button').count()).toBe(0)
    expectNoErrors(viewer)
    await viewer.context().close()
  }))
