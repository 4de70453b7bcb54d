import { randomUUID } from 'node:crypto'
import type { Page, Request } from 'playwright-core'
import { expect, it } from 'vitest'
import { featureServer, testPlatform } from '../packages/server/test/stand-ins/feature-server.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, openScreen, reportFailures } from './browser.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, PASSWORD, startSwitchroom } from './harness.ts'
import { redis } from './redis.ts'

type Account = { account_sid: string; service_provider_sid: string }

/** Sets limits on the default account and provider, and adds a viewer. */
async function seed(url: string) {
  const token = await fetchToken(url)
  const [account] = await api<Account[]>(url, token, 'GET', '/Accounts')
  const { account_sid, service_provider_sid } = account!
  await api(url, token, 'POST', `/ServiceProviders/${service_provider_sid}/Limits`, {
    category: 'voice_call_session',
    quantity: 1000,
  })
  await api(url, token, 'POST', `/Accounts/${account_sid}/Limits`, {
    category: 'voice_call_session',
    quantity: 600,
  })
  await api(url, token, 'PUT', `/Accounts/${account_sid}`, { sip_realm: 'sip.acme.example' })
  await api(url, token, 'POST', '/Users', {
    name: 'viewer',
    email: 'viewer@example.com',
    initial_password: PASSWORD,
    force_change: 0,
    is_view_only: 1,
    account_sid,
  })
  return account_sid
}

const rows = (page: Page) => page.getByRole('table', { name: 'Live calls' }).getByRole('row')
const expectTotal = (page: Page, n: number) =>
  page.getByText(`Total: ${n} record${n === 1 ? '' : 's'}`, { exact: true }).waitFor()

type Platform = ReturnType<typeof testPlatform>

async function checkCalls(
  page: Page,
  url: string,
  platform: Platform,
  account: string,
  fs: FeatureServer,
) {
  const sids = await Promise.all(
    Array.from({ length: 500 }, (_, n) =>
      platform.call(
        account,
        { from: `1500555${1_000 + n}`, callStatus: 'in-progress', sipStatus: 200 },
        fs.url,
      ),
    ),
  )
  await openScreen(page, 'Recent calls', 'Live')
  await expectTotal(page, 500)
  await page.getByText('500 of 600').waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Service provider500 of 1000' }).waitFor()
  await expectAccessible(page, 'live calls')
  await expectNoSidewaysScroll(page, 'live calls')

  // focus and scroll position stay
  await page.getByLabel('Filter calls').focus()
  await page.evaluate(() => scrollTo(0, 400))
  const lateCall = await platform.call(account, { from: 'a late caller' }, fs.url)
  await page.getByText('a late caller').waitFor()
  // the page asks for new calls within two seconds of its own clock, which otherwise stands still, and shows them
  const pending = new Set<Request>()
  page.on('request', (request) => pending.add(request))
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => pending.delete(request))
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000))
  await expect.poll(() => pending.size).toBe(0)
  const call = await platform.call(account, { from: 'a later caller' }, fs.url)
  const asked = page.waitForResponse((answer) => answer.url().includes('/LiveCalls'))
  await page.clock.runFor(2_000)
  await asked
  await page.clock.resume()
  await page.getByText('a later caller').waitFor()
  await platform.ends(account, call)
  await page.getByText('a later caller').waitFor({ state: 'hidden' })
  expect(await page.getByLabel('Filter calls').evaluate((e) => e === document.activeElement)).toBe(
    true,
  )
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(300)

  await page.getByLabel('Filter calls').fill('late')
  await expectTotal(page, 1)
  await page.getByRole('button', { name: 'Hang up' }).first().click()
  await page.getByText('Are you sure you want to end the call from').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Hang up' }).click()
  await page.getByText('Hanging up', { exact: true }).waitFor()
  expect(fs.requests).toEqual([
    { method: 'POST', url: `/v1/updateCall/${lateCall}`, body: { call_status: 'completed' } },
  ])
  await platform.ends(account, lateCall)
  await page.getByText('No live calls match these filters.').waitFor()
  await page.getByLabel('Filter calls').fill('')
  await expectTotal(page, 500)

  // nothing changes while paused
  await page.getByRole('button', { name: 'Pause' }).click()
  const viewer = await openPage()
  await logIn(viewer, url, 'viewer')
  await viewer.goto(`${url}/internal/live`)
  await expectTotal(viewer, 500)
  // another user sees each call end, with a poll in between
  for (const [i, left] of [499, 498].entries()) {
    await platform.ends(account, sids[i]!)
    await expectTotal(viewer, left)
  }
  await expectTotal(page, 500)
  await page.getByRole('button', { name: 'Resume' }).click()
  await expectTotal(page, 498)
  expect(await viewer.getByRole('button', { name: 'Hang up' }).count()).toBe(0)
  expect(await viewer.getByRole('button', { name: 'More actions' }).count()).toBe(0)
  await viewer.context().close()
}
type FeatureServer = Awaited<ReturnType<typeof featureServer>>

async function checkQueuesAndUsers(page: Page, platform: Platform, account: string) {
  await platform.queue(account, 'support', 3)
  await platform.conference(account, 'weekly')
  await page.getByRole('tab', { name: 'Queues and conferences' }).click()
  await page.getByRole('row', { name: /support.*Queue.*3/ }).waitFor()
  await page.getByRole('row', { name: /weekly.*Conference.*0/ }).waitFor()
  await expectAccessible(page, 'live queues')
  await expectNoSidewaysScroll(page, 'live queues')
  await platform.register('jane@sip.acme.example', 300, { protocol: 'wss' })
  await platform.register('joe@not.acme.example')
  await page.getByRole('tab', { name: 'Registered users' }).click()
  await page.getByRole('row', { name: /jane@sip\.acme\.example.*WSS.*Registered/ }).waitFor()
  await expectTotal(page, 1)
  await expectAccessible(page, 'live users')
  await expectNoSidewaysScroll(page, 'live users')
  await page.goBack()
  await page.getByRole('row', { name: /support/ }).waitFor()
}

it.each(databasesFor('live'))(
  'shows live calls, queues and registered users, on %s',
  async (database) => {
    if (!redis) throw new Error('This story needs Redis')
    const { hostname, port } = redis
    const platform = testPlatform({ host: hostname, port: Number(port) })
    await platform.redis.client.flushdb()
    const fs = await featureServer()
    const server = await startSwitchroom(database, {
      JAMBONES_REDIS_HOST: hostname,
      JAMBONES_REDIS_PORT: port,
    })
    try {
      const account = await seed(server.url)
      await platform.call(randomUUID(), { from: 'somebody else' })
      const page = await openPage()
      await page.clock.install()
      await logIn(page, server.url)
      await reportFailures(page, `live-${database}`, async () => {
        await checkCalls(page, server.url, platform, account, fs)
        expect(await rows(page).filter({ hasText: 'somebody else' }).count()).toBe(0)
        await checkQueuesAndUsers(page, platform, account)
      })
      expectNoErrors(page)
    } finally {
      await server.stop()
      fs.close()
      platform.close()
    }
  },
)
