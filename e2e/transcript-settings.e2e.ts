import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import {
  answered,
  call,
  hook,
  over,
  say,
  span,
} from '../packages/server/test/conversations/example.ts'
import type { Example } from '../packages/server/test/conversations.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, expectToast, logIn, openPage, reportFailures } from './browser.ts'
import { databasesFor } from './databases.ts'
import { startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'
import { ACCOUNT, sendCalls, sendTrace, sidOf } from './traced-calls.ts'

const CARD = '4111 1111 1111 1111'
const MAIL = 'jane@example.com'
const SECRETS = [CARD, '1111 1111', MAIL, 'example.com']

const result = {
  language_code: 'en-US',
  alternatives: [{ confidence: 0.9, transcript: `My card is ${CARD}, write to ${MAIL}` }],
  vendor: { name: 'google', evt: { transcript: CARD } },
}
const spoken: Pick<Example, 'spans'> = {
  spans: [
    call(9_000, { accountSid: ACCOUNT }),
    answered(200),
    span('g', 'a', 210, 3_290, 'verb:gather{inputs=speech,vendor=google,language=en-US}', {
      'stt.resolve': 'speech',
      'stt.result': JSON.stringify(result),
    }),
    hook('h', 'g', 3_000, 500, '/card', { reason: 'speechDetected', speech: result }),
    say('s', 3_510, 2_000, 'Thank you for 4'),
    over(8_900, 'caller'),
  ],
}

const goTo = (page: Page, path: string) => page.goto(new URL(path, page.url()).href)

/** Chooses the setting that is so many below the one that holds, and saves it. */
async function choose(page: Page, from: string, key: 'ArrowDown' | 'ArrowUp', times = 1) {
  await page.getByRole('radio', { name: from, checked: true }).focus()
  for (let i = 0; i < times; i++) await page.keyboard.press(key)
  await page.getByRole('button', { name: 'Save', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expectToast(page, 'Transcript settings updated')
}

async function openSettings(page: Page) {
  await goTo(page, `/internal/accounts/${ACCOUNT}`)
  await page.getByRole('link', { name: 'Transcript settings' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /^Transcripts of / }).waitFor()
}

/** The conversation, the trace as the server sends it, and the bug report of a call. */
async function textsOf(page: Page, n: number) {
  await goTo(page, `/internal/recent-calls/${sidOf(n)}`)
  const panel = page.getByRole('tabpanel', { name: 'What happened' })
  await panel.getByRole('listitem').filter({ hasText: 'The caller hung up.' }).waitFor()
  const conversation = await panel.innerText()
  await page.getByRole('button', { name: 'Copy as bug report' }).click()
  await expectToast(page, 'Bug report copied to clipboard')
  const report = await page.evaluate(() => navigator.clipboard.readText())
  const sent = page.waitForResponse((r) => /RecentCalls\/trace\//.test(r.url()) && r.ok())
  await page.getByRole('tab', { name: 'Tracing' }).click()
  const trace = await (await sent).text()
  await page.getByRole('tree', { name: 'Spans' }).waitFor()
  const tracing = await page.getByRole('tabpanel', { name: 'Tracing' }).innerText()
  return { trace, conversation, report, tracing }
}

it.each(databasesFor('transcript-settings'))(
  'an account masks what was said, and then leaves it out (%s)',
  async (database) => {
    const [influx, otlp] = [await freePort(), await freePort()]
    const server = await startSwitchroom(database, {
      SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${influx}`,
      SWITCHROOM_INGEST_OTLP: `127.0.0.1:${otlp}`,
    })
    const page = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] })
    const receive = async (n: number, ago = 0) => {
      await sendTrace(otlp, spoken, n)
      await sendCalls(influx, [n], undefined, ago)
    }
    try {
      await reportFailures(page, `transcript-settings-${database}`, async () => {
        await logIn(page, server.url)
        // calls that were over well before, since those around a change are shown as the stricter setting has it
        await receive(0, 600_000)
        expect((await textsOf(page, 0)).conversation).toContain(CARD)

        await openSettings(page)
        await expectAccessible(page, 'the settings of transcripts')
        await expectNoSidewaysScroll(page, 'the settings of transcripts')
        await choose(page, 'Keep everything', 'ArrowDown')
        await receive(1, 300_000)
        // also what came before
        for (const n of [0, 1]) {
          const texts = await textsOf(page, n)
          for (const text of Object.values(texts))
            for (const secret of SECRETS) expect(text).not.toContain(secret)
          for (const text of [texts.conversation, texts.trace])
            expect(text).toContain('My card is •••• •••• •••• ••••, write to •••')
          for (const text of [texts.conversation, texts.tracing, texts.report])
            expect(text).toContain('Digits and email addresses are masked')
        }

        await openSettings(page)
        await choose(page, 'Mask digits and email addresses', 'ArrowDown')
        await receive(2)
        for (const n of [0, 1, 2]) {
          const texts = await textsOf(page, n)
          for (const text of Object.values(texts))
            for (const words of [...SECRETS, 'My card', 'Thank you', '••••'])
              expect(text).not.toContain(words)
          expect(texts.conversation).toContain('Left out by the account’s setting of transcripts')
          expect(texts.conversation).toContain('Confidence 90 %')
          for (const text of [texts.conversation, texts.tracing, texts.report])
            expect(text).toContain('Words and keys are left out')
        }

        // what was taken out is gone for good
        await openSettings(page)
        await choose(page, 'Leave out all words', 'ArrowUp', 2)
        expect((await textsOf(page, 0)).conversation).toContain(CARD)
        expect((await textsOf(page, 1)).conversation).toContain('My card is •••• •••• •••• ••••')
        expect((await textsOf(page, 2)).conversation).toContain('Left out by the account’s')
        expectNoErrors(page)
      })
    } finally {
      await page.context().close()
      await server.stop()
    }
  },
)
