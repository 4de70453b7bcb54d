import { readFileSync } from 'node:fs'
import { PROGRESS_TYPE } from '@switchroom/contract'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { caseCount } from '../packages/server/test/trust.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, reportFailures } from './browser.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, PASSWORD, type Switchroom, startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'
import { SP } from './screens.ts'
import { shareWorld } from './world.ts'

declare global {
  var progressSeen: string[]
}
/** Every piece of an answer that tells its progress waits for two frames, so that the page shows each. */
const deliverByFrame = (page: Page, progressType: string) =>
  page.addInitScript((type) => {
    const { fetch } = globalThis
    globalThis.fetch = async (...request) => {
      const response = await fetch(...request)
      if (!response.headers.get('content-type')?.startsWith(type)) return response
      const byLine = new TransformStream<string, string>({
        async transform(text, controller) {
          for (const line of text.split(/(?<=\n)/)) {
            controller.enqueue(line)
            await new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))
          }
        },
      })
      const lines = response.body
        ?.pipeThrough(new TextDecoderStream())
        .pipeThrough(byLine)
        .pipeThrough(new TextEncoderStream())
      return new Response(lines, response)
    }
  }, progressType)

/** Hears what a dialog says of its progress, which may be there for a moment only. */
const listenForProgress = (page: Page) =>
  page.evaluate(() => {
    globalThis.progressSeen = []
    new MutationObserver(() => {
      for (const one of document.querySelectorAll('[role=dialog] *'))
        if (one.childElementCount === 0 && one.textContent?.endsWith('…'))
          globalThis.progressSeen.push(one.textContent)
    }).observe(document.body, { childList: true, characterData: true, subtree: true })
  })
const progress = (page: Page) => page.evaluate(() => globalThis.progressSeen)

const NUMBERS = caseCount(6_000, 20_000)
const ALL = NUMBERS.toLocaleString('en-US')

const bar = (page: Page) => page.getByRole('toolbar')
const dialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) =>
  bar(page).getByRole('button', { name, exact: true }).click()
const confirm = (page: Page, name: string) =>
  dialog(page).getByRole('button', { name, exact: true }).click()

describe.each(databasesFor('bulk'))('on %s', (database) => {
  let server: Switchroom
  let token: string
  let ingest: number
  shareWorld(
    async () => {
      ingest = await freePort()
      server = await startSwitchroom(database, { SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${ingest}` })
      token = await fetchToken(server.url)
    },
    () => server.stop(),
  )
  const create = <T>(path: string, body: object) => api<T>(server.url, token, 'POST', path, body)

  const accountSid = async () =>
    (await api<[{ account_sid: string }]>(server.url, token, 'GET', '/Accounts'))[0].account_sid

  const importCsv = async (path: string, csv: string) => {
    const response = await fetch(`${server.url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
      body: csv,
    })
    expect(await response.text()).toContain('"bad_rows":0')
  }

  it('activates, restricts, exports and deletes SIP clients', async () => {
    const account_sid = await accountSid()
    for (let i = 10; i < 40; i++)
      await create('/Clients', { username: `desk-${i}`, password: 'x', account_sid })
    const page = await openPage({ acceptDownloads: true })
    await logIn(page, server.url)
    await reportFailures(page, `bulk-clients-${database}`, async () => {
      await page.goto(`${server.url}/internal/clients?filter=desk`)
      await page.getByLabel('Select all on this page').check()
      await page.getByRole('button', { name: 'Select all 30' }).click()
      await press(page, 'Deactivate…')
      await dialog(page).getByText('Their devices can no longer register.').waitFor()
      await expectAccessible(page, 'a deactivation of SIP clients')
      await confirm(page, 'Deactivate 30 SIP clients')
      await page.getByText('30 SIP clients deactivated').waitFor()
      await expect.poll(() => page.getByRole('row', { name: /Inactive/ }).count()).toBe(25)
      await bar(page).waitFor({ state: 'detached' })

      for (const n of [0, 1]) await page.getByLabel('Select this row').nth(n).check()
      await press(page, 'Activate…')
      await confirm(page, 'Activate 2 SIP clients')
      await page.getByText('2 SIP clients activated').waitFor()

      for (const n of [0, 1, 2]) await page.getByLabel('Select this row').nth(n).check()
      await press(page, 'Direct calling…')
      const apply = dialog(page).getByRole('button', { name: 'Update 3 SIP clients' })
      expect(await apply.isDisabled()).toBe(true)
      await dialog(page).getByLabel('Queues').selectOption('Do not allow')
      await expectAccessible(page, 'what SIP clients may call')
      await expectNoSidewaysScroll(page, 'what SIP clients may call')
      await apply.click()
      await page.getByText('3 SIP clients updated').waitFor()

      for (const n of [0, 1]) await page.getByLabel('Select this row').nth(n).check()
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        press(page, 'Export selected'),
      ])
      expect(
        readFileSync(await saved.path(), 'utf8')
          .split('\r\n')
          .slice(1, 3),
      ).toEqual(['desk-10,default account,,1,1,0,1', 'desk-11,default account,,1,1,0,1'])
      await press(page, 'Delete…')
      await confirm(page, 'Delete 2 SIP clients')
      await page.getByText('2 SIP clients deleted').waitFor()
      await page.getByText('Total: 28 records').waitFor()
    })
    expectNoErrors(page)
    await page.context().close()
  })

  it('deactivates, restricts, exports and deletes users, but not oneself', async () => {
    const names = Array.from({ length: 28 }, (_, i) => `agent-${i + 10}`)
    const rows = names.map((name) => `${name},${name}@example.org,default account,${PASSWORD},0`)
    await importCsv(
      '/Users/Import',
      `name,email,account,password,force_change\n${rows.join('\n')}\n`,
    )
    const agent = await fetchToken(server.url, 'agent-10')
    const page = await openPage({ acceptDownloads: true })
    await logIn(page, server.url)
    await reportFailures(page, `bulk-users-${database}`, async () => {
      await page.goto(`${server.url}/internal/users?filter=agent`)
      await page.getByLabel('Select all on this page').check()
      await page.getByRole('button', { name: 'Select all 28' }).click()
      await press(page, 'Deactivate…')
      await dialog(page)
        .getByText('They are logged out at once and can no longer log in.')
        .waitFor()
      await expectAccessible(page, 'a deactivation of users')
      await confirm(page, 'Deactivate 28 users')
      await page.getByText('28 users deactivated').waitFor()
      await expect.poll(() => page.getByRole('row', { name: /Inactive/ }).count()).toBe(25)
      await bar(page).waitFor({ state: 'detached' })
      await expect(api(server.url, agent, 'GET', '/Users/me')).rejects.toThrow('401')

      const choose = async (count: number) => {
        for (let n = 0; n < count; n++) await page.getByLabel('Select this row').nth(n).check()
      }
      await choose(3)
      await press(page, 'Activate…')
      await confirm(page, 'Activate 3 users')
      await page.getByText('3 users activated').waitFor()
      const anew = await fetchToken(server.url, 'agent-10')

      await choose(2)
      await press(page, 'View-only access…')
      const apply = dialog(page).getByRole('button', { name: 'Change access of 2 users' })
      expect(await apply.isDisabled()).toBe(true)
      await dialog(page).getByLabel('Permissions').selectOption('View only')
      await expectAccessible(page, 'what users may do')
      await expectNoSidewaysScroll(page, 'what users may do')
      await apply.click()
      await page.getByText('2 users updated').waitFor()
      await expect.poll(() => page.getByRole('row', { name: /View-only/ }).count()).toBe(2)
      await expect(api(server.url, anew, 'GET', '/Users/me')).rejects.toThrow('401')

      await choose(1)
      await press(page, 'Require password change…')
      await confirm(page, 'Require a password change for 1 user')
      await page.getByText('1 user updated').waitFor()

      await choose(2)
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        press(page, 'Export selected'),
      ])
      expect(
        readFileSync(await saved.path(), 'utf8')
          .split('\r\n')
          .slice(1, 3),
      ).toEqual([
        'agent-10,agent-10@example.org,account,default service provider,default account,1,1,,1',
        'agent-11,agent-11@example.org,account,default service provider,default account,1,1,,0',
      ])
      await press(page, 'Delete…')
      await confirm(page, 'Delete 2 users')
      await page.getByText('2 users deleted').waitFor()
      await page.getByText('Total: 26 records').waitFor()

      await page.goto(`${server.url}/internal/users`)
      await page.getByLabel('Select all on this page').check()
      await press(page, 'Delete…')
      await confirm(page, 'Delete 25 users')
      await dialog(page)
        .getByText('admin: This is your own user. Leave it out of the selection')
        .waitFor()
      await expectAccessible(page, 'a refused deletion of users')
      await expectNoSidewaysScroll(page, 'a refused deletion of users')
      await dialog(page).getByRole('button', { name: 'Cancel' }).click()
      await page.getByText('Total: 27 records').waitFor()
    })
    expectNoErrors(page)
    await page.context().close()

    const [{ user_sid }] = await api<[{ user_sid: string }]>(
      server.url,
      token,
      'GET',
      '/Users?filter=agent-12',
    )
    await api(server.url, token, 'PUT', `/Users/${user_sid}`, { is_view_only: 1 })
    const viewer = await openPage()
    await logIn(viewer, server.url, 'agent-12')
    await viewer.goto(`${server.url}/internal/users`)
    await viewer.getByRole('row', { name: /agent-13/ }).waitFor()
    expect(await viewer.getByLabel('Select this row').count()).toBe(0)
    await viewer.context().close()
  })

  it('activates, deactivates, exports and deletes carriers', async () => {
    const account_sid = await accountSid()
    const add = async (name: string, ...addresses: string[]) =>
      (
        await create<{ sid: string }>('/VoipCarriers', {
          name,
          service_provider_sid: SP,
          sip_gateways: addresses.map((ipv4) => ({ ipv4, inbound: 1, outbound: 1 })),
        })
      ).sid
    await add('Trunk north', '203.0.113.10', '203.0.113.11')
    const south = await add('Trunk south', '203.0.113.20')
    await add('Trunk west', '203.0.113.30')
    await create('/PhoneNumbers', { number: '1508', voip_carrier_sid: south, account_sid })
    // two calls of one time would be one call
    const before = Date.now() - 60_000
    const written = await fetch(`http://127.0.0.1:${ingest}/write?db=cdrs&precision=n`, {
      method: 'POST',
      body: [1, 2, 3]
        .map(
          (i) =>
            `cdrs,account_sid=${account_sid},service_provider_sid=${SP},answered=true,direction=outbound,host=10.0.0.1,trunk=x call_sid="c${i}",sip_callid="s${i}",from="1509",to="44${i}",duration=1 ${before - i}000000`,
        )
        .join('\n'),
    })
    expect(written.status).toBe(204)

    const page = await openPage({ acceptDownloads: true })
    await logIn(page, server.url)
    await reportFailures(page, `bulk-carriers-${database}`, async () => {
      await page.goto(`${server.url}/internal/carriers?filter=Trunk`)
      const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
      const select = (name: string) => row(name).getByLabel('Select this row')
      // by keyboard, as other lists
      await row('Trunk north').getByRole('link', { name: 'Trunk north' }).focus()
      await page.keyboard.press('x')
      await bar(page).getByText('1 selected').waitFor()
      await expectNoSidewaysScroll(page, 'selected carriers')
      await page.getByLabel('Select all on this page').check()
      await press(page, 'Deactivate…')
      await dialog(page).getByText('Routes that name them still send them calls.').waitFor()
      await dialog(page).getByText('3 calls would no longer be routed.').waitFor()
      await dialog(page).getByText('3 numbers', { exact: true }).click()
      await expectAccessible(page, 'a deactivation of carriers')
      await expectNoSidewaysScroll(page, 'a deactivation of carriers')
      await confirm(page, 'Deactivate 3 carriers')
      await page.getByText('3 carriers deactivated').waitFor()
      await expect.poll(() => page.getByRole('row', { name: /Inactive/ }).count()).toBe(3)

      await select('Trunk north').check()
      await select('Trunk south').check()
      await press(page, 'Activate…')
      await dialog(page).getByText('Their inbound calls are accepted').waitFor()
      await confirm(page, 'Activate 2 carriers')
      await page.getByText('2 carriers activated').waitFor()
      await expect.poll(() => page.getByRole('row', { name: /Inactive/ }).count()).toBe(1)

      await page.getByLabel('Select all on this page').check()
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        press(page, 'Export selected'),
      ])
      const lines = readFileSync(await saved.path(), 'utf8').split('\r\n')
      expect(lines.map((line) => line.split(',')[0])).toEqual([
        'name',
        'Trunk north',
        'Trunk north',
        'Trunk south',
        'Trunk west',
        '',
      ])

      await press(page, 'Delete…')
      await dialog(page)
        .getByText('1 of 3 carriers is in use by phone numbers or routes.')
        .waitFor()
      await confirm(page, 'Delete 3 carriers')
      await dialog(page).getByText('Nothing was changed: 1 of 3 carriers are in use').waitFor()
      await dialog(page).getByText('Trunk south: Used by 1 phone number').waitFor()
      await expectAccessible(page, 'a refused deletion of carriers')
      await expectNoSidewaysScroll(page, 'a refused deletion of carriers')
      await page.keyboard.press('Escape')
      await select('Trunk south').uncheck()
      await press(page, 'Delete…')
      await dialog(page).getByText('No phone numbers or routes use them.').waitFor()
      await confirm(page, 'Delete 2 carriers')
      await page.getByText('2 carriers deleted').waitFor()
      await page.getByText('Total: 1 record').waitFor()
    })
    expectNoErrors(page)
    await page.context().close()
  })

  it('shows how far a change of many numbers is, and says it is done once it is', async () => {
    const rows = Array.from({ length: NUMBERS }, (_, i) => `${30_000_000_000 + i},default account`)
    await importCsv('/PhoneNumbers/Import', `number,account\n${rows.join('\n')}\n`)
    const page = await openPage()
    await deliverByFrame(page, PROGRESS_TYPE)
    await logIn(page, server.url)
    await reportFailures(page, `bulk-numbers-${database}`, async () => {
      await page.goto(`${server.url}/internal/phone-numbers?filter=3000`)
      const selectAll = async () => {
        await page.getByLabel('Select all on this page').check()
        await page.getByRole('button', { name: `Select all ${ALL}` }).click()
      }
      await selectAll()
      await press(page, 'Describe…')
      await dialog(page).getByLabel('Description').fill('Block of 2026')
      await listenForProgress(page)
      await confirm(page, `Describe ${ALL} phone numbers`)
      await expectAccessible(page, 'the progress of a change')
      await page.getByText(`${ALL} phone numbers updated`).waitFor()
      expect(await progress(page)).toContainEqual(
        expect.stringMatching(new RegExp(`^[\\d,]+ of ${ALL} phone numbers…$`)),
      )
      await page
        .getByRole('row', { name: /Block of 2026/ })
        .first()
        .waitFor()

      // it goes on without its dialog
      await selectAll()
      await press(page, 'Delete…')
      await dialog(page).getByLabel(`Type ${NUMBERS} to confirm`).fill(String(NUMBERS))
      await confirm(page, `Delete ${ALL} phone numbers`)
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })
      await page.getByText(`${ALL} phone numbers deleted`).waitFor()
      await page.getByText(/No phone numbers match|No phone numbers/).waitFor()
    })
    expectNoErrors(page)
    await page.context().close()
  })
})
