import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, logInByForm, openPage, reportFailures } from './browser.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, type Switchroom, startSwitchroom } from './harness.ts'
import { shareWorld } from './world.ts'

const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'
const NEW_PASSWORD = 'quiet harbour 7'

const sidebarLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')

/** Waits for the list, since the screen before it may have the same buttons. */
async function openList(page: Page, name: string) {
  await sidebarLink(page, name).click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
}

/** Chooses a file in the open dialog. */
const choose = (page: Page, lines: string[]) =>
  dialog(page)
    .getByLabel('CSV file')
    .setInputFiles({
      name: 'file.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`${lines.join('\n')}\n`),
    })

async function importFile(page: Page, button: string, lines: string[], done: string) {
  await page.getByRole('button', { name: button, exact: true }).click()
  await choose(page, lines)
  await dialog(page)
    .getByRole('button', { name: /^Import \d+ rows$/ })
    .click()
  await page.getByText(done).waitFor()
}

/** The lines of a downloaded file. */
async function exported(page: Page, button: string, name: string) {
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ])
  expect(saved.suggestedFilename()).toBe(name)
  return (await readFile(await saved.path(), 'utf8')).trim().split('\r\n')
}

async function expectRefused(page: Page, button: string, lines: string[], problem: RegExp) {
  await page.getByRole('button', { name: button, exact: true }).click()
  await choose(page, lines)
  await dialog(page).getByRole('row', { name: problem }).waitFor()
  await expectAccessible(page, `${button}, refused`)
  await expectNoSidewaysScroll(page, `${button}, refused`)
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
}

describe.each(databasesFor('csv'))('on %s', (database) => {
  let server: Switchroom
  let page: Page
  shareWorld(
    async () => {
      // full cost of hashes: with cheap ones, the import of users is over before it is cancelled
      server = await startSwitchroom(database, { NODE_OPTIONS: '' })
    },
    () => server.stop(),
  )
  beforeEach(async () => {
    page = await openPage({ acceptDownloads: true })
    await logIn(page, server.url)
  })

  it('imports users, who can log in, and exports them without passwords', async () => {
    await reportFailures(page, `csv-users-${database}`, async () => {
      await openList(page, 'Users')
      const head = 'name,email,account,password,force_change,is_view_only'
      await expectRefused(
        page,
        'Import',
        [head, `ann,ann@example.org,default account,password1,,`],
        /2 password This password is too easy to guess/,
      )
      const rows = [
        `ann,ann@example.org,default account,${NEW_PASSWORD},0,`,
        `ben,ben@example.org,default account,${NEW_PASSWORD},,1`,
      ]
      await importFile(page, 'Import', [head, ...rows], 'Imported 2 users')
      await page.getByRole('row', { name: /ben .*View-only/ }).waitFor()
      const lines = await exported(page, 'Export all', 'users.csv')
      expect(lines).toContain(
        'ann,ann@example.org,account,default service provider,default account,1,0,,0',
      )

      // closed halfway, an import keeps nothing
      const many = Array.from(
        { length: 60 },
        (_, i) => `c${i},c${i}@example.org,default account,${NEW_PASSWORD},,`,
      )
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      await choose(page, [head, ...many])
      await dialog(page).getByRole('button', { name: 'Import 60 rows' }).click()
      await dialog(page)
        .getByText(/^Importing (?:[2-9]|[1-5]\d) of 60 rows/)
        .waitFor()
      // the server then hashes no more of them, which its own test shows
      await Promise.all([
        page.waitForEvent('requestfailed', (r) => r.url().includes('/Users/Import')),
        dialog(page).getByRole('button', { name: 'Cancel' }).click(),
      ])
      const token = await fetchToken(server.url)
      const added = async () =>
        (await api<unknown[]>(server.url, token, 'GET', '/Users?filter=c5')).length
      expect(await added()).toBe(0)

      const theirs = await openPage()
      await logInByForm(theirs, server.url, 'ann', NEW_PASSWORD)
      await sidebarLink(theirs, 'Users').click()
      await theirs.getByRole('row', { name: /ann@example.org/ }).waitFor()
      await theirs.context().close()
    })
    expectNoErrors(page)
  })

  it('imports carriers with a line for each gateway, and exports them', async () => {
    await reportFailures(page, `csv-carriers-${database}`, async () => {
      await openList(page, 'Carriers')
      const head = 'name,trunk_type,gateway,netmask,inbound,outbound'
      await expectRefused(
        page,
        'Import',
        [head, 'North,static_ip,10.1.0.1,,1,1', 'North,auth,10.1.0.2,,1,1'],
        /3 trunk_type Differs from line 2 of the same carrier/,
      )
      const rows = [
        'North,static_ip,10.1.0.0,24,1,0',
        'North,,10.2.0.1,,0,1',
        'East,,10.3.0.1,,1,1',
      ]
      await importFile(page, 'Import', [head, ...rows], 'Imported 3 rows of carriers')
      await page.getByRole('row', { name: /North .*1 in, 1 out/ }).waitFor()
      const lines = await exported(page, 'Export all', 'carriers.csv')
      expect(lines.filter((line) => line.startsWith('North,'))).toHaveLength(2)
      expect(lines.at(-2)).toContain('10.1.0.0,24,5060,udp,1,0')
    })
    expectNoErrors(page)
  })

  it('adds routes to a routing table from a file, and exports them', async () => {
    const token = await fetchToken(server.url)
    const create = (path: string, body: object) =>
      api<{ sid: string }>(server.url, token, 'POST', path, body)
    const { sid: carrier } = await create('/VoipCarriers', {
      name: 'West',
      service_provider_sid: SP,
    })
    const { sid } = await create('/Lcrs', {
      name: 'Everywhere',
      service_provider_sid: SP,
      default_carrier: carrier,
      routes: [{ regex: '^44', lcr_carrier_set_entries: [{ voip_carrier_sid: carrier }] }],
    })
    await reportFailures(page, `csv-routes-${database}`, async () => {
      await page.goto(`${server.url}/internal/least-cost-routing/${sid}`)
      await page.getByRole('heading', { name: 'Everywhere' }).waitFor()
      const head = 'pattern,description,carrier'
      await expectRefused(
        page,
        'Import',
        [head, '^44,Britain,West', '^49,Germany,Nowhere'],
        /3 carrier No such carrier/,
      )
      await importFile(
        page,
        'Import',
        [head, '^49,Germany,West', '^33,France,West'],
        'Imported 2 rows of routes',
      )
      await page.getByRole('listitem').filter({ hasText: '^33West France' }).waitFor()
      expect(await exported(page, 'Export', 'routes.csv')).toEqual([
        'pattern,description,priority,carrier,workload',
        '^44,,0,West,1',
        '^49,Germany,1,West,1',
        '^33,France,2,West,1',
      ])
    })
    expectNoErrors(page)
  })
})
