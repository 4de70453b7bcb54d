import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, reportFailures } from './browser.ts'
import { api, fetchToken, type Switchroom, startSwitchroom } from './harness.ts'
import { SP } from './screens.ts'
import { shareWorld } from './world.ts'

let server: Switchroom
let page: Page
shareWorld(
  async () => {
    server = await startSwitchroom('sqlite')
  },
  () => server.stop(),
)
beforeEach(async () => {
  page = await openPage({ acceptDownloads: true })
  await logIn(page, server.url)
})

const dialog = () => page.getByRole('dialog')
const column = (heading: string) =>
  dialog().getByRole('combobox', { name: `Field for “${heading}”` })

async function open() {
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog().getByLabel('CSV file').waitFor()
}

const choose = (file: string | Buffer) =>
  dialog()
    .getByLabel('CSV file')
    .setInputFiles({ name: 'numbers.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })

async function importAll(rows: number) {
  await dialog()
    .getByRole('button', { name: `Import ${rows} rows` })
    .click()
  await dialog().waitFor({ state: 'hidden' })
}

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
const stored = async () => {
  const token = await fetchToken(server.url)
  const rows = await api<{ number: string; description: string | null }[]>(
    server.url,
    token,
    'GET',
    '/PhoneNumbers',
  )
  return Object.fromEntries(rows.map((n) => [n.number, n.description]))
}
const lines = (...rows: string[]) => `${rows.join('\r\n')}\r\n`

it('imports what spreadsheets and people make of a list of numbers', async () => {
  await reportFailures(page, 'import-files', async () => {
    await page.goto(`${server.url}/internal/phone-numbers`)
    await page.getByRole('heading', { name: 'Phone numbers' }).waitFor()

    const files: [string, string | Buffer][] = [
      ['semicolons', lines('number;description', '49301001;Zürich, Mitte', '49301002;')],
      ['tabs', lines('number\tdescription', '49302001\tZürich', '49302002\t')],
      ['a named separator', lines('sep=;', 'number;description', '49303001;Zürich', '49303002;')],
      ['UTF-16', utf16(lines('number\tdescription', '49304001\tZürich', '49304002\t'))],
      ['apostrophes', lines('number,description', "'49305001,one", "'+49305002,two")],
      [
        'odd spaces',
        lines('\u00a0number,description\u200b', '\u200b49306001\u00a0,one', '+49\u00a0306 002,'),
      ],
      ['German headings', lines('Rufnummer;BESCHREIBUNG', '49307001;eins', '49307002;zwei')],
    ]
    for (const [, file] of files) {
      await open()
      await choose(file)
      await importAll(2)
    }
    expect(await stored()).toMatchObject({
      '49301001': 'Zürich, Mitte',
      '49302001': 'Zürich',
      '49303001': 'Zürich',
      '49304001': 'Zürich',
      '49305001': 'one',
      '49305002': 'two',
      '49306001': 'one',
      '49306002': null,
      '49307001': 'eins',
    })

    // nothing says that a file is in Windows-1252: its person looks at the letters
    await open()
    await choose(Buffer.from(lines('number;description', '49308001;Köln', '49308002;'), 'latin1'))
    await dialog().getByRole('cell', { name: 'Köln' }).waitFor()
    await expectAccessible(page, 'import, encoding')
    await dialog().getByRole('button', { name: 'The letters are right' }).click()
    await importAll(2)
    expect(await stored()).toMatchObject({ '49308001': 'Köln' })

    // a spreadsheet has made figures of numbers
    await open()
    await choose(lines('number;description', '15085550105.0;', '1.5085550106;', '4,41E+11;'))
    for (const line of [2, 3, 4])
      await dialog()
        .getByRole('row', {
          name: new RegExp(`^${line} number This looks like a number that a spreadsheet has`),
        })
        .waitFor()
    expect(await dialog().getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(
      true,
    )

    // columns under other words
    await choose(lines('Numéro;Kunde;Info', '49309001;4711;un', '49309002;4712;deux'))
    await dialog().getByRole('cell', { name: '49309001 49309002' }).waitFor()
    await expectAccessible(page, 'import, columns')
    await expectNoSidewaysScroll(page, 'import, columns')
    await column('Numéro').selectOption('number')
    await column('Kunde').selectOption('number')
    await dialog().getByRole('button', { name: 'Check the file with these columns' }).click()
    await dialog().getByText('The column "number" is there twice').waitFor()
    await column('Kunde').selectOption('')
    await column('Info').selectOption('description')
    await dialog().getByRole('button', { name: 'Check the file with these columns' }).click()
    await importAll(2)
    expect(await stored()).toMatchObject({ '49309001': 'un', '49309002': 'deux' })

    // the next file of this kind needs no choice, in another browser either
    const elsewhere = await openPage()
    await logIn(elsewhere, server.url)
    page = elsewhere
    await page.goto(`${server.url}/internal/phone-numbers`)
    await open()
    await choose(lines('Info;Numéro;Kunde', 'trois;49309003;4713', 'quatre;49309004;'))
    await dialog().getByRole('button', { name: 'Import 2 rows' }).waitFor()
    expect(await column('Info').inputValue()).toBe('description')
    await importAll(2)
    expect(await stored()).toMatchObject({ '49309003': 'trois' })
    expectNoErrors(elsewhere)
  })
  expectNoErrors(page)
})

it('takes no number that a spreadsheet has changed from a form', async () => {
  const token = await fetchToken(server.url)
  const create = (path: string, body: object) =>
    api<{ sid: string }>(server.url, token, 'POST', path, body)
  const { sid } = await create('/VoipCarriers', { name: 'Trunk', service_provider_sid: SP })
  await reportFailures(page, 'typed-numbers', async () => {
    await page.goto(`${server.url}/internal/phone-numbers/add`)
    const save = page.getByRole('main').getByRole('button', { name: 'Save', exact: true })
    const changed = page.getByText('This looks like a number that a spreadsheet has changed.')
    await page.getByLabel('Phone number').fill('1.5085550106')
    await save.click()
    await changed.first().waitFor()
    await page.getByLabel('Phone number').fill('1508....')
    await changed.first().waitFor({ state: 'hidden' })

    // as this console prints it
    await page.getByLabel('Phone number').fill('+44 (0)20 7946-0958')
    for (const name of ['Account', 'Carrier']) {
      await page.getByRole('combobox', { name }).click()
      await page.getByRole('option').first().click()
    }
    await save.click()
    await page.getByText('Phone number created successfully').waitFor()
    const numbers = await api<{ number: string }[]>(server.url, token, 'GET', '/PhoneNumbers')
    expect(numbers.map(({ number }) => number)).toContain('442079460958')

    // the API takes what the platform takes, and its table can still be edited
    const routes = [{ regex: '44.0', lcr_carrier_set_entries: [{ voip_carrier_sid: sid }] }]
    const table = await create('/Lcrs', {
      name: 'Everywhere',
      service_provider_sid: SP,
      default_carrier: sid,
      routes,
    })
    await page.goto(`${server.url}/internal/least-cost-routing/${table.sid}/edit`)
    await page.getByRole('button', { name: 'Add route' }).click()
    const pattern = page.getByLabel('Digit pattern').last()
    await pattern.fill('4.41E+11')
    await save.click()
    await changed.first().waitFor()
    expect(await changed.count()).toBe(1)
  })
  expectNoErrors(page)
})

it('exports as the person prefers', async () => {
  const exported = async () => {
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export', exact: true }).click(),
    ])
    return (await readFile(await saved.path(), 'utf8')).split('\r\n')
  }
  await reportFailures(page, 'export-files', async () => {
    const openLog = async () => {
      await page.goto(`${server.url}/internal/audit-log`)
      await page.getByRole('row', { name: /admin/ }).first().waitFor()
    }
    await openLog()
    expect((await exported())[1]).toMatch(/^\d+,\d{4}-\d\d-\d\dT[\d:.]+Z,/)
    await page.goto(`${server.url}/internal/preferences`)
    await page.getByRole('radio', { name: 'Semicolon' }).click()
    await page.getByRole('radio', { name: /^In your time zone/ }).click()
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Tokyo')
    const saved = page.waitForResponse((r) => r.url().endsWith('/Preferences') && r.ok())
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
    await saved
    await expectAccessible(page, 'preferences, files')
    await openLog()
    const [head, first] = await exported()
    expect(head).toMatch(/^seq;at;.*;time_zone$/)
    expect(first).toMatch(/^\d+;\d{4}-\d\d-\d\d \d\d:\d\d:\d\d;.*;Asia\/Tokyo$/)
  })
  expectNoErrors(page)
})
