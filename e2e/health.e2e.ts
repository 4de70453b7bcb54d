import { createSocket, type RemoteInfo } from 'node:dgram'
import { expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, logIn, openPage, reportFailures, waitUntilLoaded } from './browser.ts'
import { api, fetchToken, PASSWORD, type Switchroom, startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'
import { shareWorld } from './world.ts'

let server: Switchroom
shareWorld(
  async () => {
    server = await startSwitchroom('sqlite', { SWITCHROOM_ALLOW_NETWORKS: '127.0.0.0/8' })
  },
  async () => {
    await server.stop()
  },
)

/** A SIP peer that does not answer until `say` sets its response. */
async function startTrunk() {
  const socket = createSocket('udp4')
  let statusLine: string | undefined
  socket.on('message', (request: Buffer, from: RemoteInfo) => {
    if (statusLine)
      socket.send(String(request).replace(/^OPTIONS .*/, statusLine), from.port, from.address)
  })
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done))
  return {
    port: socket.address().port,
    say: (first: string) => {
      statusLine = first
    },
    close: () => socket.close(),
  }
}

it('shows how a carrier’s gateways answer probes', async () => {
  const token = await fetchToken(server.url)
  const [account] = await api<{ account_sid: string }[]>(server.url, token, 'GET', '/Accounts')
  const { account_sid } = account!
  const [peer, closed] = [await startTrunk(), await freePort()]
  const out = { ipv4: '127.0.0.1', inbound: 0, outbound: 1 }
  const { sid } = await api<{ sid: string }>(server.url, token, 'POST', '/VoipCarriers', {
    name: 'Northern Trunks',
    account_sid,
    sip_gateways: [
      { ...out, port: peer.port },
      { ...out, port: closed, protocol: 'tcp' },
      { ipv4: '203.0.113.10', inbound: 1, outbound: 0 },
    ],
  })
  await api(server.url, token, 'POST', '/Users', {
    name: 'viewer',
    email: 'viewer@example.org',
    initial_password: PASSWORD,
    force_change: 0,
    account_sid,
    is_view_only: 1,
  })
  const page = await openPage()
  await logIn(page, server.url)
  await reportFailures(page, 'health', async () => {
    await page.goto(`${server.url}/internal/carriers/${sid}/edit`)
    const panel = page.getByRole('region', { name: 'Trunk health' })
    const gateway = (port: number) =>
      panel.getByRole('listitem').filter({ hasText: `127.0.0.1:${port}` })
    await panel.getByText('Probes come from this server, not your SBC.').waitFor()
    await gateway(peer.port).getByText('No recent probe').waitFor()
    expect(await panel.getByRole('listitem').count()).toBe(2)

    await panel.getByRole('button', { name: 'Probe all' }).click()
    await gateway(peer.port).getByText('Probing…').waitFor()
    await gateway(closed).getByText('Connection refused').waitFor()
    await gateway(peer.port).getByText('No answer in time').waitFor()

    const probe = panel.getByRole('button', { name: `Probe 127.0.0.1:${peer.port}` })
    const refused = page.getByText('This gateway is being probed or was probed just now.')
    const probeAgain = async (first: string, shows: string) => {
      peer.say(first)
      const shown = gateway(peer.port).getByText(shows)
      // refused until the minimum interval between probes is over
      await expect
        .poll(
          async () => {
            await probe.click()
            await waitUntilLoaded(page)
            return shown.isVisible()
          },
          { interval: 300 },
        )
        .toBe(true)
      if (await refused.isVisible()) await page.getByRole('button', { name: 'Dismiss' }).click()
      await refused.waitFor({ state: 'hidden' })
    }
    await probeAgain('SIP/2.0 403 Not from you', '403 Not from you')
    await gateway(peer.port).getByText('Rejects').waitFor()
    await probeAgain('SIP/2.0 200 OK', '200 OK')
    await gateway(peer.port).getByText('Answers').waitFor()
    await probe.click()
    await refused.waitFor()
    await expectAccessible(page, 'trunk health')
    await expectNoSidewaysScroll(page, 'trunk health')

    await panel.getByRole('button', { name: 'History' }).click()
    const history = page.getByRole('dialog', { name: 'Trunk health' })
    const rows = history.getByRole('row')
    await expect.poll(() => rows.count()).toBe(5)
    const results = await rows.allInnerTexts()
    expect(results[1]).toMatch(/Answers.*200 OK, \d+ ms.*UDP.*just now/s)
    await expectAccessible(page, 'the history of trunk health')
    await expectNoSidewaysScroll(page, 'the history of trunk health')
    await expectNoErrors(page)
  })

  const other = await openPage()
  await logIn(other, server.url, 'viewer')
  await reportFailures(other, 'health-viewer', async () => {
    await other.goto(`${server.url}/internal/carriers/${sid}/edit`)
    const panel = other.getByRole('region', { name: 'Trunk health' })
    await panel.getByText('200 OK').waitFor()
    expect(await panel.getByRole('button').allInnerTexts()).toEqual(['History'])
    await expectNoErrors(other)
  })
  peer.close()
})
