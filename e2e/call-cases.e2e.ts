import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { EXIT } from '../packages/cli/src/exit.ts'
import { testTerminal } from '../packages/cli/test/terminal.ts'
import {
  answered,
  call,
  gather,
  hook,
  over,
  prompt,
  result,
  say,
} from '../packages/server/test/conversations/example.ts'
import { httpApplication } from '../packages/server/test/stand-ins/voice-applications.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, reportFailures } from './browser.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'
import { ACCOUNT, sendCalls, sendTrace, sidOf } from './traced-calls.ts'

/** Data of the platform about a call to the application below. */
const CALL = {
  spans: [
    call(16_000),
    answered(200),
    gather('g', 300, 4_000, 'inputs=speech', 'speech', result('a table for two', 0.93)),
    prompt('n', 'g', 301, 1_900, 'Welcome to Acme...'),
    hook('h', 'g', 3_900, 300, '/said', {}),
    say('s', 4_400, 2_000, 'Done, Ann. At 8...'),
    over(7_000, 'jambonz'),
  ],
}

async function booking() {
  const state = { isBroken: false, hour: 8 }
  const app = await httpApplication(({ path }) =>
    path === '/call'
      ? [
          {
            verb: 'gather',
            input: ['speech'],
            actionHook: '/said',
            say: { text: 'Welcome to Acme. What can I do?' },
          },
        ]
      : path === '/said'
        ? state.isBroken
          ? [{ verb: 'say', text: 'Sorry, what?' }]
          : [{ verb: 'say', text: `Done, Ann. At ${state.hour} o’clock` }, { verb: 'hangup' }]
        : 204,
  )
  return { ...app, state }
}

async function makeCase(page: Page) {
  await page.goto(new URL(`/internal/recent-calls/${sidOf(0)}`, page.url()).href)
  await page.getByRole('link', { name: 'Make a test case' }).click()
  await page.getByRole('heading', { name: 'Add a test case' }).waitFor()
  expect(await page.getByLabel('Words', { exact: true }).inputValue()).toBe('a table for two')
  await expectAccessible(page, 'a call as a test case')
  await page.setViewportSize({ width: 320, height: 800 })
  await expectNoSidewaysScroll(page, 'a call as a test case')
  await page.setViewportSize({ width: 1_280, height: 900 })
  const third = page.getByRole('group', { name: 'Expectation 3' })
  await third.getByRole('button', { name: 'Allow other numbers, dates and names' }).click()
  expect(await third.getByLabel('Text or a part of it').inputValue()).toBe(
    'Done, \\S+\\. At [\\d.,:/-]+',
  )
  await page.getByText('As a file for the command line').click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download file' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^call-of-[\d-]+\.yaml$/)
  await page.getByRole('button', { name: 'Save' }).click()
  const table = page.getByRole('table', { name: 'Test cases' })
  await table.getByText(/^Call of /).waitFor()
  await page.getByRole('button', { name: 'Run all' }).click()
  await table.getByText('Passed').waitFor()
  return file.path()
}

const results = (page: Page) => page.getByRole('status').filter({ hasText: /same|differs/ })

async function playAgain(page: Page) {
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await page.getByRole('list', { name: 'Calls' }).waitFor()
}

/** The call is played again by an application that does the same, and by one that is broken. */
async function compareCalls(page: Page, state: { isBroken: boolean }) {
  await page.getByRole('link', { name: 'Calls played again' }).click()
  await playAgain(page)
  await results(page).getByText('1 the same').waitFor()
  state.isBroken = true
  await page.goBack()
  await playAgain(page)
  await results(page).getByText('1 differs').waitFor()
  await page.getByText('The application did not say').click()
  const table = page.getByRole('table', { name: 'Then and now' })
  const row = table.getByRole('row').filter({ hasText: 'Done, Ann. At 8' })
  await row.getByText('Not done').waitFor()
  await table.getByRole('row').filter({ hasText: 'Welcome to Acme. What can I do?' }).waitFor()
  await expectAccessible(page, 'a suite with a call that differs')
  await page.setViewportSize({ width: 320, height: 800 })
  await expectNoSidewaysScroll(page, 'a suite with a call that differs')
  await page.setViewportSize({ width: 1_280, height: 900 })
  state.isBroken = false
}

/** Neither the open suite nor its run shows words, once the account has them masked. */
async function checkWithheld(page: Page) {
  const withheld = page.getByText('The account keeps less of the words of its calls by now.')
  await page.reload()
  await page.getByRole('list', { name: 'Calls' }).getByText('Differs').click()
  await withheld.waitFor()
  expect(await page.locator('main').innerText()).not.toMatch(/Done|Welcome/)
  await page.getByRole('link', { name: 'Open run' }).click()
  await page.waitForURL(/\/try\//)
  await withheld.waitFor()
  await page.getByText('Ended', { exact: true }).waitFor()
  expect(await page.locator('main').innerText()).not.toMatch(/done|Welcome/)
  await expectAccessible(page, 'a run without its words')
}

it.each(databasesFor('call-cases'))(
  'makes a test case of a call, which fails while the application is broken and passes once it is fixed (%s)',
  async (database) => {
    const [influx, otlp] = [await freePort(), await freePort()]
    const app = await booking()
    const folder = mkdtempSync(join(tmpdir(), 'switchroom-cases-'))
    const home = process.cwd()
    const server = await startSwitchroom(database, {
      SWITCHROOM_ALLOW_NETWORKS: '127.0.0.0/8',
      SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${influx}`,
      SWITCHROOM_INGEST_OTLP: `127.0.0.1:${otlp}`,
    })
    const page = await openPage({ acceptDownloads: true })
    try {
      const token = await fetchToken(server.url)
      const add = <T>(path: string, body: object) => api<T>(server.url, token, 'POST', path, body)
      const { sid } = await add<{ sid: string }>('/Applications', {
        name: 'Booking',
        account_sid: ACCOUNT,
        call_hook: { url: `${app.url}/call` },
        call_status_hook: { url: `${app.url}/status` },
      })
      const key = await add<{ token: string }>('/ApiKeys', { account_sid: ACCOUNT })
      await sendTrace(otlp, CALL, 0)
      await sendCalls(influx, [0], sid)
      const file = join(folder, 'booking.yaml')
      await logIn(page, server.url)
      await reportFailures(page, `call-cases-${database}`, async () => {
        writeFileSync(file, readFileSync(await makeCase(page)))
        await compareCalls(page, app.state)
        const keep = (words: string) =>
          api(server.url, token, 'PUT', `/Accounts/${ACCOUNT}/TranscriptSettings`, { words })
        await keep('mask')
        await checkWithheld(page)
        await keep('keep')
        expectNoErrors(page)
      })

      // it keeps what failed where it is run
      process.chdir(folder)
      const test = () =>
        testTerminal({
          HOME: folder,
          SWITCHROOM_URL: server.url,
          SWITCHROOM_API_KEY: key.token,
        }).run('test', file, '--junit', 'junit.xml')
      expect(await test()).toMatchObject({ code: EXIT.ok, err: '' })

      app.state.isBroken = true
      const broken = await test()
      expect(broken.code).toBe(EXIT.problems)
      expect(broken.out).toContain('The application did not say “Done, Ann. At 8”.')
      expect(readFileSync('junit.xml', 'utf8')).toContain('failures="1"')

      app.state.isBroken = false
      expect((await test()).code).toBe(EXIT.ok)
      expect(readFileSync('junit.xml', 'utf8')).toContain('failures="0"')
    } finally {
      process.chdir(home)
      await page.context().close()
      await server.stop()
      await app.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
