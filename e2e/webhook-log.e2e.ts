import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, openScreen, reportFailures } from './browser.ts'
import { api, fetchToken, type Switchroom, startSwitchroom } from './harness.ts'
import { shareWorld } from './world.ts'

const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const PASSWORD = 'canary-hook-password'

let server: Switchroom
let application: Server
const WRONG = '[{"verb":"say","text":"Hello"},{"verb":"say","txt":"Bye"}]'
let answer = WRONG
let application_sid: string
const received: { body: string; signature: unknown }[] = []

shareWorld(
  async () => {
    answer = WRONG
    received.length = 0
    application = createServer(async (request, reply) => {
      let body = ''
      for await (const chunk of request) body += chunk
      received.push({ body, signature: request.headers['jambonz-signature'] })
      reply.writeHead(200, { 'content-type': 'application/json' }).end(answer)
    })
    await new Promise<void>((done) => application.listen(0, '127.0.0.1', done))
    const { port } = application.address() as AddressInfo
    server = await startSwitchroom('sqlite', { SWITCHROOM_ALLOW_NETWORKS: '127.0.0.0/8' })
    const hook = {
      url: `http://127.0.0.1:${port}/calls`,
      username: 'jambonz',
      password: PASSWORD,
    }
    const made = await api<{ sid: string }>(
      server.url,
      await fetchToken(server.url),
      'POST',
      '/Applications',
      { name: 'Menu', account_sid: ACCOUNT, call_hook: hook, call_status_hook: hook },
    )
    application_sid = made.sid
  },
  async () => {
    await server.stop()
    application.close()
  },
)

it('tests a webhook, marks the wrong verb, finds the request in the log and sends it again', async () => {
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'webhook-log', async () => {
    await page.goto(`${server.url}/internal/applications/${application_sid}`)
    await page.getByRole('link', { name: 'Send a test request' }).click()
    const payload = page.getByLabel('Payload')
    await payload.fill('{"call_status":')
    await page.getByRole('button', { name: 'Send test request' }).click()
    await page.getByText(/Not valid JSON/).waitFor()
    await page.getByRole('button', { name: 'Reset payload' }).click()
    await payload.press('Control+Enter')

    const result = page.getByRole('region', { name: 'Result' })
    await result.getByText('Line 8: say: unknown property txt').waitFor()
    const wrong = result.getByRole('listitem').filter({ hasText: 'Error:' })
    expect(await wrong.innerText()).toContain('"txt": "Bye"')
    expect(JSON.parse(received[0]!.body)).toMatchObject({ application_sid, call_status: 'trying' })
    await expectAccessible(page, 'the result of a test request')
    await page.setViewportSize({ width: 320, height: 700 })
    await expectNoSidewaysScroll(page, 'the result of a test request')
    await page.setViewportSize({ width: 1280, height: 800 })

    answer = '[{"verb":"hangup"}]'
    await page.getByRole('link', { name: 'Webhook log', exact: true }).last().click()
    await page.getByText('Total: 1 record', { exact: true }).waitFor()
    await page.getByRole('row').filter({ hasText: '/calls' }).getByRole('link').first().click()
    await page.getByText('Line 8: say: unknown property txt').waitFor()
    await page.getByText('Valid', { exact: true }).waitFor()
    await expectAccessible(page, 'a logged request')
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('The verb is valid.').waitFor()
    await page.getByRole('link', { name: 'An earlier request' }).waitFor()
    expect(received[1]!.body).toBe(received[0]!.body)
    expect(received[1]!.signature).toMatch(/^t=\d+,v1=/)
    expect(await page.content()).not.toContain(PASSWORD)

    await openScreen(page, 'Alerts', 'Webhook log')
    await page.getByText('Total: 2 records', { exact: true }).waitFor()
    await expectAccessible(page, 'the webhook log')
    expectNoErrors(page)
  })
})
