import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import {
  answered,
  call,
  gather,
  over,
  result,
  say,
} from '../packages/server/test/conversations/example.ts'
import { languageModel, MODEL_KEY } from '../packages/server/test/stand-ins/language-model.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import {
  expectNoErrors,
  logIn,
  openPage,
  reportFailures,
  waitForPaint,
  waitUntilLoaded,
} from './browser.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, type Switchroom, startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'
import { ACCOUNT, sendCalls, sendTrace, sidOf } from './traced-calls.ts'

const AGO_MS = 300_000
const talk = (hours: string) => ({
  spans: [
    call(30_000),
    answered(200),
    say('s1', 300, 1_000, 'Welcome to Acme'),
    gather('g', 1_400, 3_000, 'inputs=speech', 'speech', result('when do you open', 0.9)),
    say('s2', 5_000, 1_000, hours),
    over(9_000, 'caller'),
  ],
})
const TALKS = [talk('We open at nine'), talk('We open at nine'), talk('No idea at all')]

/** Likes those who tell their hours, and quotes what they said. */
const grader = () =>
  languageModel(({ messages }) => {
    const isTold = messages[1]!.content.includes('nine')
    const score = isTold
      ? { score: 5, reason: 'The caller learns the hours.', quote: 'We open at nine' }
      : { score: 1, reason: 'The caller learns nothing.', quote: 'No idea at all' }
    return JSON.stringify({ scores: [{ criterion: 1, ...score }] })
  })

/** Has the card active for an hour, so that calls of some minutes ago are scored. */
function lookBack({ env }: Switchroom) {
  const db = new DatabaseSync(join(env.SWITCHROOM_DATA, 'switchroom.db'), { timeout: 10_000 })
  db.prepare('update switchroom_score_cards set seen_until = ?').run(Date.now() - 3_600_000)
  db.close()
}

const main = (page: Page) => page.getByRole('main')
const figure = (page: Page, name: string) =>
  main(page)
    .locator('.figure')
    .filter({ has: page.locator('dt').getByText(name, { exact: true }) })

/** Opens the figures until so many calls are scored. */
const openScores = (page: Page, scored: number) =>
  expect
    .poll(
      async () => {
        await page.goto(new URL('/internal/scores', page.url()).href)
        await waitUntilLoaded(page)
        const counted = figure(page, 'Scored calls').getByRole('link')
        return (await counted.count()) === 1 ? counted.innerText() : '0'
      },
      { interval: 2_000, timeout: 120_000 },
    )
    .toBe(String(scored))

async function checkScreen(page: Page, name: string) {
  await expectAccessible(page, name)
  await page.setViewportSize({ width: 320, height: 700 })
  await waitForPaint(page)
  await expectNoSidewaysScroll(page, name)
  await page.setViewportSize({ width: 1280, height: 800 })
}

it.each(databasesFor('call-scores'))(
  'scores real calls by rules and a model, and leads from figures to reasons, on %s',
  async (database) => {
    const model = await grader()
    const [influx, otlp] = [await freePort(), await freePort()]
    const server = await startSwitchroom(database, {
      SWITCHROOM_ALLOW_NETWORKS: '127.0.0.0/8',
      SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${influx}`,
      SWITCHROOM_INGEST_OTLP: `127.0.0.1:${otlp}`,
    })
    try {
      const token = await fetchToken(server.url)
      const hook = { url: 'http://127.0.0.1:9/calls' }
      const { sid } = await api<{ sid: string }>(server.url, token, 'POST', '/Applications', {
        ...{ name: 'Front desk', account_sid: ACCOUNT },
        ...{ call_hook: hook, call_status_hook: hook, env_vars: { RELEASE: '1.2' } },
      })
      await api(server.url, token, 'PUT', `/Accounts/${ACCOUNT}/TranscriptSettings`, {
        split: { source: 'variable', name: 'RELEASE' },
      })
      await api(server.url, token, 'PUT', `/Accounts/${ACCOUNT}/LanguageModel`, {
        ...{ url: `${model.url}/v1`, model: 'small', api_key: MODEL_KEY },
      })
      const page = await openPage()
      await logIn(page, server.url)
      await reportFailures(page, 'call-scores', async () => {
        // off, and empty, until somebody wants it
        await page.goto(`${server.url}/internal/scores?application_sid=${sid}`)
        await main(page).getByText('No scored calls in this period.').waitFor()
        await checkScreen(page, 'no scores')
        await main(page).getByRole('link', { name: 'Score card' }).first().click()
        await page.getByText('Off', { exact: true }).waitFor()
        await page.getByRole('button', { name: 'Add rule' }).click()
        await page.getByLabel('Text or a part of it').fill('welcome')
        await page.getByRole('button', { name: 'Add criterion' }).click()
        await page.getByLabel('Criterion', { exact: true }).fill('Helpfulness')
        await page.getByLabel('Share of calls (%)').fill('100')
        await page.getByLabel('Calls per day').fill('3')
        await page.getByLabel('Score calls of this application').check()
        await checkScreen(page, 'a score card')
        await page.getByRole('button', { name: 'Save' }).click()
        await page.getByText('Calls are scored').waitFor()

        for (const [n, one] of TALKS.entries()) await sendTrace(otlp, one, n)
        await sendCalls(influx, [0, 1, 2], sid, AGO_MS)
        lookBack(server)
        await openScores(page, 3)
        expect(await figure(page, 'Passed').locator('dd').first().innerText()).toBe('66.7 %')
        expect(await figure(page, 'Failed').locator('dd').first().innerText()).toBe('33.3 %')
        expect(await figure(page, 'Tokens').locator('dd').first().innerText()).toBe('300')
        const items = main(page).getByRole('table', { name: 'Scores by rule and criterion' })
        await items.getByRole('row', { name: /Says “welcome”.*3.*100/ }).waitFor()
        await items.getByRole('row', { name: /Helpfulness.*3.*66\.7.*3\.7 of 5/ }).waitFor()
        const versions = main(page).getByRole('table', { name: 'Scores by version' })
        await versions.getByRole('row', { name: /Front desk, 1\.2.*3.*66\.7.*33\.3/ }).waitFor()
        await checkScreen(page, 'the figures of scores')

        await versions.getByRole('link', { name: '33.3 %' }).click()
        await page.getByRole('button', { name: 'Remove Version: 1.2' }).waitFor()
        await expect
          .poll(() =>
            main(page)
              .getByRole('table', { name: 'Recent calls' })
              .locator('td[data-label="From"]')
              .count(),
          )
          .toBe(1)
        await page.goBack()

        // the failed call, and why
        await figure(page, 'Failed').getByRole('link').click()
        await page.waitForURL(/\/internal\/recent-calls\?/)
        const calls = main(page).getByRole('table', { name: 'Recent calls' })
        await expect.poll(() => calls.locator('td[data-label="From"]').count()).toBe(1)
        await page.goto(`${server.url}/internal/recent-calls/${sidOf(2)}?tab=conversation`)
        const scores = page.getByRole('list', { name: 'Scores' })
        await scores.getByText('The caller learns nothing.').waitFor()
        await scores.getByText('No idea at all').waitFor()
        await scores.getByText('Met', { exact: true }).waitFor()
        await checkScreen(page, 'the scores of a call')

        // three a day were allowed
        await page.goto(`${server.url}/internal/applications/${sid}/score-card`)
        await page.getByText('The budget of today is used up').waitFor()
        expectNoErrors(page)
      })
    } finally {
      await server.stop()
      await model.close()
    }
  },
)
