import { spawn } from 'node:child_process'
import { createSocket, type RemoteInfo } from 'node:dgram'
import { existsSync } from 'node:fs'
import { afterEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { hep } from '../packages/server/test/hep.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, openPage, openScreen, reportFailures } from './browser.ts'
import { api, fetchToken, type Switchroom, startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'

const SIPP = process.env.SIPP ?? '/usr/bin/sipp'
const HOST = '127.0.0.1'
const NUMBER = '442079460958'
const TRACE_ID = '5a'.repeat(16)
const NEW_PASSWORD = 'a password of her own'

let server: Switchroom | undefined
const stops: (() => void)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) stop()
  await server?.stop()
})

/** Passes what two SIP parties send to each other, and reports it as the SBC does. */
async function sbc(called: number, agent: number) {
  const socket = createSocket('udp4')
  await new Promise<void>((done) => socket.bind(0, HOST, done))
  const { port } = socket.address()
  let caller: RemoteInfo | undefined
  let call_id: string | undefined
  socket.on('message', (text, from) => {
    if (from.port !== called) caller = from
    const to = from.port === called ? caller!.port : called
    call_id ??= /^Call-ID: *(\S+)/im.exec(text.toString())?.[1]
    const ends = { source: [HOST, from.port], destination: [HOST, to] } as const
    socket.send(
      hep({ text, source: [...ends.source], destination: [...ends.destination] }),
      agent,
      HOST,
    )
    socket.send(text, to, HOST)
  })
  stops.push(() => socket.close())
  return { port, call_id: () => call_id! }
}

function sipp(args: string[]) {
  const child = spawn(SIPP, [...args, '-i', HOST, '-nostdin', '-m', '1'], { stdio: 'ignore' })
  stops.push(() => child.kill('SIGKILL'))
  return new Promise<number | null>((done) => child.once('exit', done))
}

it.skipIf(!existsSync(SIPP))('leads from an empty folder to a first answered call', async () => {
  const [influx, otlp, heps, answering] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ]
  server = await startSwitchroom('sqlite', {
    SWITCHROOM_ADMIN_PASSWORD: '',
    SWITCHROOM_INGEST_INFLUX: `${HOST}:${influx}`,
    SWITCHROOM_INGEST_OTLP: `${HOST}:${otlp}`,
    SWITCHROOM_INGEST_HEP: `${HOST}:${heps}`,
  })
  const { url } = server
  const page = await openPage()
  await reportFailures(page, 'getting-started', async () => {
    // the first log-in, with the password that the first start printed
    await page.goto(url)
    await page.getByLabel('Username').fill('admin')
    await page.getByLabel('Password').fill(/one-time password (\S+)/.exec(server!.log())![1]!)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
    await page.getByLabel(/Confirm/).fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Create password' }).click()
    await page.getByRole('heading', { level: 1, name: 'Getting started' }).waitFor()
    await page.getByText('0 of 11 done').waitFor()
    await expectAccessible(page, 'getting started, all open')

    const step = (title: string) => page.getByRole('listitem').filter({ hasText: title })
    const done = (title: string) => step(`${title}: done`).waitFor()
    const token = await fetchToken(url, 'admin', NEW_PASSWORD)
    const call = <T>(method: string, path: string, body?: object) =>
      api<T>(url, token, method, path, body)
    const [provider] = await call<{ service_provider_sid: string }[]>('GET', '/ServiceProviders')
    const [account] = await call<{ account_sid: string }[]>('GET', '/Accounts')
    const { service_provider_sid } = provider!
    const { account_sid } = account!

    // what is missing is said, with the way there
    await step('Name the service provider').getByRole('link', { name: 'Rename' }).waitFor()
    await step('Receive call records').getByText(`JAMBONES_TIME_SERIES_HOST=${HOST}`).waitFor()
    await step('Receive call records').getByText(`This server listens on ${HOST} only.`).waitFor()
    await call('PUT', `/ServiceProviders/${service_provider_sid}`, { name: 'Northwind' })
    await done('Name the service provider')
    const { sid: voip_carrier_sid } = await call<{ sid: string }>('POST', '/VoipCarriers', {
      name: 'Trunk',
      account_sid,
    })
    await step('Add a carrier').getByText('Trunk has no active SIP gateway.').waitFor()
    await call('POST', '/SipGateways', {
      voip_carrier_sid,
      ipv4: '192.0.2.1',
      inbound: 1,
      outbound: 0,
    })
    await done('Add a carrier')
    await page.getByRole('button', { name: 'Add the sample application' }).click()
    await page.getByText('Application created successfully').waitFor()
    await done('Add an application')
    const [application] = await call<{ application_sid: string; app_json: string }[]>(
      'GET',
      '/Applications',
    )
    expect(JSON.parse(application!.app_json)[0]).toEqual({ verb: 'answer' })
    await call('POST', '/PhoneNumbers', {
      number: NUMBER,
      voip_carrier_sid,
      account_sid,
      application_sid: application!.application_sid,
    })
    await done('Route a phone number')
    await call('POST', '/Sbcs', { ipv4: '198.51.100.7' })
    await done('Connect an SBC')
    await step('Add a carrier').getByText('198.51.100.7:5060').waitFor()
    await call('PUT', `/Accounts/${account_sid}`, { record_all_calls: 1 })

    // the call, made by SIPp through what stands where the SBC does
    await page.getByText(`Waiting for a call to ${NUMBER}`).waitFor()
    const between = await sbc(answering, heps)
    void sipp(['-sn', 'uas', '-p', String(answering)])
    const ended = sipp(['-sn', 'uac', '-s', NUMBER, '-d', '4000', `${HOST}:${between.port}`])
    await page.getByText(/Call from sipp to 442079460958 is answered/).waitFor()
    const messages = page.getByRole('list', { name: 'SIP messages' }).getByRole('listitem')
    await messages.filter({ hasText: '200 OK' }).first().waitFor()
    const before = await messages.count()
    expect(await ended).toBe(0)
    await page.getByText(/was answered and has ended/).waitFor()
    await expect.poll(() => messages.count()).toBeGreaterThan(before)
    await step('Make a call: open').waitFor()

    // what components leave behind
    const call_sid = crypto.randomUUID()
    const recording = await record(url, account_sid, call_sid)
    const line =
      `cdrs,account_sid=${account_sid},service_provider_sid=${service_provider_sid},answered=true,direction=inbound,trunk=Trunk ` +
      `call_sid="${call_sid}",sip_callid="${between.call_id()}",from="sipp",to="${NUMBER}",duration=4,sip_status=200,` +
      `trace_id="${TRACE_ID}",recording_url="${recording}" ${Date.now()}000000`
    await send(`http://${HOST}:${influx}/write?db=cdrs&precision=n`, line, 204)
    await send(`http://${HOST}:${otlp}/v1/traces`, JSON.stringify(trace(call_sid)), 200)
    await page.getByText('10 of 11 done').waitFor()
    await page.getByRole('link', { name: 'Open call' }).waitFor()
    await expectAccessible(page, 'getting started, all done')
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNoSidewaysScroll(page, 'getting started')
    await page.setViewportSize({ width: 1280, height: 900 })

    // put away, and found again
    const tabs = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
    expect(await tabs.allInnerTexts()).toContain('Getting started')
    await page.getByRole('button', { name: 'Hide from menu' }).click()
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
    await openScreen(page, 'Settings', 'Audit log')
    expect(await tabs.allInnerTexts()).not.toContain('Getting started')
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByRole('menuitem', { name: 'Getting started' }).click()
    await page.getByRole('button', { name: 'Show in menu' }).click()
    await page.getByRole('button', { name: 'Hide from menu' }).waitFor()
  })
  expectNoErrors(page)
})

async function send(url: string, body: string, status: number) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body })
  expect(answer.status, await answer.text()).toBe(status)
}

/** Sends a second of silence as a media server does. Resolves to the address of the recording. */
async function record(url: string, account_sid: string, call_sid: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/record/aws_s3`, 'audio.jambonz.org')
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  socket.send(JSON.stringify({ accountSid: account_sid, callSid: call_sid, sampleRate: 8_000 }))
  socket.send(Buffer.alloc(32_000))
  socket.close()
  const [day] = new Date().toISOString().split('T')
  return `/Accounts/${account_sid}/RecentCalls/${call_sid}/record/${day!.replaceAll('-', '/')}/mp3`
}

function trace(call_sid: string) {
  const now = BigInt(Date.now()) * 1_000_000n
  const span = {
    traceId: TRACE_ID,
    spanId: '1'.repeat(16),
    name: 'incoming-call',
    kind: 1,
    startTimeUnixNano: String(now),
    endTimeUnixNano: String(now + 4_000_000_000n),
    attributes: [{ key: 'callSid', value: { stringValue: call_sid } }],
  }
  return { resourceSpans: [{ resource: {}, scopeSpans: [{ scope: {}, spans: [span] }] }] }
}
