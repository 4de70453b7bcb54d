import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import {
  expectNoErrors,
  expectToast,
  logIn,
  openPage,
  openScreen,
  reportFailures,
} from './browser.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'

const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'

type Delivery = { headers: Record<string, unknown>; text: string; type: string; message: string }

/** A customer's webhook receiver. */
async function startReceiver() {
  const deliveries: Delivery[] = []
  const state = { status: 204 }
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { type, data } = JSON.parse(text)
    deliveries.push({ headers: request.headers, text, type, message: data.message })
    response.writeHead(state.status).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    deliveries: deliveries,
    state,
    url: `http://127.0.0.1:${port}/alerts`,
    close: () => server.close(),
  }
}
type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** Verifies a signature as docs/guides/alert-notifications.md documents it. */
function isSigned({ headers, text }: Delivery, secret: string) {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
  const expected = createHmac('sha256', key).update(signed).digest('base64')
  const age = Date.now() / 1_000 - Number(headers['webhook-timestamp'])
  return headers['webhook-signature'] === `v1,${expected}` && age < 60
}

type AlertLine = { alert_type: string; message: string; target?: string; ago?: number }

/** Writes alerts to the ingest port as the platform's components do. */
async function ingestAlerts(port: number, ...alerts: AlertLine[]) {
  const lines = alerts.map(({ alert_type, message, target, ago = 0 }, i) => {
    const tags = `service_provider_sid=${SP},account_sid=${ACCOUNT},alert_type=${alert_type}`
    const targetField = target ? `,target_sid="${target}"` : ''
    const nanoseconds = `${Date.now() - ago}${String(i).padStart(6, '0')}`
    return `alerts,${tags} message="${message}"${targetField} ${nanoseconds}`
  })
  const answer = await fetch(`http://127.0.0.1:${port}/write?db=alerts&precision=n`, {
    method: 'POST',
    body: lines.join('\n'),
  })
  expect(answer.status, await answer.text()).toBe(204)
}

const button = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true })
const expectTotal = (page: Page, n: number) =>
  page.getByText(`Total: ${n} ${n === 1 ? 'record' : 'records'}`, { exact: true }).waitFor()

/** Adds a destination, after validation errors, and sends a test alert. Resolves to its secret. */
async function addDestination(page: Page, r: Receiver) {
  await openScreen(page, 'Alerts', 'Destinations')
  await page.getByText('No alert destinations.').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Add destination' }).first().click()
  await button(page, 'Save').click()
  await page.getByText('3 fields need attention').waitFor()
  await page.getByLabel('Name').fill('Operations')
  await page.getByLabel('URL').fill('nowhere')
  await button(page, 'Generate a new secret').click()
  const secret = await page.getByText(/^whsec_/).innerText()
  await button(page, 'Save').click()
  await page.getByText('Enter a URL that starts with https:// or http://').waitFor()
  await page.getByLabel('URL').fill(r.url)
  await page.getByLabel('All alert types').click()
  for (const type of ['No carrier', 'No text-to-speech', 'No speech-to-text', 'No language model'])
    await page.getByLabel(type).check()
  await expectAccessible(page, 'new destination')
  await expectNoSidewaysScroll(page, 'new destination')
  await button(page, 'Save').click()
  await expectToast(page, 'Destination created successfully')
  expect(await page.getByText(/whsec_[A-Za-z0-9]/).count()).toBe(0)

  await button(page, 'Send test alert').click()
  await page.getByText('Delivered: The receiver answered 204.').waitFor()
  expect(r.deliveries.map((g) => g.type)).toEqual(['alert.test'])
  expect(isSigned(r.deliveries[0]!, secret)).toBe(true)
  return secret
}

/** Alerts are delivered, at most once an hour per type, and counted by type in the menu. */
async function checkDelivery(
  page: Page,
  port: number,
  r: Receiver,
  secret: string,
  carrier: string,
) {
  await ingestAlerts(
    port,
    { alert_type: 'no-tts', message: 'first' },
    { alert_type: 'no-carrier', message: 'refused', target: carrier },
    { alert_type: 'webhook-failure', message: 'not chosen' },
  )
  const deliveredMessages = () => r.deliveries.slice(1).map((g) => g.message)
  await expect.poll(() => deliveredMessages().sort()).toEqual(['first', 'refused'])
  expect(r.deliveries.every((g) => isSigned(g, secret))).toBe(true)
  await ingestAlerts(port, { alert_type: 'no-tts', message: 'within the hour' })
  // two polls later
  for (const [i, alert_type] of ['no-stt', 'no-llm'].entries()) {
    await ingestAlerts(port, { alert_type, message: 'later' })
    await expect.poll(() => deliveredMessages().length).toBe(3 + i)
  }
  expect(deliveredMessages()).not.toContain('within the hour')

  await page.reload()
  // one failed webhook needs nobody
  await openScreen(page, 'Alerts 4 open')
  await expectTotal(page, 5)
  await page
    .getByRole('navigation', { name: 'Alerts' })
    .getByRole('link', { name: 'Alerts', exact: true })
    .click()
  await expectTotal(page, 6)
}

async function checkList(page: Page) {
  const row = page.getByRole('row', { name: /No carrier.*refused.*default account/ })
  await row.getByRole('button').focus()
  await page.keyboard.press('Enter')
  await page.getByText('An outbound call failed because no carrier was available.').waitFor()
  await expectAccessible(page, 'an opened alert')
  await expectNoSidewaysScroll(page, 'an opened alert')
  await page.getByRole('main').getByRole('link', { name: 'Northern Trunks' }).click()
  await page.waitForURL(/\/carriers\/[^/]+$/)
  await page.goBack()
  await button(page, 'Filter').click()
  await page.getByLabel('Type', { exact: true }).selectOption('No text-to-speech')
  await page.waitForURL(/alert_type=no-tts/)
  await expectTotal(page, 2)
  await page.getByLabel('Date', { exact: true }).selectOption('Yesterday')
  await page.getByText('No alerts match these filters.').waitFor()
  await page.goBack()
  await expectTotal(page, 2)
  await button(page, 'Clear').click()
  await expectTotal(page, 6)
}

async function checkFailingDestination(page: Page, r: Receiver) {
  r.state.status = 503
  await page
    .getByRole('navigation', { name: 'Alerts' })
    .getByRole('link', { name: 'Destinations' })
    .click()
  await page.getByRole('main').getByRole('link', { name: 'Operations' }).click()
  await button(page, 'Send test alert').click()
  await page.getByText('Not delivered: The receiver answered 503.').waitFor()
  await expectAccessible(page, 'a failing destination')
  await page
    .getByRole('navigation', { name: 'Breadcrumb' })
    .getByRole('link', { name: 'Destinations' })
    .click()
  await page.getByRole('row', { name: /Operations.*Failing.*The receiver answered 503/ }).waitFor()
  await expectAccessible(page, 'destinations')
  await expectNoSidewaysScroll(page, 'destinations')

  await page.getByRole('main').getByRole('link', { name: 'Operations' }).click()
  await page.getByRole('switch', { name: 'Active' }).click()
  await button(page, 'Save').click()
  await expectToast(page, 'Destination updated successfully')
  const row = page.getByRole('row', { name: /Operations.*Inactive/ })
  await row.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete destination' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete destination' }).click()
  await expectToast(page, 'Deleted destination Operations')
  await page.getByText('No alert destinations.').waitFor()
}

it.each(databasesFor('alerts'))('shows, counts and delivers alerts (%s)', async (database) => {
  const port = await freePort()
  const r = await startReceiver()
  const server = await startSwitchroom(database, {
    SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${port}`,
    SWITCHROOM_ALLOW_NETWORKS: '127.0.0.0/8',
    ...(database === 'mysql' && { ENCRYPTION_SECRET: 'e2e-encryption' }),
  })
  const page = await openPage()
  try {
    await reportFailures(page, `alerts-${database}`, async () => {
      const token = await fetchToken(server.url)
      const { sid: carrier } = await api<{ sid: string }>(
        server.url,
        token,
        'POST',
        '/VoipCarriers',
        { name: 'Northern Trunks', account_sid: ACCOUNT },
      )
      const askedAt: number[] = []
      page.on('response', (answer) => {
        if (answer.url().endsWith('/Issues/Count'))
          askedAt.push(answer.request().timing().startTime)
      })
      await logIn(page, server.url)
      await openScreen(page, 'Alerts', 'Alerts')
      await page.getByText('No data.', { exact: true }).waitFor()
      const secret = await addDestination(page, r)
      // at most once a minute, no matter how many pages were opened or forms saved since
      expect(askedAt.length).toBeGreaterThan(0)
      const pauses = askedAt.slice(1).map((at, i) => at - askedAt[i]!)
      expect(pauses.filter((ms) => ms < 59_000)).toEqual([])
      await checkDelivery(page, port, r, secret, carrier)
      await checkList(page)
      await checkFailingDestination(page, r)
      expect(server.log()).not.toContain(secret)
      expectNoErrors(page)
    })
  } finally {
    await page.context().close()
    await server.stop()
    r.close()
  }
})
