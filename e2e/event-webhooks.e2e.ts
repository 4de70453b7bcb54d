import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, expectToast, logIn, openPage, reportFailures } from './browser.ts'
import { api, fetchToken, startSwitchroom } from './harness.ts'
import { ACCOUNT } from './screens.ts'

type Delivery = { type: string; signatures: string[]; id: string; time: string; body: string }

/** A program that is told what happens. It takes nothing while it is away. */
async function startProgram() {
  const got: Delivery[] = []
  const program = { isAway: false }
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const header = (name: string) => String(request.headers[name] ?? '')
      if (!program.isAway)
        got.push({
          type: (JSON.parse(body) as { type: string }).type,
          signatures: header('webhook-signature').split(' '),
          id: header('webhook-id'),
          time: header('webhook-timestamp'),
          body,
        })
      response.writeHead(program.isAway ? 503 : 204).end()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return { got, program, url: `http://127.0.0.1:${port}/events`, stop: () => server.close() }
}

/** Checks a signature the way the guide describes, independently of the product's code. */
function isSigned({ id, time, body, signatures }: Delivery, secret: string) {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const mac = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')
  return signatures.includes(`v1,${mac}`)
}

it('tells a program what happens, shows what was sent, and sends it again', async () => {
  const receiver = await startProgram()
  const server = await startSwitchroom('sqlite', {
    SWITCHROOM_ALLOW_NETWORKS: '127.0.0.0/8',
  })
  const token = await fetchToken(server.url)
  const addNumber = (number: string) =>
    api(server.url, token, 'POST', '/PhoneNumbers', { number, account_sid: ACCOUNT })
  const page = await openPage()
  try {
    await reportFailures(page, 'event-webhooks', async () => {
      await logIn(page, server.url)
      await page.goto(`${server.url}/internal/alerts/webhooks`)
      await page.getByText(/^No event webhooks\./).waitFor()
      await page.getByRole('link', { name: 'Add webhook' }).first().click()
      await page.getByLabel('Name').fill('Reports')
      await page.getByLabel('URL').fill(receiver.url)
      await page.getByRole('switch', { name: 'All events' }).click()
      await page.getByRole('checkbox', { name: 'Phone number changed' }).check()
      await page.getByRole('button', { name: 'Save' }).click()
      const made = page.getByRole('dialog', { name: 'Here is the signing secret' })
      const first = await made.getByText(/^whsec_/).innerText()
      await made.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor()

      await addNumber('442079460001')
      await expect
        .poll(() => receiver.got.map(({ type }) => type))
        .toEqual(['phone_number.changed'])
      expect(isSigned(receiver.got[0]!, first)).toBe(true)
      await page.getByRole('button', { name: 'Refresh' }).click()
      const row = page.getByRole('row', { name: /Phone number changed.*Delivered/ })
      await row.waitFor()
      await row.getByRole('button').first().click()
      await page.getByText('"kind": "phone_number"').waitFor()
      await expectAccessible(page, 'a webhook for events, a delivery open')
      await expectNoSidewaysScroll(page, 'a webhook for events')
      await page.getByRole('button', { name: 'Send again', exact: true }).click()
      await expectToast(page, 'The event is sent again')
      await expect.poll(() => receiver.got.length).toBe(2)
      expect(receiver.got[1]!.id).toBe(receiver.got[0]!.id)

      // both secrets sign for a time
      await page.getByRole('button', { name: 'Rotate secret…' }).click()
      const rotating = page.getByRole('dialog', { name: 'Rotate the signing secret' })
      await expectAccessible(page, 'rotating a secret')
      await rotating.getByRole('button', { name: 'Make a new secret' }).click()
      const second = await made.getByText(/^whsec_/).innerText()
      await made.getByRole('button', { name: 'Done' }).click()
      await page.getByText('The old secret signs until').waitFor()
      await addNumber('442079460002')
      await expect.poll(() => receiver.got.length).toBe(3)
      for (const secret of [first, second]) expect(isSigned(receiver.got[2]!, secret)).toBe(true)

      receiver.program.isAway = true
      await page.getByRole('button', { name: 'Send test event' }).click()
      await page.getByText(/^Not delivered: /).waitFor()
      receiver.program.isAway = false
      await page.getByRole('button', { name: 'Send again…' }).click()
      const again = page.getByRole('dialog', { name: 'Send events again' })
      await again.getByRole('switch').click()
      await again.getByRole('button', { name: 'Send again' }).click()
      await expectToast(page, '2 events are sent again')
      await expect.poll(() => receiver.got.length).toBe(5)

      // System health tells of events that wait, and leads here
      type Health = { parts: { part: string }[] }
      const health = await api<Health>(server.url, token, 'GET', '/SystemHealth')
      const waiting = {
        state: 'degraded',
        sentence: '1 webhook is waiting for events, the oldest for 12 minutes',
      }
      for (const one of health.parts) if (one.part === 'event_delivery') Object.assign(one, waiting)
      await page.route('**/SystemHealth', (route) => route.fulfill({ json: health }))
      await page.goto(`${server.url}/internal/system-health`)
      const attention = page.getByRole('region', { name: 'Needs attention' })
      await attention.getByText('1 webhook is waiting for events').waitFor()
      await expectAccessible(page, 'events that wait, on System health')
      await attention.getByRole('link', { name: 'Event webhooks' }).click()
      await page.getByRole('heading', { name: 'Event webhooks' }).waitFor()
      expectNoErrors(page)
    })
  } finally {
    receiver.stop()
    await server.stop()
  }
})
