import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, reportFailures } from './browser.ts'
import { api, fetchToken, type Switchroom, startSwitchroom } from './harness.ts'
import { SP } from './screens.ts'
import { shareWorld } from './world.ts'

/** Copies what a form would send, and the request of a list, and runs both. */
const CANARY = `canary "s'ecret" $(x)`
let server: Switchroom
shareWorld(
  async () => {
    server = await startSwitchroom('sqlite')
  },
  () => server.stop(),
)

const panel = (page: Page) => page.getByRole('region', { name: 'Copy as code' })
const shown = (page: Page, language: string) =>
  panel(page)
    .getByRole('region', { name: `${language} text` })
    .innerText()

it('shows forms and lists as commands that run', async () => {
  const token = await fetchToken(server.url)
  const run = async (command: string, secrets: Record<string, string> = {}) => {
    const env = { PATH: process.env.PATH!, SWITCHROOM_API_KEY: token, ...secrets }
    return (await promisify(execFile)('sh', ['-c', command], { env })).stdout
  }
  const page = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] })
  await logIn(page, server.url)
  await reportFailures(page, 'copy-as', async () => {
    await page.goto(`${server.url}/internal/carriers/add`)
    await page.getByRole('button', { name: 'Copy as…' }).click()
    await panel(page).getByRole('tab', { name: 'curl', selected: true }).waitFor()
    await expectAccessible(page, 'copy as')
    await expectNoSidewaysScroll(page, 'copy as')
    // it follows what is typed
    const name = `It's "North" $(touch /tmp/never)`
    await page.getByLabel('Carrier name').fill(name)
    await expect.poll(() => shown(page, 'curl')).toContain('North')
    await page.getByLabel('Trunk type').selectOption('Auth Trunk')
    await page.getByRole('tab', { name: 'Inbound', exact: true }).click()
    await page.getByLabel('Username').first().fill('north')
    await page.getByLabel('Password').first().fill(CANARY)
    await page.getByRole('tab', { name: 'SIP', exact: true }).click()
    await page.getByLabel('Network address').first().fill('203.0.113.10')
    await expect.poll(() => shown(page, 'curl')).toContain('$INBOUND_AUTH_PASSWORD')
    await expect.poll(() => shown(page, 'curl')).toContain('203.0.113.10')
    const command = await shown(page, 'curl')
    await panel(page).getByRole('tab', { name: 'TypeScript' }).click()
    const code = await shown(page, 'TypeScript')
    expect(code).toContain('process.env.INBOUND_AUTH_PASSWORD')
    for (const text of [command, code]) {
      expect(text).not.toContain('canary')
      expect(text).not.toContain(token)
    }
    await panel(page).getByRole('button', { name: 'Copy TypeScript' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('process.env')

    const { sid } = JSON.parse(await run(command, { INBOUND_AUTH_PASSWORD: CANARY }))
    expect(await api(server.url, token, 'GET', `/VoipCarriers/${sid}`)).toMatchObject({
      name,
      service_provider_sid: SP,
      inbound_auth_password: CANARY,
      sip_gateways: [{ ipv4: '203.0.113.10' }],
    })
    await panel(page).getByRole('button', { name: 'Close' }).click()
    await panel(page).waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Discard' }).click()

    await page.goto(`${server.url}/internal/carriers?filter=North`)
    await page.getByRole('button', { name: 'Copy as…' }).click()
    await expect.poll(() => shown(page, 'curl')).toContain('filter=North')
    const list = JSON.parse(await run(await shown(page, 'curl')))
    await expectNoSidewaysScroll(page, 'copy as, of a list')
    expect(list).toMatchObject({ total: 1, data: [{ name }] })
    expectNoErrors(page)
  })
})
