import { createSocket } from 'node:dgram'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { hep, sipText } from '../packages/server/test/hep.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, expectToast, logIn, openPage, reportFailures } from './browser.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'

const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'
const STARTED_AT = Date.now() - 60_000
const DIGEST = 'c0ffee'.repeat(5)
const INVITE = 'INVITE sip:2000@pbx SIP/2.0'

type SipMessage = [
  after: number,
  back: boolean,
  first: string,
  more?: Parameters<typeof sipText>[1],
]

/** An authentication loop as the capture agent sees it. */
function authenticationLoop(call_id: string): SipMessage[] {
  const body = 'v=0\r\nm=audio 4000 RTP/AVP 0\r\n'
  const authorization = `Proxy-Authorization: Digest username="jane", realm="pbx", response="${DIGEST}"`
  const challenge = 'Proxy-Authenticate: Digest realm="pbx", nonce="n"'
  const attempt = (n: number): SipMessage[] => {
    const of = { call_id, branch: `z9hG4bK${n}` }
    const cseq = `${n} INVITE`
    const at = 600 * n
    return [
      [
        n === 1 ? 0 : at,
        false,
        INVITE,
        { ...of, cseq, ...(n === 1 ? { body } : { headers: [authorization] }) },
      ],
      [
        at + 50,
        true,
        'SIP/2.0 407 Proxy Authentication Required',
        { ...of, cseq, headers: [challenge] },
      ],
      [at + 60, false, 'ACK sip:2000@pbx SIP/2.0', { ...of, cseq: `${n} ACK` }],
    ]
  }
  return [
    ...attempt(1),
    [500, false, INVITE, { call_id, branch: 'z9hG4bK1', body }],
    [620, true, 'SIP/2.0 100 Trying', { call_id, branch: 'z9hG4bK1' }],
    ...attempt(2),
    ...attempt(3),
  ]
}

const registration = (call_id: string): SipMessage[] => [
  [0, false, 'REGISTER sip:reg.example SIP/2.0', { call_id, cseq: '1 REGISTER' }],
  [30, true, 'SIP/2.0 403 Forbidden', { call_id, cseq: '1 REGISTER' }],
]

/** A call whose first messages an agent reports in the wrong order, and one leg that was made for it. */
function swappedCall(call_id: string, leg: string): SipMessage[] {
  const of = { call_id, branch: 'z9hG4bKs' }
  return [
    [0, true, 'SIP/2.0 100 Trying', of],
    [0, false, INVITE, of],
    [5, false, INVITE, { call_id: leg, branch: 'z9hG4bKleg', headers: [`X-CID: ${call_id}`] }],
    [900, true, 'SIP/2.0 200 OK', of],
    [910, false, 'ACK sip:2000@pbx SIP/2.0', { call_id, cseq: '1 ACK', branch: 'z9hG4bKack' }],
    [4_000, false, 'BYE sip:2000@pbx SIP/2.0', { call_id, cseq: '2 BYE', branch: 'z9hG4bKbye' }],
  ]
}

async function sendCapture(port: number, messages: SipMessage[]) {
  const socket = createSocket('udp4')
  for (const [after, back, first, more] of messages) {
    const ends = [
      ['192.0.2.10', 5060] as [string, number],
      ['203.0.113.7', 5060] as [string, number],
    ]
    const [source, destination] = back ? ends.reverse() : ends
    const frame = hep({
      text: sipText(first, more),
      at: STARTED_AT + after,
      source: source!,
      destination: destination!,
    })
    await new Promise<void>((done, fail) =>
      socket.send(frame, port, '127.0.0.1', (e) => (e ? fail(e) : done())),
    )
  }
  socket.close()
}

async function ingestCalls(port: number, call_ids: string[], answered = false) {
  const fields = answered
    ? 'duration=3,sip_status=200,termination_reason="called party hungup"'
    : 'duration=0,sip_status=407'
  const lines = call_ids.map(
    (id, i) =>
      `cdrs,account_sid=${ACCOUNT},service_provider_sid=${SP},answered=${answered},direction=inbound,host=h,trunk=North call_sid="${id.split('@')[0]}",sip_callid="${id}",from="15085550100",to="442079460958",${fields},terminated_at=${STARTED_AT + 5_000} ${STARTED_AT + i}000000`,
  )
  const answer = await fetch(`http://127.0.0.1:${port}/write?db=cdrs&precision=n`, {
    method: 'POST',
    body: lines.join('\n'),
  })
  expect(answer.status, await answer.text()).toBe(204)
}

const openSip = async (page: Page, url: string, call: string) => {
  await page.goto(`${url}/internal/recent-calls/${call}`)
  await page.getByRole('tab', { name: 'SIP' }).click()
}

async function checkLadder(page: Page) {
  const found = page.getByRole('list', { name: 'Findings' }).getByRole('listitem')
  await found
    .getByText(
      '203.0.113.7:5060 asked for authentication three times and got the same response as user “jane”. The username or password is wrong.',
    )
    .waitFor()
  const rows = page.getByRole('list', { name: 'SIP messages' }).getByRole('button')
  const first = rows.filter({ hasText: '+0.000 s' })
  await first.filter({ hasText: /INVITE · SDP · 2 times in 0\.5 s/ }).waitFor()
  expect(await rows.count()).toBe(10)
  await page.getByLabel('Show 1 retransmitted').check()
  await rows.filter({ hasText: 'again' }).waitFor()
  expect(await rows.count()).toBe(11)
  await page.getByLabel('Show 1 retransmitted').uncheck()
  await expectAccessible(page, 'a ladder')
  await expectNoSidewaysScroll(page, 'a ladder')
}

/** Opened by the Call-ID of its other leg. */
async function checkSwapped(page: Page, url: string) {
  await openSip(page, url, encodeURIComponent('leg@pbx.example'))
  await page
    .getByText(
      'The call record says that the called party hung up, the SIP capture that the caller’s side did.',
    )
    .waitFor()
  const rows = page.getByRole('list', { name: 'SIP messages' }).getByRole('button')
  await rows.first().filter({ hasText: 'INVITE · reordered' }).waitFor()
  await rows.nth(1).filter({ hasText: '100 Trying' }).waitFor()
  await rows.nth(2).filter({ hasText: 'INVITE · leg 2' }).waitFor()
  await rows.first().click()
  await page.getByText('Captured after messages below it.').waitFor()
  await expectAccessible(page, 'reordered messages')
  await expectNoSidewaysScroll(page, 'reordered messages')
}

async function checkMessages(page: Page) {
  const rows = page.getByRole('list', { name: 'SIP messages' }).getByRole('button')
  await rows.first().focus()
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
  const text = page.getByRole('region', { name: 'Message text' })
  await text.getByText(/^SIP\/2\.0 407 Proxy Authentication Required/).waitFor()
  await page.getByRole('region', { name: /407/ }).getByRole('button', { name: 'Copy' }).click()
  await expectToast(page, 'Message copied to clipboard')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('nonce="n"')
  await expectAccessible(page, 'an opened message')
  await expectNoSidewaysScroll(page, 'an opened message')
  // the finding links to the message that shows it
  await page.getByRole('button', { name: /^Show message/ }).click()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await text.getByText(`response="${'x'.repeat(30)}"`).waitFor()
  expect(await page.content()).not.toContain(DIGEST)
  await page.keyboard.press('Enter')
  await text.waitFor({ state: 'hidden' })
}

async function downloadPcap(page: Page) {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download pcap' }).click(),
  ])
  const bytes = readFileSync(await file.path())
  expect(bytes.readUInt32LE(0)).toBe(0xa1b2c3d4)
  return { name: file.suggestedFilename(), text: bytes.toString('latin1') }
}

async function checkCallPcap(page: Page) {
  const { name, text } = await downloadPcap(page)
  expect(name).toMatch(/^callid-loop[@_]pbx\.pcap$/)
  expect(text).toContain('CSeq: 3 INVITE')
  expect(text).not.toContain(DIGEST)
}

/** The trace of a carrier's registration, next to its status as the platform's registrar writes it. */
async function checkCarrierPcap(page: Page, url: string, port: number) {
  const token = await fetchToken(url)
  const { sid } = await api<{ sid: string }>(url, token, 'POST', '/VoipCarriers', {
    name: 'By registration',
    account_sid: ACCOUNT,
    trunk_type: 'reg',
    requires_register: 1,
    register_username: 'u',
    register_password: 'p',
    register_sip_realm: 'reg.example',
    sip_gateways: [{ ipv4: 'reg.example', inbound: 0, outbound: 1 }],
  })
  type View = { sip_gateways: { sip_gateway_sid: string }[] }
  const view = await api<View>(url, token, 'GET', `/VoipCarriers/${sid}`)
  const callId = view.sip_gateways[0]!.sip_gateway_sid
  await page.route(`**/VoipCarriers/${sid}`, async (route) => {
    const answer = await route.fetch()
    const register_status = { status: 'fail', reason: '403 Forbidden', callId }
    await route.fulfill({ json: { ...(await answer.json()), register_status } })
  })
  await page.goto(`${url}/internal/carriers/${sid}/edit`)
  const button = page.getByRole('button', { name: 'Download pcap' })
  await button.click()
  await page.getByText('No capture to download.').waitFor()
  await expectAccessible(page, 'a registration without a capture')
  await expectNoSidewaysScroll(page, 'a registration without a capture')
  await sendCapture(port, registration(callId))
  const { name, text } = await downloadPcap(page)
  expect(name).toBe(`callid-${callId}.pcap`)
  expect(text).toContain('REGISTER sip:reg.example')
  await page.getByText('No capture to download.').waitFor({ state: 'hidden' })
  await page.unrouteAll({ behavior: 'wait' })
}

it.each(databasesFor('captures'))(
  'shows what went wrong in the SIP of a call (%s)',
  async (database) => {
    const [influx, port] = [await freePort(), await freePort()]
    const server = await startSwitchroom(database, {
      SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${influx}`,
      SWITCHROOM_INGEST_HEP: `127.0.0.1:${port}`,
    })
    const page = await openPage({
      acceptDownloads: true,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const requests: string[] = []
    page.on('request', (r) => requests.push(new URL(r.url()).pathname))
    try {
      await reportFailures(page, `captures-${database}`, async () => {
        await ingestCalls(influx, ['loop@pbx', 'unseen@pbx'])
        await sendCapture(port, authenticationLoop('loop@pbx'))
        await logIn(page, server.url)
        await page.goto(`${server.url}/internal/recent-calls/loop`)
        // told from the record and the capture
        await page
          .getByText(
            /^Inbound from .*, rejected after 5\.0 s \(407 Proxy Authentication Required\)\.$/,
          )
          .waitFor()
        await page.getByRole('tab', { name: 'SIP' }).click()
        await checkLadder(page)
        await checkMessages(page)
        expect(requests.filter((path) => /\/pcap$/.test(path))).toEqual([])
        await checkCallPcap(page)
        await openSip(page, server.url, 'unseen')
        await page.getByText('No SIP capture of this call.').waitFor()
        await expectAccessible(page, 'no capture')
        await expectNoSidewaysScroll(page, 'no capture')
        await ingestCalls(influx, ['swapped@pbx'], true)
        await sendCapture(port, swappedCall('swapped@pbx', 'leg@pbx.example'))
        await checkSwapped(page, server.url)
        await checkCarrierPcap(page, server.url, port)
        expectNoErrors(page)
      })
    } finally {
      await page.context().close()
      await server.stop()
    }
  },
)

it('says when SIP is not captured', async () => {
  const influx = await freePort()
  const server = await startSwitchroom('sqlite', {
    SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${influx}`,
  })
  const page = await openPage()
  try {
    await reportFailures(page, 'captures-none', async () => {
      await ingestCalls(influx, ['loop@pbx'])
      await logIn(page, server.url)
      await openSip(page, server.url, 'loop')
      await page.getByText('SIP capture is not set up.').waitFor()
      await expectAccessible(page, 'not configured')
    })
  } finally {
    await page.context().close()
    await server.stop()
  }
})
