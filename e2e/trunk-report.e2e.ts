import { createSocket } from 'node:dgram'
import { expect, it } from 'vitest'
import { callLine, send } from '../packages/server/test/calls.ts'
import { type HepMessage, hep, sipText } from '../packages/server/test/hep.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, expectToast, logIn, openPage, reportFailures } from './browser.ts'
import { api, fetchToken, startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'
import { ACCOUNT, SP } from './screens.ts'

const CALLER = '15085550147'
const CALLED = '442079460958'
const AT = Date.now() - 60_000
const SBC: [string, number] = ['198.51.100.1', 5060]
const CARRIER: [string, number] = ['203.0.113.7', 5060]

async function ingest(influx: number, port: number) {
  const lines = Array.from({ length: 40 }, (_, i) =>
    callLine({
      ms: AT - i * 86_400_000 * 0.7,
      ns: i,
      tags: {
        account_sid: ACCOUNT,
        service_provider_sid: SP,
        answered: String(i % 4 > 0),
        direction: 'outbound',
        trunk: 'Northern Trunks',
        host: '10.0.0.1',
      },
      fields: {
        call_sid: `call-${i}`,
        sip_callid: `out-${i}@pbx`,
        from: CALLER,
        to: `+${CALLED}`,
        sip_status: i % 4 > 0 ? 200 : i % 8 > 0 ? 503 : 486,
        duration: i % 4 > 0 ? 90 : 0,
        terminated_at: AT - i * 86_400_000 * 0.7 + 5_000,
        ...(i % 4 > 0 && { answered_at: AT - i * 86_400_000 * 0.7 + 2_500 }),
      },
    }),
  )
  const stored = await send({ url: `http://127.0.0.1:${influx}` }, lines.join('\n'))
  expect(stored).toMatchObject({ status: 204 })
  const body = `v=0\r\no=jane 1 1 IN IP4 ${SBC[0]}\r\ns=Jane\r\nc=IN IP4 ${SBC[0]}\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0\r\n`
  const named = (text: string) =>
    text
      .replace('From: <sip:1000@pbx>', `From: "Jane Roe" <sip:${CALLER}@tenant.example>`)
      .replace('To: <sip:2000@pbx>', `To: <sip:+${CALLED}@${CARRIER[0]}>`)
  const of = { call_id: 'out-0@pbx' }
  const headers = [
    `P-Asserted-Identity: "Jane Roe" <sip:+${CALLER}@tenant.example>`,
    'X-Account-Sid: secret-account',
    'Proxy-Authorization: Digest username="jane", response="c0ffee"',
    'Content-Type: application/sdp',
  ]
  const invite = `INVITE sip:+${CALLED}@${CARRIER[0]} SIP/2.0`
  const out = { source: SBC, destination: CARRIER }
  const back = { source: CARRIER, destination: SBC }
  const messages: HepMessage[] = [
    { text: named(sipText(invite, { ...of, headers, body })), ...out, at: AT },
    { text: named(sipText('SIP/2.0 100 Trying', of)), ...back, at: AT + 20 },
    { text: named(sipText('SIP/2.0 486 Busy Here', of)), ...back, at: AT + 900 },
    {
      text: named(sipText(`ACK sip:+${CALLED}@${CARRIER[0]} SIP/2.0`, { ...of, cseq: '1 ACK' })),
      ...out,
      at: AT + 910,
    },
  ]
  const socket = createSocket('udp4')
  for (const message of messages)
    await new Promise<void>((done, fail) =>
      socket.send(hep(message), port, '127.0.0.1', (e) => (e ? fail(e) : done())),
    )
  socket.close()
}

it('shows a trunk to the carrier’s support staff by a link that ends', async () => {
  const [influx, port] = [await freePort(), await freePort()]
  const server = await startSwitchroom('sqlite', {
    SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${influx}`,
    SWITCHROOM_INGEST_HEP: `127.0.0.1:${port}`,
  })
  const page = await openPage()
  const guest = await openPage()
  /** Responses that the guest's browser has received, and addresses it requested. */
  const answers: string[] = []
  const addresses: string[] = []
  guest.on('request', (r) => addresses.push(r.url()))
  guest.on('response', async (r) => answers.push(await r.text().catch(() => '')))
  try {
    await reportFailures(page, 'trunk-report', async () => {
      await ingest(influx, port)
      const admin = await fetchToken(server.url)
      const { sid } = await api<{ sid: string }>(server.url, admin, 'POST', '/VoipCarriers', {
        name: 'Northern Trunks',
        account_sid: ACCOUNT,
        sip_gateways: [{ ipv4: CARRIER[0], inbound: 1, outbound: 1 }],
      })
      await logIn(page, server.url)
      await page.goto(`${server.url}/internal/carriers/${sid}`)
      await page.getByRole('button', { name: 'Trunk report' }).click()
      await page.getByText('No links yet.').waitFor()
      await page.getByRole('button', { name: 'Make a link' }).click()
      await page.getByLabel('For').fill('Northern support')
      await page.getByLabel('Ends').selectOption('In 14 days')
      await page.getByRole('button', { name: 'Make link' }).click()
      await page.getByText('It is not shown again.').waitFor()
      const link = await page.getByRole('status', { name: 'Link' }).innerText()
      await page.getByRole('button', { name: 'Done' }).click()
      const row = page.getByRole('row', { name: 'Northern support' })
      await row.getByText('in 14 days').or(row.getByText('in 13 days')).waitFor()
      await row.getByText('Never').waitFor()
      await expectAccessible(page, 'the links')
      await expectNoSidewaysScroll(page, 'the links')

      // somebody else's browser, without a log-in
      await guest.goto(link)
      await guest.getByRole('heading', { name: 'Northern Trunks' }).waitFor()
      const days = guest.getByRole('table', { name: 'Calls per day' }).getByRole('row')
      expect(await days.count()).toBe(32)
      await guest.getByRole('table', { name: 'Causes of failure' }).getByText('486').waitFor()
      await guest.getByText('+44xxxxxxxx58').first().click()
      const message = guest.getByRole('button', { name: /INVITE/ })
      await message.first().click()
      await guest.getByText('P-Asserted-Identity: <sip:+1xxxxxxxx47@hidden.invalid>').waitFor()
      await guest.getByText('The called user is busy').first().waitFor()
      await expectAccessible(guest, 'a trunk report')
      await expectNoSidewaysScroll(guest, 'a trunk report')
      expect(await guest.locator('meta[name=robots]').getAttribute('content')).toBe('noindex')
      for (const text of [await guest.content(), ...answers])
        for (const secret of ['5085550147', '2079460958', 'Jane', 'tenant.example', 'c0ffee'])
          expect(text).not.toContain(secret)
      // the token was in no address
      expect(addresses.filter((url) => url.includes(link.split('#')[1]!) && url !== link)).toEqual(
        [],
      )

      await row.getByRole('button', { name: /^Revoke/ }).click()
      await page
        .getByRole('alertdialog')
        .or(page.getByRole('dialog'))
        .getByRole('button', { name: 'Revoke link' })
        .click()
      await expectToast(page, 'Link revoked')
      await guest.reload()
      await guest.getByRole('heading', { name: 'This link has ended' }).waitFor()
      expectNoErrors(page)
      expectNoErrors(guest)
    })
  } finally {
    await page.context().close()
    await guest.context().close()
    await server.stop()
  }
})
