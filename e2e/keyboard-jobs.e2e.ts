import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectNoErrors, logIn, openPage, reportFailures, waitUntilLoaded } from './browser.ts'
import { api, fetchToken } from './harness.ts'
import { ACCOUNT, type Sid, SP, startSeeded } from './screens.ts'
import { shareWorld } from './world.ts'

let server: Awaited<ReturnType<typeof startSeeded>>
shareWorld(
  async () => {
    server = await startSeeded()
    const token = await fetchToken(server.url)
    const post = (path: string, body: object) => api<Sid>(server.url, token, 'POST', path, body)
    await post('/Applications', {
      name: 'Night desk',
      account_sid: ACCOUNT,
      call_hook: { url: 'https://example.com/night' },
      call_status_hook: { url: 'https://example.com/status' },
    })
    await post('/VoipCarriers', {
      name: 'Southern Trunks',
      service_provider_sid: SP,
      sip_gateways: [{ ipv4: '203.0.113.30', inbound: 1, outbound: 1 }],
    })
  },
  () => server.stop(),
)

/** A person with nothing but a keyboard, whose steps are counted: a key pressed, or a text typed. */
class Keyboard {
  steps = 0
  readonly page: Page
  constructor(page: Page) {
    this.page = page
  }

  async press(...keys: string[]) {
    for (const key of keys) {
      await this.page.keyboard.press(key)
      this.steps++
    }
  }
  async type(text: string) {
    await this.page.keyboard.type(text)
    this.steps++
  }
  /** Presses Tab until this has the focus. */
  async tabTo(target: Locator) {
    await target.waitFor()
    await waitUntilLoaded(this.page)
    // asked at one moment, since a picker takes the place of a plain input once that has the focus
    const hasFocus = async () => (await target.and(this.page.locator(':focus')).count()) > 0
    for (let tabs = 0; tabs < 40 && !(await hasFocus()); tabs++) await this.press('Tab')
    expect(await hasFocus(), `reaches ${target}`).toBe(true)
  }
  /** Chooses by the beginning of a name. */
  async choose(target: Locator, text: string) {
    await this.tabTo(target)
    await this.type(text)
    await this.page.getByRole('option', { name: text }).first().waitFor()
    await this.press('Enter')
  }
  /** Finds something by its name and opens it. */
  async find(text: string, option: RegExp) {
    await this.press('Control+k')
    // keys that come before are the page's: a g waits for the letter of a screen
    await this.page.getByRole('dialog').locator(':focus').waitFor()
    await this.type(text)
    await this.page.getByRole('option', { name: option }).first().waitFor()
    await this.press('Enter')
    // it would take the next key
    await this.page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
}

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('main').getByRole('heading', { name, level: 1 }).waitFor()
const done = (page: Page, text: string | RegExp) =>
  page.getByRole('status').getByText(text).first().waitFor()

/** The commonest jobs, from the start page, and the steps that each may take. */
const jobs: [job: string, steps: number, run: (keys: Keyboard, page: Page) => Promise<void>][] = [
  [
    'see who has a phone number and where its calls go',
    3,
    async (keys, page) => {
      await keys.find('(508) 555-1007', /555-1007.*Phone number/)
      await page.getByRole('main').getByText('Account', { exact: true }).waitFor()
    },
  ],
  [
    'have another application answer a number',
    11,
    async (keys, page) => {
      await keys.find('(508) 555-1007', /555-1007.*Phone number/)
      await heading(page, /555-1007/)
      await keys.press('e')
      await keys.choose(page.getByRole('combobox', { name: /^Application/ }), 'Night')
      await keys.press('Control+s')
      await done(page, 'Phone number updated successfully')
    },
  ],
  [
    'see the calls of a caller',
    5,
    async (keys, page) => {
      await keys.press('Control+k')
      await keys.type('442079460958')
      const calls = page.getByRole('option', { name: /^Recent calls of/ })
      await calls.waitFor()
      const highlighted = () => page.locator('[role=option][data-highlighted]').allTextContents()
      for (let i = 0; i < 5 && (await calls.getAttribute('data-highlighted')) === null; i++) {
        const before = await highlighted()
        await keys.press('ArrowDown')
        await expect.poll(highlighted).not.toEqual(before)
      }
      await keys.press('Enter')
      await page.waitForURL(/recent-calls\?.*filter=442079460958/)
    },
  ],
  [
    'see how a carrier does',
    3,
    async (keys, page) => {
      await keys.find('southern', /^Southern Trunks/)
      await heading(page, 'Southern Trunks')
    },
  ],
  [
    'switch a carrier off',
    12,
    async (keys, page) => {
      await keys.find('southern', /^Southern Trunks/)
      await heading(page, 'Southern Trunks')
      await keys.press('e')
      await keys.tabTo(page.getByRole('main').getByLabel('Active', { exact: true }).first())
      await keys.press('Space', 'Control+s')
      await done(page, 'Carrier updated successfully')
    },
  ],
  [
    'add an application',
    15,
    async (keys, page) => {
      await keys.find('add appl', /^Add application/)
      await keys.tabTo(page.getByLabel('Application name'))
      await keys.type('Day desk')
      await keys.choose(page.getByRole('combobox', { name: /^Account/ }), 'An account')
      await keys.tabTo(page.getByLabel('Calling webhook', { exact: true }))
      await keys.type('https://example.com/day')
      await keys.tabTo(page.getByLabel('Call status webhook', { exact: true }))
      await keys.type('https://example.com/status')
      await keys.press('Control+s')
      await done(page, 'Application created successfully')
    },
  ],
  [
    'change the webhook of an application',
    11,
    async (keys, page) => {
      await keys.find('night desk', /^Night desk/)
      await heading(page, 'Night desk')
      await keys.press('e')
      await keys.tabTo(page.getByLabel('Calling webhook', { exact: true }))
      await keys.type('https://example.com/later')
      await keys.press('Control+s')
      await done(page, 'Application updated successfully')
    },
  ],
  [
    'add a user',
    12,
    async (keys, page) => {
      await keys.find('add user', /^Add user/)
      await keys.tabTo(page.getByLabel('Username'))
      await keys.type('kim')
      await keys.tabTo(page.getByLabel('Email'))
      await keys.type('kim@example.org')
      await keys.tabTo(page.getByLabel('Temporary password'))
      await keys.type('a long and calm river 7')
      await keys.press('Control+s')
      await done(page, 'User created successfully')
    },
  ],
  [
    'delete a phone number',
    9,
    async (keys, page) => {
      await keys.press('g', 'n')
      await heading(page, 'Phone numbers')
      await keys.press('/')
      await keys.type('555-1059')
      await page.getByText('Total: 1 record', { exact: true }).waitFor()
      await keys.press('ArrowDown', 'Delete')
      await page.getByRole('dialog').or(page.getByRole('alertdialog')).waitFor()
      // the dialog begins with another button
      await keys.tabTo(page.getByRole('button', { name: 'Delete phone number' }).last())
      await keys.press('Enter')
      await done(page, /deleted/i)
    },
  ],
  [
    'try where an outbound call goes',
    3,
    async (keys, page) => {
      await keys.find('simulate +442079460958', /^Simulate a call to/)
      await heading(page, /simulator/i)
    },
  ],
]

it.each(jobs)('lets a person %s in %i steps by keyboard', async (job, limit, run) => {
  const page = await openPage()
  await logIn(page, server.url)
  // before its code has loaded, there is nothing on the page that takes a key
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  await waitUntilLoaded(page)
  const keys = new Keyboard(page)
  await reportFailures(page, `keyboard-${job.replaceAll(' ', '-')}`, () => run(keys, page))
  expect(keys.steps, job).toBeLessThanOrEqual(limit)
  console.log(`${job}: ${keys.steps} steps`)
  expectNoErrors(page)
})
