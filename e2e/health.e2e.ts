import { createSocket, type RemoteInfo } from 'node:dgram'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible, expectNoSidewaysScroll } from './accessible.ts'
import { expectNoTrouble, loaded, openPage, signIn, told } from './browser.ts'
import { api, logIn, PASSWORD, type Switchroom, startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'

let server: Switchroom
beforeAll(async () => {
  server = await startSwitchroom('sqlite', { SWITCHROOM_ALLOW_NETWORKS: '127.0.0.0/8' })
})
afterAll(async () => {
  await server.stop()
})

/** A trunk that says nothing until it is told what to say. */
async function trunk() {
  const socket = createSocket('udp4')
  let says: string | undefined
  socket.on('message', (request: Buffer, from: RemoteInfo) => {
    if (says) socket.send(String(request).replace(/^OPTIONS .*/, says), from.port, from.address)
  })
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done))
  return {
    port: socket.address().port,
    say: (first: string) => {
      says = first
    },
    close: () => socket.close(),
  }
}

it('tells how a carrier’s gateways answer', async () => {
  const token = await logIn(server.url)
  const [account] = await api<{ account_sid: string }[]>(server.url, token, 'GET', '/Accounts')
  const { account_sid } = account!
  const [peer, closed] = [await trunk(), await freePort()]
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
  await signIn(page, server.url)
  await told(page, 'health', async () => {
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
    const again = async (first: string, shows: string) => {
      peer.say(first)
      const shown = gateway(peer.port).getByText(shows)
      // refused until the pause is over that the server wants between two
      await expect
        .poll(
          async () => {
            await probe.click()
            await loaded(page)
            return shown.isVisible()
          },
          { interval: 300 },
        )
        .toBe(true)
      if (await refused.isVisible()) await page.getByRole('button', { name: 'Dismiss' }).click()
      await refused.waitFor({ state: 'hidden' })
    }
    await again('SIP/2.0 403 Not from you', '403 Not from you')
    await gateway(peer.port).getByText('Rejects').waitFor()
    await again('SIP/2.0 200 OK', '200 OK')
    await gateway(peer.port).getByText('Answers').waitFor()
    await probe.click()
    await refused.waitFor()
    await expectAccessible(page, 'trunk health')
    await expectNoSidewaysScroll(page, 'trunk health')

    await panel.getByRole('button', { name: 'History' }).click()
    const history = page.getByRole('dialog', { name: 'Trunk health' })
    const results = await history.getByRole('row').allInnerTexts()
    expect(results).toHaveLength(5)
    expect(results[1]).toMatch(/Answers.*200 OK, \d+ ms.*UDP.*just now/s)
    await expectAccessible(page, 'the history of trunk health')
    await expectNoSidewaysScroll(page, 'the history of trunk health')
    await expectNoTrouble(page)
  })

  const other = await openPage()
  await signIn(other, server.url, 'viewer')
  await told(other, 'health-viewer', async () => {
    await other.goto(`${server.url}/internal/carriers/${sid}/edit`)
    const panel = other.getByRole('region', { name: 'Trunk health' })
    await panel.getByText('200 OK').waitFor()
    expect(await panel.getByRole('button').allInnerTexts()).toEqual(['History'])
    await expectNoTrouble(other)
  })
  peer.close()
})
