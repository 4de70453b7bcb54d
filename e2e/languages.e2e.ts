import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import {
  expectNoErrors,
  logIn,
  logInByForm,
  openPage,
  reportFailures,
  waitUntilLoaded,
} from './browser.ts'
import { PASSWORD } from './harness.ts'
import { pseudoLanguage, wordsOutside } from './pseudo-language.ts'
import { halfOf, LONG_NAME, navigate, screens, startSeeded, WALK_LIMIT } from './screens.ts'

let server: Awaited<ReturnType<typeof startSeeded>>
beforeAll(async () => {
  server = await startSeeded()
})
afterAll(() => server.stop())

/** Names given by people and the platform, which no catalogue has. */
const NAMES = [
  LONG_NAME,
  'default service provider',
  'default account',
  'Front desk',
  'Northern Trunks',
  'Shared',
  'Abroad',
  'Europe, by the carrier that costs least there',
  'System Default Route',
  'Switchroom',
  // fields by the names that the API gives them
  ': name, sip_realm',
  'authorization',
]
const WIDE = { width: 1280, height: 900 }
const USERS = ['admin', 'provider', 'account', 'viewer']
const BRANDS =
  /\b(?:google|AssemblyAI|AWS|Deutsch|ElevenLabs|English|Google|IBM|OpenAI|PagerDuty|PlayHT|RimeLabs|Retell|Simwood|Slack|SoundHound|TelecomsXChange|Twilio|Voxbone|WellSaid)\b/g
const MONTHS =
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4}\b/g
const DAYS = /\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?[A-Z][a-z]{2} \d{1,2}(?:, \d{4})?\b/g

/** Strips names, dates, addresses and code from a text. */
function wordsOf(text: string) {
  const named = NAMES.reduce((rest, name) => rest.replaceAll(name, ''), text)
  if (USERS.includes(named.replace(/,$/, ''))) return ''
  return named
    .replace(DAYS, '')
    .replace(MONTHS, '')
    .replace(BRANDS, '')
    .split(/[\s,()“”→]+/)
    .filter((word) => /[A-Za-z]{3}/.test(word) && !/[\d@/._=…:-]|^[A-Z]+s?$|(.)\1{5}/.test(word))
    .join(' ')
}

it.each(['first', 'second'] as const)(
  'takes every word of the %s half of the screens from the catalogue, reads from right to left, and has room for longer words',
  async (half) => {
    const page = await openPage()
    await reportFailures(page, `pseudo-language-${half}`, async () => {
      await logIn(page, server.url)
      await waitUntilLoaded(page)
      // under the name of a language that is written from right to left
      await page.route(/^[^?]*\/internal(?:\/|$)/, async (route) => {
        const response = await route.fetch()
        const body = (await response.text()).replace('"de":', '"ar":')
        // which allows the script as it was
        const { 'content-security-policy': _, ...headers } = response.headers()
        await route.fulfill({ response, headers, body })
      })
      await page.route(/\/assets\/de-.*\.js$/, (route) =>
        route.fulfill({ contentType: 'text/javascript', body: pseudoLanguage() }),
      )
      await page.evaluate(() => localStorage.setItem('language', 'ar'))
      await page.reload()
      // not the log-in page
      await page.locator('.frame-rail').waitFor()
      const found: Record<string, string[]> = {}
      const readWords = async (name: string) => {
        const rail = await page.locator('.frame-rail').boundingBox()
        expect(rail?.x, name).toBeGreaterThan(WIDE.width / 2)
        const words = (await page.evaluate(wordsOutside)).filter((text) => wordsOf(text))
        if (words.length > 0) found[name] = words
      }
      let isWide = true
      for (const [name, path] of halfOf(screens.admin(server.sids), half)) {
        await navigate(page, path)
        // every second screen is opened on a phone, since each change of the width lays out all of it
        if (isWide) await readWords(name)
        await expectNoSidewaysScroll(page, name)
        if (!isWide) {
          await page.setViewportSize(WIDE)
          await readWords(name)
        }
        isWide = !isWide
      }
      expect(found).toEqual({})
    })
    await page.context().close()
  },
  WALK_LIMIT,
)

it('speaks German to who reads German, refusals included', async () => {
  const page = await openPage({ locale: 'de-DE' })
  await reportFailures(page, 'german', async () => {
    await page.goto(server.url)
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    await page.getByLabel('Benutzername').fill('admin')
    await page.getByLabel('Passwort', { exact: true }).fill('wrong password')
    await page.getByRole('button', { name: 'Anmelden' }).click()
    // the server says this in English
    await page.getByText('Die Zugangsdaten sind falsch').waitFor()
    await page.getByLabel('Passwort', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Anmelden' }).click()
    await page.getByRole('heading', { name: 'Accounts' }).waitFor()
    await page.getByRole('link', { name: 'Rufnummern', exact: true }).click()
    await page.getByRole('columnheader', { name: 'Nummer' }).waitFor()
    await expectAccessible(page, 'phone numbers in German')
    await page.goto(`${server.url}/internal/phone-numbers/add`)
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('Rufnummer eingeben').first().waitFor()
  })
})

it('is a person’s choice, in every browser, and leaves lists as they are', async () => {
  const page = await openPage()
  await reportFailures(page, 'chosen-language', async () => {
    await logIn(page, server.url)
    await page.goto(`${server.url}/internal/phone-numbers`)
    await page.getByRole('button', { name: 'Display' }).click()
    await page.getByRole('checkbox', { name: 'SID' }).uncheck()
    await page.getByRole('checkbox', { name: 'Account' }).uncheck()
    await page.goto(`${server.url}/internal/preferences`)
    await page.getByLabel('Language', { exact: true }).selectOption('Deutsch')
    await page.getByRole('heading', { name: 'Persönliche Einstellungen' }).waitFor()
    await expectAccessible(page, 'preferences in German')
    await page.goto(`${server.url}/internal/phone-numbers`)
    await page.getByRole('columnheader', { name: 'Nummer' }).waitFor()
    expect(await page.getByRole('columnheader').allInnerTexts()).not.toContain('Account')
    // another browser, which is in English
    const other = await openPage()
    await logInByForm(other, server.url)
    await other.locator('html[lang=de]').waitFor()
    await other.goto(`${server.url}/internal/preferences`)
    await other.getByLabel('Sprache', { exact: true }).selectOption('English')
    await other.getByRole('heading', { name: 'Preferences' }).waitFor()
    expect(await other.locator('html').getAttribute('lang')).toBe('en')
    expectNoErrors(other)
    expectNoErrors(page)
  })
})
