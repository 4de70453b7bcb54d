import type { TraceSpan } from '@switchroom/contract'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { call, over, span, T0 } from '../packages/server/test/conversations/example.ts'
import { asSpans, type Example } from '../packages/server/test/conversations.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import {
  expectNoErrors,
  logIn,
  openFilters,
  openPage,
  reportFailures,
  waitUntilLoaded,
} from './browser.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'

const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'

type Spans = Example['spans']

/** A turn whose result comes 200 ms after the end of speech, and which is answered so many ms later. */
const turn = (answer: number, { resolve = 'speech', vendor = 'google' } = {}): Spans => [
  span('g', 'a', 300, 1_000, `verb:gather{inputs=speech,vendor=${vendor},language=de-DE}`, {
    'stt.resolve': resolve,
    'stt.result': JSON.stringify({ vendor, alternatives: [{ transcript: 'Two, please' }] }),
    'stt.latency_ms': '200',
  }),
  span('h', 'g', 1_100, 200, 'verb:hook (/turn)', { 'http.statusCode': 200 }),
  span('s', 'a', 1_305, 4_000, 'verb:say{text=Done}'),
  span('t', 's', 1_306, answer - 206, 'tts-generation', {
    'tts.cached': false,
    'tts.vendor': 'elevenlabs',
    'tts.voice': 'Rachel / 2',
  }),
]
const FAST = [call(6_000), ...turn(600), over(6_000, 'jambonz')]
/** The caller speaks for 400 ms, after a prompt that ends at 700 ms. */
const spoken = (spans: Spans) =>
  spans.map(({ attributes, ...rest }) => ({
    ...rest,
    attributes: {
      ...attributes,
      ...(rest.id === 'g' && { 'stt.talkspurts': `[[${T0 / 1_000},${T0 / 1_000}]]` }),
    },
  }))
const SLOW = [
  call(9_000),
  span('p', 'g', 300, 400, 'nested:say{text=How many?}'),
  span('q', 'p', 301, 19, 'tts-generation', { 'tts.cached': true, 'tts.vendor': 'google' }),
  ...spoken(turn(2_800)),
  over(9_000, 'jambonz'),
]
const MISHEARD = [
  call(6_000),
  ...turn(600, { resolve: 'stt-low-confidence', vendor: 'deepgram' }),
  over(6_000, 'caller'),
]

/** Two versions of an application: the new one is slower. The caller's number says which call it is. */
const CALLS = [
  { version: 'old', from: '15085550001', spans: FAST },
  { version: 'old', from: '15085550002', spans: FAST },
  { version: 'new', from: '15085550003', spans: SLOW },
  { version: 'new', from: '15085550004', spans: FAST },
  { version: 'new', from: '15085550005', spans: MISHEARD },
] as const
type Versions = Record<(typeof CALLS)[number]['version'], string>

const traceOf = (n: number) => String(n + 1).padStart(32, 'b')

async function sendCalls(port: number, versions: Versions) {
  const lines = CALLS.map(
    ({ version, from }, n) =>
      `cdrs,account_sid=${ACCOUNT},service_provider_sid=${SP},answered=true,direction=inbound,trunk=North ` +
      `call_sid="1c1d2e3f-0000-4000-8000-${String(n).padStart(12, '0')}",sip_callid="${n}@pbx",from="${from}",` +
      `to="442079460958",duration=6,sip_status=200,trace_id="${traceOf(n)}",` +
      `application_sid="${versions[version]}" ${T0 + n}000000`,
  )
  const answer = await fetch(`http://127.0.0.1:${port}/write?db=cdrs&precision=n`, {
    method: 'POST',
    body: lines.join('\n'),
  })
  expect(answer.status, await answer.text()).toBe(204)
}

async function sendSpans(port: number, spans: TraceSpan[]) {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      resourceSpans: [{ scopeSpans: [{ spans: spans.map((s) => ({ ...s, kind: 1 })) }] }],
    }),
  })
  expect(answer.status, await answer.text()).toBe(200)
}

const main = (page: Page) => page.getByRole('main')
/** A figure of the headline: its term and what is below it. */
const figure = (page: Page, name: string) =>
  main(page)
    .locator('.figure')
    .filter({ has: page.locator('dt').getByText(name, { exact: true }) })
const row = (page: Page, table: string, name: string) =>
  main(page).getByRole('table', { name: table }).getByRole('row').filter({ hasText: name })

/** Opens the Voice screen until so many calls are counted, which takes some seconds. */
async function openVoice(page: Page, calls: number) {
  await expect
    .poll(
      async () => {
        await page.goto(new URL('/internal/voice', page.url()).href)
        await waitUntilLoaded(page)
        const counted = figure(page, 'Calls').getByRole('link')
        return (await counted.count()) === 1 ? counted.innerText() : '0'
      },
      { interval: 1_000 },
    )
    .toBe(String(calls))
}

/** The callers in the list of calls that a link leads to. Goes back. */
async function callersBehind(page: Page, follow: () => Promise<void>) {
  const voice = page.url()
  await follow()
  await page.waitForURL(/\/internal\/recent-calls\?/)
  await main(page).getByRole('table', { name: 'Recent calls' }).waitFor()
  await waitUntilLoaded(page)
  const texts = await main(page).locator('td[data-label="From"]').allInnerTexts()
  await page.goBack()
  expect(page.url()).toBe(voice)
  await waitUntilLoaded(page)
  return texts.map((text) => text.replace(/\D/g, '').slice(-1)).sort()
}

async function checkFigures(page: Page) {
  const shows = async (name: string, text: string) =>
    expect(await figure(page, name).locator('dd').first().innerText(), name).toBe(text)
  await shows('Turns', '5')
  await shows('Response time, median', '800 ms')
  await shows('Response time p95', '3.00 s')
  await shows('Answer time p95', '2.80 s')
  await shows('Not understood', '20.0 %')
  await shows('Ended by the caller', '20.0 %')
  await shows('Interrupted prompts', '0.0 %')
  // from 700 ms to the middle of what is left of the second
  await shows('Silence before the caller, median', '150 ms')
  await shows('Talk share of callers', '18.3 %')
  await shows('Ended by the application', '80.0 %')
  // five times are few, and there was nothing before
  await figure(page, 'Response time p95').getByText('Based on 5 times: uncertain').waitFor()
  await main(page).getByText('without conversations in the period before').waitFor()
}

async function checkLists(page: Page) {
  const click = (name: string) => () => figure(page, name).getByRole('link').click()
  expect(await callersBehind(page, click('Calls'))).toEqual(['1', '2', '3', '4', '5'])
  expect(await callersBehind(page, click('Response time p95'))).toEqual(['3'])
  expect(await callersBehind(page, click('Not understood'))).toEqual(['5'])
  expect(await callersBehind(page, click('Silence before the caller, median'))).toEqual(['3'])
  expect(await callersBehind(page, click('Ended by the caller'))).toEqual(['5'])
  // names with a slash and a space are led to as well, here by keyboard
  const byKey = (table: string, name: string, column: number) => async () => {
    await row(page, table, name).getByRole('link').nth(column).focus()
    await page.keyboard.press('Enter')
  }
  expect(await callersBehind(page, byKey('Prompts by voice', 'Rachel / 2', 4))).toEqual(['3'])
  expect(await callersBehind(page, byKey('Turns by recognizer', 'Deepgram, de-DE', 0))).toEqual([
    '5',
  ])
  expect(await callersBehind(page, byKey('Requests by vendor', 'Google, Recognition', 0))).toEqual([
    '1',
    '2',
    '3',
    '4',
  ])
  expect(await callersBehind(page, byKey('Conversations by application', 'Old', 0))).toEqual([
    '1',
    '2',
  ])
  expect(await callersBehind(page, byKey('Conversations by version', 'New, 2 beta', 0))).toEqual([
    '3',
    '4',
    '5',
  ])
}

/** Splits figures by an environment variable, on screen. Secrets are refused. */
async function splitFigures(page: Page) {
  await page.goto(new URL(`/internal/accounts/${ACCOUNT}/transcripts`, page.url()).href)
  await page.getByRole('combobox', { name: 'Split figures by' }).selectOption('variable')
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('API_TOKEN')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('What holds a secret cannot split figures').first().waitFor()
  await expectAccessible(page, 'what splits figures')
  await page.setViewportSize({ width: 320, height: 800 })
  await expectNoSidewaysScroll(page, 'what splits figures on a phone')
  await page.setViewportSize({ width: 1_280, height: 900 })
  await name.fill('RELEASE')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Transcript settings updated').waitFor()
}

/** Which version is slower, and by how much. */
async function checkComparison(page: Page, versions: Versions) {
  await row(page, 'Conversations by application', 'New').waitFor()
  await page.goto(
    new URL(
      `/internal/voice?application_sid=${versions.new}&compare=application&with=${versions.old}`,
      page.url(),
    ).href,
  )
  await main(page).getByText('Response time p95 is 3.00 s, longer than 800 ms with Old.').waitFor()
  await main(page)
    .getByText('33.3 % of turns were not understood, more than 0.0 % with Old.')
    .waitFor()
  const changed = figure(page, 'Response time p95').locator('.figure-change')
  expect(await changed.innerText()).toBe('Other 800 ms (of 2) ▲ 2.20 s longer')
  await expectAccessible(page, 'voice figures compared')
  await page.setViewportSize({ width: 320, height: 800 })
  await expectNoSidewaysScroll(page, 'voice figures on a phone')
  await expectAccessible(page, 'voice figures on a phone')
  await page.setViewportSize({ width: 1_280, height: 900 })

  await main(page).getByRole('combobox', { name: 'Compare with', exact: true }).selectOption('none')
  await main(page).getByText('longer than').waitFor({ state: 'hidden' })
  await page.goBack()
  await main(page).getByText('longer than').first().waitFor()
}

/** The same from the list's own filters. */
async function checkFilters(page: Page) {
  await page.goto(new URL('/internal/recent-calls?date=7', page.url()).href)
  await openFilters(page)
  const conversation = main(page).getByRole('combobox', { name: 'Conversation', exact: true })
  const callers = async () => {
    await waitUntilLoaded(page)
    const texts = await main(page).locator('td[data-label="From"]').allInnerTexts()
    return texts.map((text) => text.replace(/\D/g, '').slice(-1)).sort()
  }
  await conversation.selectOption('not_understood')
  await expect.poll(callers).toEqual(['5'])
  await conversation.selectOption('response')
  await main(page).getByText('Response time at least 2 s').waitFor()
  await expect.poll(callers).toEqual(['3'])
  const seconds = main(page).getByRole('spinbutton', { name: 'At least, in seconds' })
  await seconds.fill('0.8')
  await seconds.press('Enter')
  await expect.poll(callers).toEqual(['1', '2', '3', '4', '5'])
  await seconds.fill('3.1')
  await seconds.press('Enter')
  await main(page).getByText('No calls match these filters.').waitFor()
  await main(page)
    .getByRole('button', { name: /^Remove Conversation/ })
    .click()
  await expect.poll(callers).toEqual(['1', '2', '3', '4', '5'])
}

it.each(databasesFor('voice'))(
  'tells how conversations went, and which calls that is from (%s)',
  async (database) => {
    const [influx, otlp] = [await freePort(), await freePort()]
    const server = await startSwitchroom(database, {
      SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${influx}`,
      SWITCHROOM_INGEST_OTLP: `127.0.0.1:${otlp}`,
    })
    const page = await openPage()
    try {
      await reportFailures(page, `voice-${database}`, async () => {
        const token = await fetchToken(server.url)
        const version = async (name: string) =>
          (
            await api<{ sid: string }>(server.url, token, 'POST', '/Applications', {
              name,
              account_sid: ACCOUNT,
              call_hook: { url: 'https://example.com/call' },
              env_vars: { RELEASE: name === 'Old' ? 1 : '2 beta' },
              call_status_hook: { url: 'https://example.com/status' },
            })
          ).sid
        const versions = { old: await version('Old'), new: await version('New') }
        await logIn(page, server.url)
        await splitFigures(page)
        for (const [n, { spans }] of CALLS.entries())
          await sendSpans(otlp, asSpans({ spans: [...spans] }, traceOf(n)))
        await sendCalls(influx, versions)
        await openVoice(page, CALLS.length)
        await checkFigures(page)
        await checkLists(page)
        await checkComparison(page, versions)
        await checkFilters(page)
        expectNoErrors(page)
      })
    } finally {
      await page.context().close()
      await server.stop()
    }
  },
)
