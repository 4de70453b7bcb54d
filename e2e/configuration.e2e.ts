import { createRequire } from 'node:module'
import { buffer } from 'node:stream/consumers'
import { strFromU8, unzipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, expectHighContrast, expectNoSidewaysScroll } from './accessibility.ts'
import {
  expectNoErrors,
  expectToast,
  logIn,
  openPage,
  openScreen,
  reportFailures,
} from './browser.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, PASSWORD, type Switchroom, startSwitchroom } from './harness.ts'
import { SP } from './screens.ts'

const hook = { url: 'https://example.com/hook', method: 'POST' }

/** An account with two carriers, routes over both, an application, a number and a telephone. */
async function seed(url: string, token: string) {
  const post = (path: string, body: object) =>
    api<{ sid: string }>(url, token, 'POST', path, body).then((made) => made.sid)
  const account_sid = await post('/Accounts', { name: 'Acme East', service_provider_sid: SP })
  const carrier = (name: string, ipv4: string) =>
    post('/VoipCarriers', { name, account_sid, sip_gateways: [{ ipv4, inbound: 1, outbound: 1 }] })
  const northern = await carrier('Northern', '203.0.113.10')
  const southern = await carrier('Southern', '203.0.113.20')
  const application_sid = await post('/Applications', {
    ...{ name: 'Front desk', account_sid },
    call_hook: { ...hook, username: 'u', password: 'hidden-1' },
    call_status_hook: hook,
  })
  await post('/PhoneNumbers', {
    ...{ number: '442079460958', account_sid, application_sid, voip_carrier_sid: northern },
  })
  await post('/Clients', { account_sid, username: 'jane', password: 'hidden-2' })
  await post('/Lcrs', {
    ...{ name: 'Outbound', account_sid, default_carrier: southern },
    routes: [{ regex: '^44', lcr_carrier_set_entries: [{ voip_carrier_sid: northern }] }],
  })
  return account_sid
}

type Lookups = {
  lookupCarrierByAccountLcr: (account: string, number: string) => Promise<string | undefined>
  lookupAppByPhoneNumber: (
    number: string,
    carrier: string,
  ) => Promise<{ application_sid: string } | null>
  pool: { promise: () => { end: () => Promise<void> } }
}

/** Routes of calls, by the route simulator, and by the platform's own data layer where the story has its database. */
async function routesOf({ url, mysql }: Switchroom, token: string, account_sid: string) {
  const names = new Map<string, string>()
  for (const [path, sid] of [
    ['VoipCarriers', 'voip_carrier_sid'],
    ['Applications', 'application_sid'],
  ] as const) {
    const rows = await api<Record<string, string>[]>(url, token, 'GET', `/${path}`)
    for (const row of rows) names.set(row[sid]!, row.name!)
  }
  const simulate = async (direction: string, body: object) => {
    const result = await api<{ outcome: string; steps: object[] }>(
      ...([url, token, 'POST', `/RouteSimulations/${direction}`] as const),
      { account_sid, ...body },
    )
    // what it names it names by name
    return JSON.stringify(result).replace(/[\da-f]{8}-[\da-f-]{27}/g, (sid) => names.get(sid) ?? '')
  }
  const simulated = [
    await simulate('Outbound', { number: '442079460000' }),
    await simulate('Outbound', { number: '15550100' }),
    await simulate('Inbound', { number: '442079460958', source: '203.0.113.10' }),
  ]
  if (!mysql) return { simulated }
  const open = createRequire(import.meta.url)('@jambonz/db-helpers') as (
    options: object,
    logger: object,
  ) => Lookups
  const silent = { info() {}, debug() {}, error() {}, warn() {} }
  const platform = open(mysql, silent)
  const carriers = await Promise.all(
    ['442079460000', '15550100'].map((number) =>
      platform.lookupCarrierByAccountLcr(account_sid, number),
    ),
  )
  const answers = await platform.lookupAppByPhoneNumber('442079460958', carriers[0]!)
  await platform.pool.promise().end()
  const named = [...carriers, answers?.application_sid].map((sid) => names.get(sid!))
  return { simulated, named }
}

const main = (page: Page) => page.getByRole('main')
const press = (page: Page, name: string | RegExp) =>
  main(page).getByRole('button', { name, exact: true }).click()
const choose = (page: Page, ...files: { name: string; text: string }[]) =>
  page.setInputFiles(
    'input[type=file][multiple]',
    files.map(({ name, text }) => ({ name, mimeType: '', buffer: Buffer.from(text) })),
  )
async function chooseOwner(page: Page, name: string) {
  await page.getByRole('combobox', { name: 'Configuration of' }).click()
  await page.getByRole('option', { name, exact: true }).click()
}
const expectText = (page: Page, text: string | RegExp) =>
  main(page).getByText(text).filter({ visible: true }).first().waitFor()

it.each(databasesFor('configuration'))(
  'exports a whole account, and brings it back after it was deleted, on %s',
  async (database) => {
    const server = await startSwitchroom(database)
    const { url } = server
    const token = await fetchToken(url)
    const account_sid = await seed(url, token)
    const before = await routesOf(server, token, account_sid)
    if (database === 'mysql') expect(before.named).toEqual(['Northern', 'Southern', 'Front desk'])
    const page = await openPage()
    try {
      await reportFailures(page, 'configuration', async () => {
        await logIn(page, url)
        await page.goto(`${url}/internal/accounts/${account_sid}`)
        await page.getByRole('link', { name: 'Export configuration' }).click()
        await press(page, 'Export')
        await page.getByRole('row', { name: /^lcrs\.yaml 1/ }).waitFor()
        await expectAccessible(page, 'exported files')

        await press(page, 'View clients.yaml')
        const file = page.getByRole('dialog', { name: 'clients.yaml' })
        await file.getByText('password: env:CLIENTS_JANE_PASSWORD?').waitFor()
        await expectAccessible(page, 'a file')
        await page.keyboard.press('Escape')
        await page.getByText('Not in these files').click()
        await expectText(page, 'API keys: their token is shown once, to whoever makes them.')

        const [single] = await Promise.all([
          page.waitForEvent('download'),
          press(page, 'Download lcrs.yaml'),
        ])
        expect(single.suggestedFilename()).toBe('lcrs.yaml')
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          press(page, 'Download all as .zip'),
        ])
        expect(download.suggestedFilename()).toBe('configuration-Acme-East.zip')
        const archive = await buffer(await download.createReadStream())
        const files = unzipSync(new Uint8Array(archive))
        expect(Object.keys(files)).toContain('.schema/clients.json')
        const text = Object.values(files)
          .map((one) => strFromU8(one))
          .join('\n')
        expect(text).not.toContain('hidden')
        expect(text).not.toMatch(/_sid: |[\da-f]{8}-[\da-f]{4}-/)

        await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
        await press(page, 'Copy as one file')
        await expectToast(page, 'The configuration copied to clipboard')
        const copied = await page.evaluate(() => navigator.clipboard.readText())

        await page.getByRole('tab', { name: 'Compare and apply' }).click()
        await choose(page, { name: 'configuration.yaml', text: copied })
        await press(page, 'Compare')
        await expectText(page, /^Nothing to change: everything matches the files/)
        await press(page, 'Remove configuration.yaml')
        const zip = { name: 'all.zip', mimeType: 'application/zip', buffer: archive }
        await page.setInputFiles('input[type=file][multiple]', zip)
        await press(page, 'Compare')
        await expectText(page, /^Nothing to change: everything matches the files/)

        // all of it is deleted, by files without anything
        const names = Object.keys(files).filter((name) =>
          /^(?!account|transcript).*yaml$/.test(name),
        )
        await choose(
          page,
          { name: 'accounts.yaml', text: '- name: Acme East\n' },
          ...names.map((name) => ({ name, text: '[]\n' })),
        )
        await press(page, 'Compare')
        await page.getByRole('checkbox', { name: 'Delete these 6 resources too' }).check()
        await press(page, /^Apply \d+ changes$/)
        await page.getByRole('button', { name: 'Delete 6 resources and apply' }).click()
        await expectText(page, /^Made \d+ changes\./)
        await api(url, token, 'DELETE', `/Accounts/${account_sid}`, {})

        await page.setInputFiles('input[type=file][multiple]', zip)
        await chooseOwner(page, 'A new account, named in accounts.yaml')
        await press(page, 'Compare')
        // nothing is stored that could stay
        await page.getByLabel('CLIENTS_JANE_PASSWORD', { exact: true }).fill('secret-1')
        await page
          .getByLabel('APPLICATIONS_FRONT_DESK_CALL_HOOK_PASSWORD', { exact: true })
          .fill('secret-2')
        await press(page, 'Compare')
        await expectText(page, /to add · 0 unchanged$/)
        await expectAccessible(page, 'a plan')
        expect(await main(page).innerText()).not.toContain('secret-1')
        await press(page, /^Apply \d+ changes$/)
        await expectText(page, /^Made \d+ changes\. They are in the audit log/)
        await expectText(page, /^Nothing to change: everything matches the files/)
        expect(page.url()).not.toContain('secret')
        expect(
          await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])),
        ).not.toContain('secret-1')
        expectNoErrors(page)
      })
      const accounts = await api<{ account_sid: string; name: string }[]>(
        ...([url, token, 'GET', '/Accounts'] as const),
      )
      const back = accounts.find(({ name }) => name === 'Acme East')!
      expect(back.account_sid).not.toBe(account_sid)
      expect(await routesOf(server, token, back.account_sid)).toEqual(before)
    } finally {
      await server.stop()
    }
  },
)

describe('files', () => {
  let server: Switchroom
  let token: string
  let account_sid: string
  beforeAll(async () => {
    server = await startSwitchroom()
    token = await fetchToken(server.url)
    account_sid = await seed(server.url, token)
  })
  afterAll(() => server.stop())

  async function open(name = 'admin') {
    const page = await openPage()
    await logIn(page, server.url, name)
    await page.goto(`${server.url}/internal/configuration?account_sid=${account_sid}&tab=compare`)
    await page.getByRole('button', { name: 'Choose files' }).waitFor()
    return page
  }

  it('with mistakes are refused, and lead to their lines', async () => {
    const page = await open()
    await reportFailures(page, 'configuration-mistakes', async () => {
      await page.goto(`${server.url}/internal/settings?tab=provider`)
      await page.getByRole('link', { name: 'Export configuration' }).click()
      await page.getByRole('tab', { name: 'Compare and apply' }).click()
      await chooseOwner(page, 'Acme East')
      const bomb = `- &a [x, x]\n${[...'bcdefghijklmnop'].map((c, i) => `- &${c} [${'*abcdefghijklmno'.charAt(0)}${'abcdefghijklmno'[i]}, *${'abcdefghijklmno'[i]}]\n`).join('')}`
      const wrong: [string, string, string][] = [
        ['clinets.yaml', '[]', 'Unknown kind. Known kinds:'],
        [
          'clients.yaml',
          '- username: a\n- username: a\n',
          'a is there twice, first in clients.yaml:1',
        ],
        ['clients.yaml', '- username: a\n  color: red\n', 'there is no member color'],
        ['clients.yaml', '- &a [*a]\n', '*a contains itself'],
        ['clients.yaml', bomb, 'Too many aliases'],
        [
          'phone-numbers.yaml',
          '- number: "1"\n  application: none\n',
          'there is no "none" in applications',
        ],
      ]
      for (const [name, text, said] of wrong) {
        await choose(page, { name, text })
        await press(page, 'Compare')
        await expectText(page, said)
        await page.getByRole('button', { name: `Remove ${name}` }).click()
        await main(page).getByText(said).waitFor({ state: 'detached' })
      }
      await choose(page, { name: 'notes.txt', text: 'x' })
      await expectText(page, 'notes.txt is no file of configuration.')
      await choose(page, { name: 'broken.zip', text: 'x' })
      await expectText(page, 'broken.zip is no .zip archive that can be read.')
      await choose(page, { name: 'clients.yaml', text: `# ${'x'.repeat(10_000_000)}` })
      await expectText(page, 'These files have 10.0 MB. The limit is 10.0 MB in total.')

      const lines = Array.from({ length: 300 }, (_, i) => `- username: u${i}\n  password: p\n`)
      lines[200] = '- username: u200\n  colour: red\n'
      await choose(page, { name: 'clients.yaml', text: lines.join('') })
      await press(page, 'Compare')
      await press(page, 'clients.yaml:402')
      const file = page.getByRole('dialog', { name: 'clients.yaml, line 402' })
      await file.locator('.config-line').waitFor()
      const isInSight = await file.locator('.config-line').evaluate((line) => {
        const [box, own] = [line.parentElement!, line].map((e) => e.getBoundingClientRect())
        return own!.top >= box!.top && own!.bottom <= box!.bottom
      })
      expect(isInSight).toBe(true)
      await page.keyboard.press('Escape')
      expectNoErrors(page)
    })
    await page.context().close()
  })

  it('change what differs, delete only when told, and stop at what was changed meanwhile', async () => {
    const page = await open()
    await reportFailures(page, 'configuration-apply', async () => {
      const call_hook = `  call_hook:\n    url: https://\${domain}/call\n    method: POST\n`
      const applications = `- name: Front desk\n${call_hook}  call_status_hook:\n    url: https://example.com/hook\n    method: POST\n`
      await choose(
        page,
        { name: 'applications.yaml', text: applications },
        { name: 'clients.yaml', text: '- username: bob\n  password: env:BOB\n' },
        { name: 'live.vars.yaml', text: 'domain: live.example.com\n' },
      )
      expect(await page.getByLabel('domain', { exact: true }).inputValue()).toBe('live.example.com')
      await press(page, 'Compare')
      await expectText(page, 'Enter a value for BOB.')
      await page.getByLabel('BOB', { exact: true }).fill('secret-1')
      await press(page, 'Compare')
      await expectText(
        page,
        'call_hook.url https://example.com/hook → https://live.example.com/call',
      )
      await expectText(page, /^1 to add · 1 to change · 1 to delete · 0 unchanged$/)
      await expectNoSidewaysScroll(page, 'a plan')
      await expectHighContrast(page, 'a plan')

      // somebody else is quicker
      const [application] = await api<{ application_sid: string }[]>(
        ...([server.url, token, 'GET', `/Accounts/${account_sid}/Applications`] as const),
      )
      await api(server.url, token, 'PUT', `/Applications/${application!.application_sid}`, {
        speech_synthesis_language: 'de-DE',
      })
      await press(page, 'Apply 2 changes')
      await expectText(
        page,
        /^applications "Front desk" was changed meanwhile: speech_synthesis_language\./,
      )
      await expectText(page, 'speech_synthesis_language de-DE → en-US')

      // the first answer is waited for, and whoever stops it meanwhile stops it there
      let letGo = () => {}
      const held = new Promise<void>((resolve) => {
        letGo = resolve
      })
      await page.route('**/api/v1/Applications/*', async (route) => {
        if (route.request().method() === 'PUT') await held
        await route.continue()
      })
      await page.getByRole('checkbox', { name: 'Delete this resource too' }).check()
      await press(page, 'Apply 3 changes')
      const sure = page.getByRole('dialog', { name: 'Delete 1 resource?' })
      await sure.getByText('SIP clients: jane').waitFor()
      await expectAccessible(page, 'what is deleted')
      await sure.getByRole('button', { name: 'Delete 1 resource and apply' }).click()
      await expectText(page, '1 of 3: Applications: Front desk')
      // leaving asks
      await page.getByRole('link', { name: 'Accounts', exact: true }).click()
      const stay = page.getByRole('dialog', { name: 'Changes are being made' })
      await stay.getByRole('button', { name: 'Stay on this page' }).click()
      await press(page, 'Stop')
      letGo()
      await expectText(page, /^Stopped\. 1 of 3 changes are made\./)
      await expectText(page, /^1 to add · 1 to delete · 1 unchanged$/)

      // what somebody else has deleted meanwhile is gone as well
      const clientsOf = () =>
        api<{ client_sid: string; username: string }[]>(
          ...([server.url, token, 'GET', `/Accounts/${account_sid}/Clients`] as const),
        )
      const [jane] = await clientsOf()
      await api(server.url, token, 'DELETE', `/Clients/${jane!.client_sid}`)
      await page.getByRole('checkbox', { name: 'Delete this resource too' }).check()
      await press(page, 'Apply 2 changes')
      await page.getByRole('button', { name: 'Delete 1 resource and apply' }).click()
      await expectText(page, /^Made 2 changes\./)
      await expectText(page, /^Nothing to change: everything matches the files/)
      expect((await clientsOf()).map(({ username }) => username)).toEqual(['bob'])
      // there is nothing to lose any more
      await page.goto(`${server.url}/internal/settings?tab=provider`)
      await page.getByRole('link', { name: 'Export configuration' }).waitFor()
      await openScreen(page, 'Accounts')
      await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
      expectNoErrors(page)
    })
    await page.context().close()
  })

  it('are compared by who may only look, and are of the own account for its users', async () => {
    const create = (name: string, more: object) =>
      api(server.url, token, 'POST', '/Users', {
        ...{ name, email: `${name}@example.com`, initial_password: PASSWORD, is_active: 1 },
        ...{ force_change: 0, service_provider_sid: SP, account_sid, ...more },
      })
    await create('looker', { is_view_only: 1 })
    const page = await open('looker')
    await reportFailures(page, 'configuration-looker', async () => {
      await expectText(
        page,
        'You have view-only access: you can export and compare, but not apply.',
      )
      expect(await page.getByRole('combobox', { name: 'Configuration of' }).count()).toBe(0)
      await choose(page, { name: 'clients.yaml', text: '[]\n' })
      await press(page, 'Compare')
      await expectText(page, /^1 to delete · 0 unchanged$/)
      expect(await main(page).getByRole('checkbox').count()).toBe(0)
      expect(
        await main(page)
          .getByRole('button', { name: /^Apply/ })
          .count(),
      ).toBe(0)
      await openScreen(page, 'Account', 'Configuration')
      await press(page, 'Export')
      await page.getByRole('row', { name: /^accounts\.yaml 1/ }).waitFor()
      expectNoErrors(page)
    })
    await page.context().close()
  })

  it('of a thousand numbers are shown a few at a time', async () => {
    const page = await open()
    await reportFailures(page, 'configuration-thousand', async () => {
      const numbers = Array.from({ length: 1_000 }, (_, i) => `- number: "49600${1_000 + i}"\n`)
      const transfer = await page.evaluateHandle((text) => {
        const data = new DataTransfer()
        data.items.add(new File([text], 'phone-numbers.yaml'))
        return data
      }, numbers.join(''))
      await page.dispatchEvent('.config-drop', 'drop', { dataTransfer: transfer })
      await press(page, 'Compare')
      await expectText(page, /^1,000 to add · 1 to delete · 0 unchanged$/)
      // few are shown at once
      expect(await main(page).getByText('Add', { exact: true }).count()).toBe(25)
      await press(page, 'Show 200 more')
      expect(await main(page).getByText('Add', { exact: true }).count()).toBe(225)
      expectNoErrors(page)
    })
    await page.context().close()
  })
})
