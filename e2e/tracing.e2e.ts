import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, expectToast, logIn, openPage, reportFailures } from './browser.ts'
import { databasesFor } from './databases.ts'
import { startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'

const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'
const TRACE_ID = '5a'.repeat(16)
const SIDS = {
  traced: '0c1d2e3f-0000-4000-8000-000000000001',
  lost: '0c1d2e3f-0000-4000-8000-000000000002',
  untraced: '0c1d2e3f-0000-4000-8000-000000000003',
}
const NOT_SENT = '6b'.repeat(16)

/** A CloudWatch stand-in that returns the log of one call. */
async function cloudWatch(log: (call_sid: string) => string[]) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { filterPattern } = JSON.parse(Buffer.concat(chunks).toString())
    const messages = /[\da-f]{8}-[\da-f-]{27}/.exec(filterPattern)!.flatMap(log)
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' })
    response.end(JSON.stringify({ events: messages.map((message) => ({ message })) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

async function ingestCalls(port: number) {
  const call = (name: keyof typeof SIDS, trace_id: string, ago: number) =>
    `cdrs,account_sid=${ACCOUNT},service_provider_sid=${SP},answered=true,direction=inbound,trunk=North ` +
    `call_sid="${SIDS[name]}",sip_callid="${name}@pbx",from="15085551000",to="442079460958",` +
    `duration=47,sip_status=200,trace_id="${trace_id}" ${Date.now() - ago}000000`
  const answer = await fetch(`http://127.0.0.1:${port}/write?db=cdrs&precision=n`, {
    method: 'POST',
    body: [
      call('traced', TRACE_ID, 1_000),
      call('lost', NOT_SENT, 120_000),
      call('untraced', '0'.repeat(32), 3_000),
    ].join('\n'),
  })
  expect(answer.status, await answer.text()).toBe(204)
}

type SpanSpec = [name: string, parent: number, from: number, to: number, attributes?: object]
/** Spans of a call: it greets, listens, calls its application, and takes 300 turns. */
const spans: SpanSpec[] = [
  ['incoming-call', -1, 0, 47_000, { callSid: SIDS.traced, 'telemetry.sdk': 'node' }],
  ['verb:say', 0, 100, 2_600, { 'tts.vendor': 'google' }],
  ['tts-generation', 1, 120, 370, { 'tts.vendor': 'google', time_to_first_byte_ms: '250' }],
  ['verb:gather{1}', 0, 2_600, 9_000, { 'stt.resolve': 'speech' }],
  ['verb:hook', 3, 8_000, 8_500, { 'http.body': '{"reason":"speechDetected"}' }],
  ...Array.from(
    { length: 300 },
    (_, i) => [`turn ${i + 1}`, 0, 9_000 + i * 100, 9_100 + i * 100] as SpanSpec,
  ),
]

async function ingestTrace(port: number) {
  const callStart = Date.now() - 60_000
  const id = (i: number) => (i + 1).toString(16).padStart(16, '0')
  const nanos = (ms: number) => `${callStart + ms}000000`
  const otlpSpans = spans.map(([name, parent, from, to, attributes = {}], i) => ({
    traceId: TRACE_ID,
    spanId: id(i),
    ...(parent >= 0 && { parentSpanId: id(parent) }),
    name,
    kind: 1,
    startTimeUnixNano: nanos(from),
    endTimeUnixNano: nanos(to),
    attributes: Object.entries(attributes).map(([key, stringValue]) => ({
      key,
      value: { stringValue },
    })),
  }))
  const answer = await fetch(`http://127.0.0.1:${port}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: otlpSpans }] }] }),
  })
  expect(answer.status, await answer.text()).toBe(200)
}

const openCall = async (page: Page, name: keyof typeof SIDS) => {
  await page.goto(new URL(`/internal/recent-calls/${SIDS[name]}`, page.url()).href)
  await page.getByRole('tab', { name: 'Tracing' }).click()
}

async function checkWaterfall(page: Page) {
  await openCall(page, 'traced')
  const main = page.getByRole('main')
  const tree = page.getByRole('tree', { name: 'Spans' })
  const span = (name: string) => tree.getByRole('treeitem', { name, exact: true })
  await page.getByText('305 spans in 47.00s', { exact: true }).waitFor()
  await span('incoming-call 47.00s').waitFor()
  // only visible rows are rendered
  expect(await tree.getByRole('treeitem').count()).toBeLessThan(100)
  await expectAccessible(page, 'tracing')
  await expectNoSidewaysScroll(page, 'tracing')

  const details = page.getByRole('region', { name: 'Selected span' })
  await span('tts-generation 250ms').click()
  await details.getByText('time_to_first_byte_ms').waitFor()
  await tree.focus()
  // to the parent verb, and collapse it
  await page.keyboard.press('ArrowLeft')
  await details.getByRole('heading', { name: 'Span: verb:say' }).waitFor()
  // the verb shows the attributes of its speech generation
  await details.getByText('time_to_first_byte_ms').waitFor()
  await page.keyboard.press('ArrowLeft')
  await span('tts-generation 250ms').waitFor({ state: 'detached' })
  await page.keyboard.press('ArrowRight')
  await span('tts-generation 250ms').waitFor()
  // with less motion, as here, a style is in force as it is set: rows and the space around them must not change a
  // frame apart, or the browser scrolls back from the end
  const opacity = await tree.evaluate((element) => {
    element.style.opacity = '0.5'
    const { opacity } = getComputedStyle(element)
    element.style.opacity = ''
    return opacity
  })
  expect(opacity).toBe('0.5')
  await page.keyboard.press('End')
  await details.getByRole('heading', { name: 'Span: turn 300' }).waitFor()
  await span('turn 300 100ms').waitFor()
  await page.keyboard.press('Home')
  await details.getByText('callSid').waitFor()
  expect(await details.innerText()).not.toContain('telemetry')

  // a 250 ms span is hard to see in 47 s, and clear in 1.5 s after zooming
  await span('tts-generation 250ms').click()
  const bar = span('tts-generation 250ms').locator('.span-bar')
  const width = async () => (await bar.boundingBox())!.width
  const before = await width()
  for (let i = 0; i < 5; i++) await page.getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(width).toBeGreaterThan(before * 5)
  await page.getByRole('slider', { name: 'Position in the trace' }).waitFor()
  await expectAccessible(page, 'tracing, closer')
  await page.getByRole('button', { name: 'Show the whole trace' }).click()
  await expect.poll(width).toBeCloseTo(before, 0)

  await openCall(page, 'untraced')
  await main.getByText('This call was not traced.').waitFor()
  await openCall(page, 'lost')
  await main.getByText('No trace of this call.').waitFor()
}

async function checkLogs(page: Page) {
  await openCall(page, 'traced')
  await page.getByRole('tab', { name: 'Logs' }).click()
  await page.getByRole('button', { name: 'Retrieve logs' }).click()
  await page.getByText('40 of 40 entries').waitFor()
  await page.getByLabel('Search the log').fill('step 7')
  await page.getByText('1 of 40 entries').waitFor()
  await page.getByRole('region', { name: 'Log' }).getByText('"step 7"').waitFor()
  await expectAccessible(page, 'logs')
  await expectNoSidewaysScroll(page, 'logs')
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await expectToast(page, 'Logs copied to clipboard')
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))
  })
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await page.getByText('Failed to copy logs').waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  ])
  expect(file.suggestedFilename()).toBe(`${SIDS.traced}.log`)
  expect(readFileSync(await file.path(), 'utf8').match(/step \d+/g)).toHaveLength(40)
  await openCall(page, 'lost')
  await page.getByRole('tab', { name: 'Logs' }).click()
  await page.getByRole('button', { name: 'Retrieve logs' }).click()
  await page.getByText('No logs found').waitFor()
  await page.route('**/logs*', (route) =>
    route.fulfill({ status: 404, json: { msg: 'Not Found' } }),
  )
  await page.getByRole('button', { name: 'Retrieve logs' }).click()
  await page.getByText('There is no log for this call').waitFor()
}

it.each(databasesFor('tracing'))(
  'shows where the time of a call went, and its log (%s)',
  async (database) => {
    const cloud = await cloudWatch((call_sid) =>
      call_sid === SIDS.traced
        ? Array.from({ length: 40 }, (_, i) =>
            JSON.stringify({
              level: 30,
              time: Date.now(),
              callSid: call_sid,
              msg: `step ${i + 1}`,
            }),
          )
        : [],
    )
    const [influx, otlp] = [await freePort(), await freePort()]
    const server = await startSwitchroom(database, {
      SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${influx}`,
      SWITCHROOM_INGEST_OTLP: `127.0.0.1:${otlp}`,
      AWS_REGION: 'eu-west-1',
      AWS_ENDPOINT_URL_CLOUDWATCH_LOGS: cloud.url,
      AWS_ACCESS_KEY_ID: 'AKIDTEST',
      AWS_SECRET_ACCESS_KEY: 'secret',
    })
    const page = await openPage({
      acceptDownloads: true,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    try {
      await reportFailures(page, `tracing-${database}`, async () => {
        await ingestTrace(otlp)
        await ingestCalls(influx)
        await logIn(page, server.url)
        await checkWaterfall(page)
        await checkLogs(page)
        expectNoErrors(page)
      })
    } finally {
      await page.context().close()
      await server.stop()
      cloud.close()
    }
  },
)
