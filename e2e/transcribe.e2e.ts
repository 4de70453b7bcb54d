import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  answered,
  call,
  gather,
  late,
  over,
  recording,
  SPEECH,
  say,
} from '../packages/server/test/conversations/example.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, expectToast, logIn, openPage, reportFailures } from './browser.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, PASSWORD, startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'
import { sendTrace, sidOf, traceOf } from './traced-calls.ts'
import { RATE, recorderEnvironment, recordingPath, uploadRecording } from './upload-recording.ts'

const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'
/** A call with a trace, and one without. */
const [TRACED, UNTRACED] = [0, 1]
const SECONDS = 20

/** Who speaks from when to when in the recording, in seconds, and what a recognizer hears by the length of it. */
const SPOKEN = [
  { side: 1, from: 1, to: 3.5, text: 'Welcome to the restaurant. For how many people?' },
  { side: 0, from: 5, to: 7, text: 'A table for four people' },
  { side: 0, from: 14, to: 15, text: 'Can you still hear me?' },
]

/** Trace of the call: the recording begins half a second in. The application listens to the caller once. */
const trace = {
  spans: [
    call(20_500),
    answered(400),
    recording(500, 20_000),
    say('s', 1_500, 2_500, 'Welcome to the ...'),
    gather('g', 5_000, 3_000, SPEECH, 'speech', late('400', 'a cable for four people', 0.71)),
    over(20_400, 'caller'),
  ],
}

/** Both sides, with a tone for words. */
function audio() {
  const pcm = Buffer.alloc(SECONDS * RATE * 4)
  for (const { side, from, to } of SPOKEN)
    for (let i = from * RATE; i < to * RATE; i++)
      pcm.writeInt16LE(
        Math.round(12_000 * Math.sin((2 * Math.PI * 400 * i) / RATE)),
        i * 4 + side * 2,
      )
  return pcm
}

/** A Deepgram container that hears words by how long they are. `refuses`: whether it does, by the text. */
async function startDeepgram() {
  const state = { refuses: (_text: string) => false, heard: [] as string[] }
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const json = (status: number, body: object) =>
        reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      if (!request.url?.startsWith('/v1/listen')) return json(200, { stt: [], tts: [] })
      const seconds = (Buffer.concat(chunks).length - 44) / 2 / RATE
      const off = ({ from, to }: (typeof SPOKEN)[number]) => Math.abs(to - from + 0.4 - seconds)
      const { text } = SPOKEN.reduce((best, one) => (off(one) < off(best) ? one : best))
      if (state.refuses(text)) return json(400, { err_code: 'QUOTA', err_msg: 'No quota is left' })
      state.heard.push(text)
      json(200, { results: { channels: [{ alternatives: [{ transcript: text }] }] } })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(state, { host: `127.0.0.1:${port}`, stop: () => server.close() })
}

let vendor: Awaited<ReturnType<typeof startDeepgram>>
beforeAll(async () => {
  vendor = await startDeepgram()
})
afterAll(() => {
  vendor.stop()
})

async function sendRecords(port: number) {
  // two calls of one time would be one call
  const now = Date.now()
  const lines = [TRACED, UNTRACED].map(
    (n) =>
      `cdrs,account_sid=${ACCOUNT},service_provider_sid=${SP},answered=true,direction=inbound,trunk=North ` +
      `call_sid="${sidOf(n)}",sip_callid="${n}@pbx",from="15085551000",to="442079460958",` +
      `duration=${SECONDS},sip_status=200,trace_id="${n === TRACED ? traceOf(n) : '0'.repeat(32)}",` +
      `recording_url="${recordingPath(ACCOUNT, sidOf(n))}" ${now - n}000000`,
  )
  const answer = await fetch(`http://127.0.0.1:${port}/write?db=cdrs&precision=n`, {
    method: 'POST',
    body: lines.join('\n'),
  })
  expect(answer.status, await answer.text()).toBe(204)
}

/** A speech service for the account, and somebody who may only look. */
async function provision(url: string, token: string) {
  await api(url, token, 'POST', `/Accounts/${ACCOUNT}/SpeechCredentials`, {
    vendor: 'deepgram',
    use_for_tts: 0,
    use_for_stt: 1,
    api_key: 'transcribe-canary',
    deepgram_stt_uri: vendor.host,
    deepgram_stt_use_tls: 0,
  })
  await api(url, token, 'POST', '/Users', {
    name: 'viewer',
    email: 'viewer@example.org',
    initial_password: PASSWORD,
    force_change: 0,
    account_sid: ACCOUNT,
    is_view_only: 1,
  })
}

const panel = (page: Page) => page.getByRole('tabpanel', { name: 'What happened' })
const open = (page: Page, n: number) =>
  page.goto(new URL(`/internal/recent-calls/${sidOf(n)}?tab=conversation`, page.url()).href)
const button = (page: Page, name: string) => panel(page).getByRole('button', { name, exact: true })
const turn = (page: Page, text: string) =>
  panel(page)
    .getByRole('list', { name: 'Conversation' })
    .getByRole('listitem')
    .filter({ hasText: text })

/** Nothing can be sent without a service. */
async function checkWithoutService(page: Page) {
  await open(page, TRACED)
  await button(page, 'Transcribe').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('This account has no speech service for recognition.').waitFor()
  await dialog.getByRole('link', { name: 'Speech services' }).waitFor()
  await page.keyboard.press('Escape')
  expect(vendor.heard).toEqual([])
}

/** It tells what it takes before anything is sent. The service refuses all of it. */
async function checkRefused(page: Page) {
  vendor.refuses = () => true
  await open(page, TRACED)
  await button(page, 'Transcribe').focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Transcribe the recording' })
  await dialog.getByText('The recording is 20 s long. 7 s of it is speech:').waitFor()
  await dialog.getByText('Only the speech is sent, in 3 requests to the service.').waitFor()
  // the language that the application listened in
  const language = dialog.getByLabel('Language')
  await expect.poll(() => language.inputValue()).toMatch(/en-US|English/)
  await expectAccessible(page, 'what transcribing takes')
  await dialog.getByRole('button', { name: 'Transcribe' }).focus()
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await panel(page).getByText('The recording could not be transcribed:').waitFor()
  await panel(page)
    .getByText(/No quota is left/)
    .waitFor()
  expect(await turn(page, 'Heard in the recording').count()).toBe(0)
}

/** Tried again, it hears all but one, and then that too. */
async function checkTriedAgain(page: Page) {
  vendor.refuses = (text) => text === SPOKEN[2]!.text
  await button(page, 'Try again').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Transcribe' }).click()
  await panel(page).getByText('1 of 3 stretches of speech is missing:').waitFor()
  vendor.refuses = () => false
  vendor.heard = []
  await button(page, 'Try again').click()
  await turn(page, SPOKEN[2]!.text).waitFor()
  // only what was missing is paid for again
  expect(vendor.heard).toEqual([SPOKEN[2]!.text])
  await panel(page)
    .getByText(/^Transcribed by Deepgram in en-US on /)
    .waitFor()
}

/** The words are in the turns that they were said in. */
async function checkTurns(page: Page) {
  const welcome = turn(page, SPOKEN[0]!.text)
  await welcome.getByText('Heard in the recording').waitFor()
  await welcome.getByText('In the trace: Welcome to the').waitFor()
  const four = turn(page, SPOKEN[1]!.text)
  await four.getByText('a cable for four people').waitFor()
  const alone = turn(page, SPOKEN[2]!.text)
  expect(await alone.innerText()).toContain('Caller')
  await expectAccessible(page, 'a conversation with a transcript')
  await expectNoSidewaysScroll(page, 'a conversation with a transcript')
  await page.setViewportSize({ width: 320, height: 800 })
  await expectNoSidewaysScroll(page, 'a transcript on a phone')
  await page.setViewportSize({ width: 1_280, height: 900 })

  // a turn that only the recording has plays as others do
  await page.getByRole('button', { name: 'Listen to the recording' }).click()
  await panel(page).getByLabel('Follow the recording').check()
  await alone.getByRole('button', { name: 'Play from 0:14' }).click()
  await expect.poll(() => alone.getAttribute('aria-current')).toBe('true')
  await page
    .getByRole('region', { name: 'Recording' })
    .getByRole('button', { name: 'Pause' })
    .click()
  await alone.focus()
  await page.keyboard.press('ArrowUp')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('four people')

  await page.getByRole('button', { name: 'Copy as bug report' }).click()
  await expectToast(page, 'Bug report copied to clipboard')
  const report = await page.evaluate(() => navigator.clipboard.readText())
  expect(report).toContain('Heard in the recording: A table for four people')
  expect(report).toContain('Can you still hear me?')
}

/** A call without a trace has the words alone. */
async function checkUntraced(page: Page) {
  await open(page, UNTRACED)
  await panel(page).getByText('This call was not traced.').waitFor()
  await button(page, 'Transcribe').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Transcribe' }).click()
  for (const { text } of SPOKEN) await turn(page, text).waitFor()
  expect(await turn(page, SPOKEN[0]!.text).innerText()).toContain('Other side')
  // it is there after a reload, and first
  await page.goto(new URL(`/internal/recent-calls/${sidOf(UNTRACED)}`, page.url()).href)
  await turn(page, SPOKEN[1]!.text).waitFor()
  await expectAccessible(page, 'a transcript without a trace')
}

async function checkViewer(page: Page, url: string) {
  await logIn(page, url, 'viewer')
  await open(page, TRACED)
  await turn(page, SPOKEN[2]!.text).waitFor()
  await panel(page)
    .getByText(/^Transcribed by Deepgram/)
    .waitFor()
  for (const name of ['Transcribe', 'Try again', 'Delete transcript'])
    expect(await button(page, name).count()).toBe(0)
}

async function checkDeleted(page: Page) {
  await open(page, TRACED)
  await button(page, 'Delete transcript').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The recording and the trace stay.').waitFor()
  await dialog.getByRole('button', { name: 'Delete transcript' }).click()
  await expectToast(page, 'Transcript deleted')
  await button(page, 'Transcribe').waitFor()
  await turn(page, SPOKEN[2]!.text).waitFor({ state: 'detached' })
  await turn(page, 'a cable for four people').waitFor()
}

/** An account that keeps no words has none sent to a service. */
async function checkLeftOut(page: Page, url: string, token: string) {
  await api(url, token, 'PUT', `/Accounts/${ACCOUNT}/TranscriptSettings`, { words: 'leave_out' })
  vendor.heard = []
  await open(page, TRACED)
  await button(page, 'Transcribe').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('This account does not keep the words of its calls').waitFor()
  expect(await dialog.getByRole('button', { name: 'Transcribe' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  expect(vendor.heard).toEqual([])
}

it.each(databasesFor('transcribe'))(
  'transcribes the recording of a call (%s)',
  async (database) => {
    vendor.heard = []
    const [influx, otlp] = [await freePort(), await freePort()]
    const server = await startSwitchroom(database, {
      SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${influx}`,
      SWITCHROOM_INGEST_OTLP: `127.0.0.1:${otlp}`,
      SWITCHROOM_ALLOW_NETWORKS: '127.0.0.0/8',
      ...recorderEnvironment,
    })
    const page = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] })
    const viewer = await openPage()
    try {
      await reportFailures(page, `transcribe-${database}`, async () => {
        const token = await fetchToken(server.url)
        for (const n of [TRACED, UNTRACED])
          await uploadRecording(server.url, {
            account_sid: ACCOUNT,
            call_sid: sidOf(n),
            pcm: audio(),
          })
        await sendTrace(otlp, trace, TRACED)
        await sendRecords(influx)
        for (const n of [TRACED, UNTRACED]) {
          const url = `${server.url}/api/v1${recordingPath(ACCOUNT, sidOf(n))}`
          const headers = { authorization: `Bearer ${token}` }
          const status = async () => (await fetch(url, { method: 'HEAD', headers })).status
          await expect.poll(status).toBe(200)
        }
        await logIn(page, server.url)
        await checkWithoutService(page)
        await provision(server.url, token)
        await checkRefused(page)
        await checkTriedAgain(page)
        await checkTurns(page)
        await checkUntraced(page)
        await checkViewer(viewer, server.url)
        await checkDeleted(page)
        await checkLeftOut(page, server.url, token)
        expect(server.log()).not.toContain('transcribe-canary')
        expectNoErrors(page)
        expectNoErrors(viewer)
      })
    } finally {
      await page.context().close()
      await viewer.context().close()
      await server.stop()
    }
  },
)
