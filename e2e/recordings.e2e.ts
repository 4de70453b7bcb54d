import { createSocket } from 'node:dgram'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { hep, sipText } from '../packages/server/test/hep.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, expectToast, logIn, openPage, reportFailures } from './browser.ts'
import { databasesFor } from './databases.ts'
import { fetchToken, startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'
import {
  RATE,
  RECORDER,
  recorderEnvironment,
  recordingPath,
  uploadRecording,
} from './upload-recording.ts'

const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'
const CALL = '5e3c1a52-7f0b-4b06-9d3f-0b9a5d1c2e4f'
const TRACE = 'ab'.repeat(16)
const SECONDS = 40

/** Stereo: speech until second 5 on one channel, a tone on the other. */
function callAudio() {
  const pcm = Buffer.alloc(SECONDS * RATE * 4)
  for (let i = 0; i < SECONDS * RATE; i++) {
    const tone = (hertz: number) => Math.sin((2 * Math.PI * hertz * i) / RATE)
    pcm.writeInt16LE(Math.round(i < 5 * RATE ? 14_000 * tone(300) : 0), i * 4)
    pcm.writeInt16LE(Math.round(9_000 * tone(700)), i * 4 + 2)
  }
  return pcm
}

const path = () => recordingPath(ACCOUNT, CALL)

async function ingestCalls(port: number) {
  // unique nanoseconds by the caller's last digit: points of one time overwrite each other
  const call = (from: string, call_sid: string, url: string, trace: string) =>
    `cdrs,account_sid=${ACCOUNT},service_provider_sid=${SP},answered=true,direction=inbound,host=h,trunk=t call_sid="${call_sid}",sip_callid="${from}@pbx",from="${from}",to="442079460958",duration=${SECONDS},sip_status=200,trace_id="${trace}",recording_url="${url}" ${Date.now()}00000${from.at(-1)}`
  const lines = [
    call('15085551001', CALL, path(), TRACE),
    call('15085551002', crypto.randomUUID(), 'https://elsewhere.example.com/x.mp3', '0'.repeat(32)),
  ]
  const answer = await fetch(`http://127.0.0.1:${port}/write?db=cdrs&precision=n`, {
    method: 'POST',
    body: lines.join('\n'),
  })
  expect(answer.status, await answer.text()).toBe(204)
}

const callStart = BigInt(Date.now()) * 1_000_000n
const nano = (seconds: number) => String(callStart + BigInt(Math.round(seconds * 1e9)))
type SpanSpec = { id: string; name: string; from: number; to: number; has?: Record<string, string> }
const spans: SpanSpec[] = [
  { id: '1', name: 'background-record:listen', from: 1, to: 1 + SECONDS },
  {
    id: '2',
    name: 'verb:gather{input}',
    from: 2,
    to: 7,
    has: {
      'stt.resolve': 'speech',
      'stt.result': JSON.stringify({
        vendor: { name: 'google' },
        language_code: 'en-US',
        alternatives: [{ transcript: 'the bill please', confidence: 0.9 }],
      }),
    },
  },
  {
    id: '3',
    name: 'tts-generation',
    from: 10,
    to: 11.5,
    has: { 'tts.vendor': 'aws', 'tts.cached': 'false' },
  },
  // may be absent in other versions of the component
  { id: '4', name: 'verb:hook', from: 12, to: 12.5 },
]
async function ingestTrace(port: number) {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: spans.map(({ id, name, from, to, has = {} }) => ({
                traceId: TRACE,
                spanId: id.repeat(16),
                name,
                kind: 1,
                startTimeUnixNano: nano(from),
                endTimeUnixNano: nano(to),
                attributes: Object.entries(has).map(([key, stringValue]) => ({
                  key,
                  value: { stringValue },
                })),
              })),
            },
          ],
        },
      ],
    }),
  })
  expect(answer.status).toBe(200)
}

/** The INVITE, its answer and the caller's BYE, by the clock of the trace. */
async function sendCapture(port: number) {
  const call_id = '15085551001@pbx'
  const messages: [seconds: number, back: boolean, first: string, cseq: string][] = [
    [0, false, 'INVITE sip:2000@pbx SIP/2.0', '1 INVITE'],
    [0.9, true, 'SIP/2.0 200 OK', '1 INVITE'],
    [41, false, 'BYE sip:2000@pbx SIP/2.0', '2 BYE'],
  ]
  const socket = createSocket('udp4')
  const ends: [string, number][] = [
    ['192.0.2.10', 5060],
    ['203.0.113.7', 5060],
  ]
  for (const [seconds, back, first, cseq] of messages) {
    const [source, destination] = back ? ends.toReversed() : ends
    const frame = hep({
      text: sipText(first, { call_id, cseq, branch: `z9hG4bK${cseq[0]}` }),
      at: Number(callStart / 1_000_000n) + seconds * 1_000,
      source: source!,
      destination: destination!,
    })
    await new Promise<void>((done, fail) =>
      socket.send(frame, port, '127.0.0.1', (e) => (e ? fail(e) : done())),
    )
  }
  socket.close()
}

const player = (page: Page) => page.getByRole('region', { name: 'Recording' })
const button = (page: Page, name: string) => player(page).getByRole('button', { name, exact: true })
const expectPosition = (page: Page, time: string) =>
  player(page).getByText(`${time} / 00:${SECONDS}`, { exact: true }).waitFor()

async function checkPlayback(page: Page) {
  const requests: string[] = []
  page.on('request', (r) => requests.push(r.url()))
  await page
    .getByRole('row', { name: /555-1001/ })
    .getByRole('button')
    .click()
  await button(page, 'Listen to the recording').waitFor()
  expect(requests.filter((url) => url.includes('/record/'))).toEqual([])
  await button(page, 'Listen to the recording').click()
  await expectPosition(page, '00:00')
  expect(requests.filter((url) => /token|bearer|eyJ/i.test(url))).toEqual([])

  // one channel goes silent, the other does not
  const sides = player(page).getByRole('img')
  await expect.poll(() => sides.count()).toBe(2)
  const heights = async (side: number) => {
    const outline = (await sides.nth(side).locator('path').getAttribute('d'))!
    const columns = outline.slice(1).split('L')
    const tops = columns.slice(0, columns.length / 2).map((c) => 50 - Number(c.split(' ')[1]))
    const mean = (part: number[]) => part.reduce((a, b) => a + b, 0) / part.length
    return [mean(tops.slice(0, tops.length / 10)), mean(tops.slice(tops.length / 2))]
  }
  const [spoken, silent] = await heights(0)
  expect(spoken).toBeGreaterThan(15)
  expect(silent).toBeLessThan(2)
  expect((await heights(1))[1]).toBeGreaterThan(10)

  await button(page, 'Jump right').click()
  await expectPosition(page, '00:15')
  await button(page, 'Jump right').click()
  await expectPosition(page, '00:30')
  await button(page, 'Jump right').click()
  await expectPosition(page, '00:39')
  for (const time of ['00:24', '00:09', '00:00']) {
    await button(page, 'Jump left').click()
    await expectPosition(page, time)
  }
  const slider = player(page).getByRole('slider', { name: 'Playback position' })
  await slider.focus()
  await page.keyboard.press('ArrowRight')
  await expectPosition(page, '00:01')
  await button(page, 'Play').focus()
  await page.keyboard.press('Enter')
  await expectPosition(page, '00:02')
  await button(page, 'Pause').click()
  await button(page, 'Play').waitFor()
  await player(page).getByLabel('Speed').selectOption('2×')
}

async function checkLatencies(page: Page) {
  await player(page).getByRole('switch', { name: 'Show latencies' }).check()
  const list = player(page).getByRole('list', { name: 'Latencies' })
  await expect.poll(() => list.getByRole('listitem').count()).toBe(3)
  // speech ends just after 5.0 s and is transcribed at 6 s
  await list.getByText(/^0\.9[5-9]s$/).waitFor()
  await list.getByText('1.50s', { exact: true }).waitFor()
  await list.getByRole('button', { name: 'Speech to text result' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Speech to text result' })
  await dialog.getByText('the bill please').waitFor()
  await dialog.getByText('google').waitFor()
  await expectAccessible(page, 'what was understood')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await player(page).locator('.region-tts-latency.region').click()
  await page.getByRole('dialog', { name: 'TTS latency' }).getByText('1.50 seconds').waitFor()
  await page.keyboard.press('Escape')
  await expectAccessible(page, 'a player')
  await expectNoSidewaysScroll(page, 'a player')
  await button(page, 'Zoom in').click()
  await player(page)
    .getByRole('slider', { name: /part of the recording/ })
    .waitFor()
  await button(page, 'Show all').click()
}

/** The conversation is beside the player, and plays from there. */
async function checkConversation(page: Page) {
  const panel = page.getByRole('tabpanel', { name: 'What happened' })
  const turn = panel.getByRole('listitem').filter({ hasText: 'the bill please' })
  await button(page, 'Jump left').click()
  await expect.poll(() => turn.getAttribute('aria-current')).toBeNull()
  // the recording begins a second into the call, and listening another one later
  await turn.getByRole('button', { name: 'Play from 0:01' }).click()
  await expectPosition(page, '00:02')
  await button(page, 'Pause').click()
  await expect.poll(() => turn.getAttribute('aria-current')).toBe('true')
  await panel.getByRole('checkbox', { name: 'Follow the recording' }).check()
  await expectAccessible(page, 'a conversation beside its recording')
  await button(page, 'Jump left').click()
  await expectPosition(page, '00:00')
}

/** The SIP and the trace show where the recording is, too. */
async function checkPosition(page: Page) {
  await button(page, 'Jump right').click()
  await expectPosition(page, '00:15')
  await page.getByRole('tab', { name: 'SIP' }).click()
  const messages = page.getByRole('list', { name: 'SIP messages' }).getByRole('listitem')
  // answered long ago, and nobody hangs up before second 40
  await expect.poll(() => messages.nth(1).getAttribute('aria-current')).toBe('true')
  expect(await messages.nth(2).getAttribute('aria-current')).toBeNull()
  await page.getByRole('tab', { name: 'Tracing' }).click()
  const spans = page.getByRole('tree', { name: 'Spans' })
  const place = () => spans.evaluate((tree) => Number(tree.style.getPropertyValue('--played')))
  // the trace is 40 seconds long, and the recording its first span
  await expect.poll(place).toBeCloseTo(15 / 40, 1)
  await button(page, 'Jump left').click()
  await expect.poll(() => spans.getAttribute('data-played')).toBeNull()
}

/** Network, application, speech and sound on one axis, with one cursor. */
async function checkTimeline(page: Page) {
  await page.getByRole('tab', { name: 'What happened' }).click()
  await page.getByRole('radio', { name: 'Timeline', exact: true }).check()
  // what was said is behind it
  const timeline = page.locator('.timeline')
  const lane = (name: string) => timeline.getByRole('listbox', { name, exact: true })
  await lane('Network').getByRole('option', { name: '200 OK, +0.900 s' }).waitFor()
  for (const [name, count] of [
    ['Network', 3],
    ['Application', 1],
    ['Speech out', 1],
    ['Speech in', 1],
  ] as const)
    expect(await lane(name).getByRole('option').count(), name).toBe(count)
  await timeline.getByText('Recording start is taken from the trace.').waitFor()
  await expect.poll(() => timeline.getByRole('img', { name: /^Waveform/ }).count()).toBe(2)
  await expectAccessible(page, 'a timeline')
  await expectNoSidewaysScroll(page, 'a timeline')

  // arrow keys move along a lane, and to the nearest item of the next
  const cursor = timeline.locator('output')
  await lane('Network').focus()
  await page.keyboard.press('Home')
  await cursor.getByText('+0.000 s').waitFor()
  await page.keyboard.press('ArrowRight')
  await cursor.getByText('+0.900 s').waitFor()
  await page.keyboard.press('Enter')
  await timeline.getByRole('region', { name: 'Message text' }).getByText('200 OK').waitFor()
  await page.keyboard.press('ArrowDown')
  await cursor.getByText('+12.000 s').waitFor()
  await page.keyboard.press('Enter')
  await timeline.getByRole('heading', { name: 'Span: verb:hook' }).waitFor()
  await lane('Speech in').getByRole('option').click()
  await timeline.getByText('the bill please').waitFor()
  await expectAccessible(page, 'a timeline with details')
  // the recording begins a second into the call
  await button(page, 'Jump right').click()
  await cursor.getByText(/^\+1[6-9]\.\d{3} s/).waitFor()

  const wide = async () => (await lane('Speech out').getByRole('option').boundingBox())!.width
  await lane('Speech out').getByRole('option').click()
  const before = await wide()
  await timeline.getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(wide).toBeGreaterThan(before * 1.8)
  await timeline.getByRole('slider', { name: 'Position in the call' }).waitFor()
  await timeline.getByRole('button', { name: 'Show the whole call' }).click()
  await expect.poll(wide).toBeCloseTo(before, 0)
  await button(page, 'Jump left').click()
  await page.setViewportSize({ width: 320, height: 800 })
  await expectNoSidewaysScroll(page, 'a timeline on a phone')
  await page.setViewportSize({ width: 1_280, height: 900 })
}

async function checkDownload(page: Page) {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    player(page).getByRole('link', { name: 'Download record file' }).click(),
  ])
  expect(file.suggestedFilename()).toBe(`callid-${CALL}.mp3`)
  // 64 kbit/s, the maximum at 8 kHz
  const { length } = readFileSync(await file.path())
  expect(Math.abs(length / 8_000 - SECONDS)).toBeLessThan(1)
}

async function checkDeletion(page: Page) {
  await button(page, 'Delete record file').click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByText(`Are you sure you want to delete the record for call ${CALL}?`, { exact: true })
    .waitFor()
  await dialog.getByRole('button', { name: 'Delete recording' }).click()
  await expectToast(page, 'Successfully deleted record')
  await player(page).getByText('The recording was deleted.').waitFor()
  expect(await player(page).getByRole('button').count()).toBe(0)
  // the URL opens the row again
  await page.reload()
  await button(page, 'Listen to the recording').click()
  await player(page)
    .getByText(/Recording not found./)
    .waitFor()
  // recordings stored elsewhere are linked, never fetched by the server
  await page
    .getByRole('row', { name: /555-1002/ })
    .getByRole('button')
    .click()
  const link = player(page).getByRole('link', {
    name: 'Open the recording at elsewhere.example.com',
  })
  expect(await link.getAttribute('rel')).toBe('noreferrer')
}

it.each(databasesFor('recordings'))(
  'receives, plays, shows and deletes a recording (%s)',
  async (database) => {
    const [influx, otlp, capture] = [await freePort(), await freePort(), await freePort()]
    const server = await startSwitchroom(database, {
      SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${influx}`,
      SWITCHROOM_INGEST_OTLP: `127.0.0.1:${otlp}`,
      SWITCHROOM_INGEST_HEP: `127.0.0.1:${capture}`,
      ...recorderEnvironment,
    })
    const page = await openPage({ acceptDownloads: true })
    try {
      await reportFailures(page, `recordings-${database}`, async () => {
        await uploadRecording(server.url, {
          account_sid: ACCOUNT,
          call_sid: CALL,
          pcm: callAudio(),
        })
        await ingestCalls(influx)
        await ingestTrace(otlp)
        await sendCapture(capture)
        const headers = { authorization: `Bearer ${await fetchToken(server.url)}` }
        const head = () => fetch(`${server.url}/api/v1${path()}`, { method: 'HEAD', headers })
        await expect.poll(async () => (await head()).status).toBe(200)
        await logIn(page, server.url)
        await page.goto(`${server.url}/internal/recent-calls`)
        await checkPlayback(page)
        await checkLatencies(page)
        await checkConversation(page)
        await checkPosition(page)
        await checkTimeline(page)
        await checkDownload(page)
        await checkDeletion(page)
        expect((await head()).status).toBe(404)
        expect(server.log()).not.toContain(RECORDER.password)
        expectNoErrors(page)
      })
    } finally {
      await page.context().close()
      await server.stop()
    }
  },
)
