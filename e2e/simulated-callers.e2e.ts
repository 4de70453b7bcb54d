import { expect, it } from 'vitest'
import { languageModel, MODEL_KEY } from '../packages/server/test/stand-ins/language-model.ts'
import { httpApplication } from '../packages/server/test/stand-ins/voice-applications.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, reportFailures } from './browser.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, startSwitchroom } from './harness.ts'

const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'

/** Tells its hours if somebody asks for them. */
const front = () =>
  httpApplication(({ path }) => {
    const asks = (text: string) => [
      { verb: 'gather', input: ['speech'], actionHook: '/said', timeout: 8, say: { text } },
    ]
    if (path === '/calls') return asks('Welcome to Acme. How may I help you?')
    return path === '/said' ? asks('We open at nine. Anything else?') : 200
  })

/** The caller asks once, and hangs up when it knows; the grader makes one of its quotes up. */
const caller = () =>
  languageModel(({ messages }) => {
    const asked = messages.at(-1)!.content
    if (asked === 'Answer with the word ready.') return 'ready'
    if (messages[0]!.content.startsWith('You grade')) {
      const score = { score: 5, reason: 'It tells them at once.', quote: 'We open at nine' }
      const made = { score: 1, reason: 'It shouts.', quote: 'GO AWAY, PLEASE' }
      return JSON.stringify({
        scores: [
          { criterion: 1, ...score },
          { criterion: 2, ...made },
        ],
      })
    }
    return JSON.stringify(
      asked.includes('nine')
        ? { do: 'hang_up', reached: true, why: 'They open at nine.' }
        : { do: 'say', text: 'When do you open?' },
    )
  })

it.each(databasesFor('simulated-callers'))(
  'has callers whom a language model plays, and scores that prove themselves, on %s',
  async (database) => {
    const [app, model] = [await front(), await caller()]
    const server = await startSwitchroom(database, { SWITCHROOM_ALLOW_NETWORKS: '127.0.0.0/8' })
    try {
      const token = await fetchToken(server.url)
      const hook = { url: `${app.url}/calls` }
      const { sid } = await api<{ sid: string }>(server.url, token, 'POST', '/Applications', {
        ...{ name: 'Front desk', account_sid: ACCOUNT },
        ...{ call_hook: hook, call_status_hook: hook },
      })
      const page = await openPage()
      await logIn(page, server.url)
      await reportFailures(page, 'simulated-callers', async () => {
        // nothing is there to play anybody
        await page.goto(`${server.url}/internal/applications/${sid}/try`)
        await page.getByRole('link', { name: 'Friendly first caller' }).click()
        await page.getByRole('link', { name: 'Set a language model' }).click()
        await page.getByLabel('Address').fill(`${model.url}/v1`)
        await page.getByLabel('Model').fill('small')
        await page.getByLabel('Key (optional)').fill(MODEL_KEY)
        await expectAccessible(page, 'the language model of an account')
        await page.getByRole('button', { name: 'Save' }).click()
        await page.getByRole('button', { name: 'Test' }).click()
        await page.getByText(/^Answered “ready” in/).waitFor()
        expect(await page.content()).not.toContain(MODEL_KEY)

        await page.goto(
          `${server.url}/internal/applications/${sid}/simulated-callers/add?offer=friendly`,
        )
        await page.getByRole('button', { name: 'Add expectation' }).click()
        await page.getByLabel('Text or a part of it').fill('open at nine')
        await expectAccessible(page, 'a new simulated caller')
        await page.setViewportSize({ width: 320, height: 700 })
        await expectNoSidewaysScroll(page, 'a new simulated caller')
        await page.setViewportSize({ width: 1280, height: 800 })
        await page.getByRole('button', { name: 'Save' }).click()

        // what it may cost is said before, and what it did after
        await page.getByText('At most 20,000 tokens each, 60,000 in all.').waitFor()
        await page.getByRole('textbox', { name: 'Conversations' }).fill('2')
        await page.getByRole('button', { name: 'Start conversations', exact: true }).click()
        await page.getByText('2 of 2 reached their goal').waitFor()
        await page.getByText('600 tokens').waitFor()
        await page.getByText('Helpfulness: 5 from 2 scores (0 refused)').waitFor()
        await page.getByText('Clarity: no score (2 refused)').waitFor()
        const table = page.getByRole('table', { name: 'Conversations' })
        expect(await table.getByText('They open at nine.').count()).toBe(2)
        expect(await table.getByText('Met', { exact: true }).count()).toBe(2)
        await expectAccessible(page, 'the conversations of a simulated caller')
        await page.setViewportSize({ width: 320, height: 700 })
        await expectNoSidewaysScroll(page, 'the conversations of a simulated caller')
        await page.setViewportSize({ width: 1280, height: 800 })

        // a score stands with its reason and quote, and what nobody said is none
        await table.getByRole('link').first().click()
        const scores = page.getByRole('list', { name: 'Scores' })
        await scores.getByText('It tells them at once.').waitFor()
        await scores.getByText('We open at nine').waitFor()
        await scores.getByText('The model quotes what nobody said: “GO AWAY, PLEASE”.').waitFor()
        expect(await scores.getByText('It shouts.').count()).toBe(0)
        await page
          .getByRole('list', { name: 'Steps of the run' })
          .getByText('When do you open?')
          .waitFor()
        await expectAccessible(page, 'a run of a simulated caller')
        expectNoErrors(page)
      })
    } finally {
      await server.stop()
      await app.close()
      await model.close()
    }
  },
)
