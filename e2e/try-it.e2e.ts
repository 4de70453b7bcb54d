import type { RunView, TestCaseItem } from '@switchroom/contract'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { httpApplication } from '../packages/server/test/stand-ins/voice-applications.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, reportFailures } from './browser.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, type Switchroom, startSwitchroom } from './harness.ts'

const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const CANARY = 'canary-hook-password'

/** A switchboard. With its fault it writes `txt` where the platform wants `text`. */
async function switchboard() {
  const state = { isFaulty: true, greeting: 'Welcome to Acme. Which department?' }
  const app = await httpApplication(({ path }) => {
    switch (path) {
      case '/calls':
        return [
          {
            verb: 'gather',
            input: ['speech', 'digits'],
            actionHook: '/department',
            timeout: 8,
            say: { text: state.greeting },
          },
        ]
      case '/department':
        return state.isFaulty
          ? [{ verb: 'say', txt: 'One moment, please' }]
          : [
              { verb: 'say', text: 'One moment, please' },
              {
                verb: 'dial',
                target: [{ type: 'phone', number: '15551239999' }],
                actionHook: '/dialed',
              },
            ]
      case '/dialed':
        return [{ verb: 'say', text: 'Nobody is free. Goodbye' }, { verb: 'hangup' }]
      default:
        return 200
    }
  })
  return { ...app, state }
}

const steps = (page: Page) => page.getByRole('list', { name: 'Steps of the run' })
const part = (page: Page) => page.getByRole('complementary', { name: 'Your part' })

async function callAndSay(page: Page, words: string) {
  await page.getByLabel('From').fill('15085550001')
  await page.getByLabel('To', { exact: true }).fill('15085550199')
  await page.getByRole('button', { name: 'Start call', exact: true }).click()
  await steps(page).getByText('Welcome to Acme. Which department?').waitFor()
  // the question has the focus: it is answered without a mouse
  await expect
    .poll(() =>
      part(page)
        .getByLabel('The caller says')
        .evaluate((e) => e === document.activeElement),
    )
    .toBe(true)
  await page.keyboard.type(words)
  await page.keyboard.press('Enter')
}

it.each(databasesFor('try-it'))(
  'finds a fault without a telephone, and proves that it is mended, on %s',
  async (database) => {
    const app = await switchboard()
    const server = await startSwitchroom(database, { SWITCHROOM_ALLOW_NETWORKS: '127.0.0.0/8' })
    try {
      const token = await fetchToken(server.url)
      const hook = { url: `${app.url}/calls`, username: 'jambonz', password: CANARY }
      const { sid } = await api<{ sid: string }>(server.url, token, 'POST', '/Applications', {
        name: 'Switchboard',
        account_sid: ACCOUNT,
        call_hook: hook,
        call_status_hook: hook,
      })
      const page = await openPage()
      await logIn(page, server.url)
      await reportFailures(page, 'try-it', async () => {
        await page.goto(`${server.url}/internal/applications/${sid}`)
        await page.getByRole('link', { name: 'Try it', exact: true }).click()
        await page.getByText(/calls your application without a telephone/).waitFor()
        await expectAccessible(page, 'Try it without a run')

        // the fault: the application answers, and the platform would refuse it
        await callAndSay(page, 'sales')
        await page.getByRole('heading', { name: '1 problem' }).waitFor()
        await steps(page)
          .getByText(/unknown property txt/)
          .first()
          .waitFor()
        await steps(page).getByText('There are no more verbs, so the platform hangs up.').waitFor()
        expect(app.requests[0]!.headers['jambonz-signature']).toMatch(/^t=\d+,v1=/)
        expect(app.requests[0]!.headers.authorization).toMatch(/^Basic /)
        const [posted] = app.at('/department')
        expect(posted).toMatchObject({
          reason: 'speechDetected',
          speech: { alternatives: [{ transcript: 'sales' }] },
          application_sid: sid,
        })
        await expectAccessible(page, 'a run with a problem')
        await page.setViewportSize({ width: 320, height: 700 })
        await expectNoSidewaysScroll(page, 'a run with a problem')
        await page.setViewportSize({ width: 1280, height: 800 })

        // mended: the same answers lead on, to a question that was never asked before
        app.state.isFaulty = false
        await page.getByRole('button', { name: 'Play again' }).click()
        await steps(page).getByText('One moment, please').waitFor()
        await part(page).getByRole('button', { name: 'Busy' }).click()
        await steps(page).getByText('Nobody is free. Goodbye').waitFor()
        await steps(page).getByText('The application hangs up.').waitFor()
        expect(app.at('/dialed').at(-1)).toMatchObject({
          dial_call_status: 'busy',
          dial_sip_status: 486,
        })
        await page.reload()
        await steps(page).getByText('The application hangs up.').waitFor()

        // what it did is what it must do from now on
        await page.getByRole('link', { name: 'Save as a test case' }).click()
        await page.getByLabel('Name', { exact: true }).first().fill('Sales are busy')
        await expectAccessible(page, 'the form of a test case')
        await page.getByRole('button', { name: 'Save' }).click()
        await page.getByText('Added test case Sales are busy').waitFor()
        await page.goto(`${server.url}/internal/applications/${sid}/try`)
        await page.getByRole('button', { name: 'Run all' }).click()
        const row = page.getByRole('row').filter({ hasText: 'Sales are busy' })
        await row.getByText('Passed').waitFor()
        await expectAccessible(page, 'a test case that passed')

        // a change that nobody meant to make
        app.state.greeting = 'Acme. Please hold'
        await page.getByRole('button', { name: 'Run all' }).click()
        await row.getByText('Failed').waitFor()
        await row.getByRole('link', { name: 'Open run' }).click()
        await page
          .getByText('The application did not say “Welcome to Acme. Which department?”.')
          .waitFor()
        await page.getByRole('link', { name: 'Go to step' }).first().click()
        await expect.poll(() => page.locator('li:target').count()).toBe(1)
        await expectAccessible(page, 'a test case that failed')
        expect(await page.content()).not.toContain(CANARY)
        expectNoErrors(page)
      })
      await expectTheSameFromAScript(server.url, token, sid, app.state)
      await expectKilledRunToBeTold(server, sid)
    } finally {
      await server.stop()
      await app.close()
    }
  },
)

/** A pipeline runs all cases, waits, and checks that all have passed. */
async function expectTheSameFromAScript(
  url: string,
  token: string,
  sid: string,
  state: { greeting: string },
) {
  const path = `/Applications/${sid}/TestCases`
  const list = () => api<TestCaseItem[]>(url, token, 'GET', path)
  const run = async () => {
    const { runs } = await api<{ runs: { run_sid: string }[] }>(url, token, 'POST', `${path}/Runs`)
    await expect
      .poll(async () => (await list()).map(({ latest_run }) => latest_run!.state))
      .toEqual(['ended'])
    const [{ latest_run }] = (await list()) as [TestCaseItem]
    expect(latest_run!.run_sid).toBe(runs[0]!.run_sid)
    return latest_run!
  }
  expect((await run()).is_passed).toBe(false)
  state.greeting = 'Welcome to Acme. Which department?'
  const { run_sid, is_passed } = await run()
  expect(is_passed).toBe(true)
  const view = await api<RunView>(url, token, 'GET', `/Applications/${sid}/Runs/${run_sid}`)
  expect(view.outcomes!.every(({ is_met }) => is_met)).toBe(true)
  expect(JSON.stringify(view)).not.toContain(CANARY)
}

/** The steps of a run whose server was killed are kept, and nobody waits for the rest. */
async function expectKilledRunToBeTold(server: Switchroom, sid: string) {
  const path = `/Applications/${sid}/Runs`
  const token = await fetchToken(server.url)
  const start = { direction: 'inbound', from: '15085550001', to: '15085550199' }
  const begun = await api<RunView>(server.url, token, 'POST', path, { start })
  const view = () => api<RunView>(server.url, token, 'GET', `${path}/${begun.run_sid}`)
  await expect.poll(async () => (await view()).question).not.toBeNull()
  const before = await view()
  await server.kill('SIGKILL')
  await server.start()
  expect((await view()).steps).toEqual(before.steps)
  await expect.poll(async () => (await view()).state, { interval: 1_000 }).toBe('interrupted')
  const answer = { question: before.question, answer: { kind: 'nothing' } }
  await expect(
    api(server.url, token, 'POST', `${path}/${begun.run_sid}/Answers`, answer),
  ).rejects.toThrow('The run no longer waits for this answer.')
}
